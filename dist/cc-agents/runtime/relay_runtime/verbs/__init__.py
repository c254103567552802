"""The verbs of the runtime, one module each: parse, call one function, answer."""
