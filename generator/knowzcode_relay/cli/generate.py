"""generate: render dist/ and the marketplaces, or compare them with a fresh rendering."""

import click

from knowzcode_relay import __version__, assets
from knowzcode_relay.cli.program import verb
from knowzcode_relay.errors import Exit
from knowzcode_relay.result import Result


@verb("generate")
@click.option("--check", is_flag=True, help="Compare bytes and modes with a fresh rendering; write nothing.")
def generate(check: bool) -> Result:
    """Render dist/ and the marketplace files from the templates, in a source checkout."""
    from knowzcode_relay.render import (
        mirror,
    )  # the template engine is slow to load and no other verb needs it
    from knowzcode_relay.render.build import documents, render

    checkout = assets.checkout()
    rendering = render(assets.templates(), assets.runtime(), __version__)
    act = mirror.compare if check else mirror.write
    files = (*rendering.files, *documents(checkout, rendering))
    differences = act(checkout, files)
    count = f"{len(files)} rendered files"
    data = {
        "files": len(files),
        "differences": [{"path": each.path, "kind": each.kind.value} for each in differences],
    }
    lines = tuple(f"{each.kind.value:<8}{each.path}" for each in differences)
    if check and differences:
        message = f"{len(differences)} of {count} differ."
        hint = "Run: knowzcode-relay generate"
        return Result(message, exit=Exit.CONFLICT, lines=(*lines, message), hint=hint, data=data)
    message = (
        f"{count} are up to date." if not differences else f"{count}, {len(differences)} brought up to date."
    )
    return Result(message, lines=(*lines, message), data=data)
