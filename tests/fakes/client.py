"""A stand-in for a coding agent's command line, played from a scenario.

`fake_client.place` puts it on a world's PATH under a client's name with `<name>.json` beside it:

    {"log": "/…/calls.jsonl", "rules": [RULE, …]}

Each call is written to the log: argv, cwd, environment, and stdin where it was read. Then the first rule
whose `argv` is a prefix of the arguments is played; without one the call is a usage error (exit 2). A rule
may say, played in this order:

    refuse_env  exit 1 with a sentence on stderr when one of these variables is set
    stdin       true: read standard input to its end before the call is logged
    ignore      names of signals to ignore, such as "SIGTERM"
    grandchild  start a process that holds our output and sleeps; its pid is written to this file.
                "session": true puts it in a session of its own
    stdout, stderr   text, or {"file": path} for bytes as they are, or {"repeat": text, "times": n}
    steps       a list, each a list of one word and what goes with it:
                ["say", object] one line of JSON on stdout; ["raw", text] the text as it is;
                ["last", text] into the file named after -o, if there is one; ["write", path, text];
                ["run", command] by sh; ["await", path] until it exists;
                ["kill", "parent" or "self"] by SIGKILL; ["times", n, step] that step n times;
                ["forever", seconds, step] that step again and again
    touch       create this file, so that a test knows how far we are
    sleep       seconds
    exit        the exit code (0 without it); a negative one is a signal that we send ourselves
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

HERE = Path(sys.argv[0]).absolute()


def main() -> int:
    scenario = json.loads(HERE.with_name(HERE.name + ".json").read_text("utf-8"))
    arguments = sys.argv[1:]
    rule = next((one for one in scenario["rules"] if arguments[: len(one["argv"])] == one["argv"]), None)
    stdin = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") if rule and rule.get("stdin") else None
    log(Path(scenario["log"]), arguments, stdin)
    if rule is None:
        print(f"fake {HERE.name}: no rule for {arguments}", file=sys.stderr)
        return 2
    return play(rule)


def log(path: Path, arguments: list[str], stdin: str | None) -> None:
    call = {
        "program": HERE.name,
        "argv": arguments,
        "cwd": str(Path.cwd()),
        "env": dict(os.environ),
        "stdin": stdin,
        "pid": os.getpid(),
    }
    with path.open("a", encoding="utf-8", errors="surrogateescape") as handle:
        handle.write(json.dumps(call) + "\n")


def play(rule: dict[str, Any]) -> int:
    for name in rule.get("refuse_env", []):
        if name in os.environ:
            print(f"refused: {name} is set", file=sys.stderr)
            return 1
    for name in rule.get("ignore", []):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    if "grandchild" in rule:
        start_grandchild(Path(rule["grandchild"]), own_session=rule.get("session", False))
    say(sys.stdout.buffer, rule.get("stdout", ""))
    say(sys.stderr.buffer, rule.get("stderr", ""))
    for step in rule.get("steps", []):
        take(step)
    if "touch" in rule:
        Path(rule["touch"]).touch()
    time.sleep(rule.get("sleep", 0))
    code = int(rule.get("exit", 0))
    if code < 0:
        os.kill(os.getpid(), -code)
    return code


def take(step: list[Any]) -> None:
    word, *rest = step
    if word == "say":
        say(sys.stdout.buffer, json.dumps(rest[0]) + "\n")
    elif word == "raw":
        say(sys.stdout.buffer, rest[0])
    elif word == "last" and "-o" in sys.argv:
        Path(sys.argv[sys.argv.index("-o") + 1]).write_text(rest[0], "utf-8")
    elif word == "write":
        Path(rest[0]).parent.mkdir(parents=True, exist_ok=True)
        Path(rest[0]).write_text(rest[1], "utf-8")
    elif word == "await":
        while not Path(rest[0]).exists():
            time.sleep(0.01)
    elif word == "run":
        subprocess.run(["sh", "-c", rest[0]], stdout=subprocess.DEVNULL, check=True)
    elif word == "kill":
        os.kill({"parent": os.getppid(), "self": os.getpid()}[rest[0]], signal.SIGKILL)
    elif word == "times":
        for _ in range(rest[0]):
            take(rest[1])
    elif word == "forever":
        while True:
            take(rest[1])
            time.sleep(rest[0])


def start_grandchild(pid_file: Path, *, own_session: bool) -> None:
    """It ignores what we ignore, and ends only when it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=own_session
    )
    pid_file.write_text(str(process.pid))


def say(stream: BinaryIO, what: Any) -> None:
    if isinstance(what, str):
        data = what.encode("utf-8", "surrogateescape")
        stream.write(data)
    elif "file" in what:
        stream.write(Path(what["file"]).read_bytes())
    else:
        for _ in range(what["times"]):
            stream.write(what["repeat"].encode())
    stream.flush()


if __name__ == "__main__":
    sys.exit(main())
