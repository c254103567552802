"""What status, verify and doctor answer, as lines and as JSON values."""

from collections.abc import Mapping

from knowzcode_relay.errors import Exit
from knowzcode_relay.install.doctor import Finding, Level
from knowzcode_relay.install.manifest import SCHEMA
from knowzcode_relay.install.runtime import identity
from knowzcode_relay.install.status import Standing, Status
from knowzcode_relay.install.verify import Verified
from knowzcode_relay.result import Result


def status(found: Status) -> Result:
    """The answer of status; a difference is news and no failure."""
    lines: list[str] = []
    if found.interrupted:
        lines.append(f"An interrupted {found.interrupted} was found; the next change finishes or undoes it.")
    if found.newer:
        lines.append(
            f"The manifest has schema {found.newer}, newer than {SCHEMA}; this program only lists it."
        )
    for entry in found.listing:
        lines.append(f"{entry['platform']} {entry['scope']} {entry['base']} {entry['version']}: newer")
    for each in found.standings:
        site = each.install.site
        lines.append(f"{site.platform} {site.scope} {site.root} {each.install.version}: {each.state}")
        lines += [f"  {one.state.value}: {each.install.real / one.path}" for one in each.drift]
    if not lines:
        lines.append("Nothing is installed.")
    lines += [f"note: {sentence}" for sentence in found.shadows]
    lines += found.readiness.lines()
    lines += [f"jobs: {each.text}" for each in found.exactness]
    listing = [_listed(entry) for entry in found.listing]
    return Result(
        f"{len(found.standings) + len(listing)} installs.",
        lines=tuple(lines),
        data={
            "installs": [*(_standing(each) for each in found.standings), *listing],
            "interrupted": found.interrupted or None,
            "shadows": list(found.shadows),
            "readiness": found.readiness.as_data(),
            "jobs": [each.as_data() for each in found.exactness],
        },
    )


def verified(found: Verified) -> Result:
    """The answer of verify: 8 when anything differs."""
    differences = [
        {"subject": each.subject, "path": each.path, "problem": each.problem} for each in found.differences
    ]
    gemini = "Gemini lists none" if found.gemini_asked else "no place that Gemini reads has one"
    data = {"differences": differences, "installs": len(found.installs), "gemini_asked": found.gemini_asked}
    if not differences:
        intact = {0: "Nothing is installed", 1: "The install is what was written"}.get(
            len(found.installs), f"All {len(found.installs)} installs are what was written"
        )
        message = f"{intact}, and {gemini}."
        return Result(message, data=data)
    lines = [
        " ".join(word for word in (f"{each.subject}:", each.path, each.problem) if word)
        for each in found.differences
    ]
    message = "1 difference." if len(differences) == 1 else f"{len(differences)} differences."
    return Result(message, exit=Exit.CONFLICT, lines=(*lines, message), data=data)


def diagnosed(findings: tuple[Finding, ...]) -> Result:
    """The answer of doctor: 3 when something must be changed."""
    lines: list[str] = []
    for each in findings:
        lines.append(f"{each.level.value:<8}{each.subject}: {each.text}")
        if each.remedy:
            lines.append(f"        {each.remedy}")
    problems = sum(each.level is Level.PROBLEM for each in findings)
    message = {0: "No problems.", 1: "1 problem."}.get(problems, f"{problems} problems.")
    return Result(
        message,
        exit=Exit.HALT if problems else Exit.DONE,
        lines=(*lines, message),
        data={
            "findings": [
                {
                    "subject": each.subject,
                    "level": each.level.value,
                    "text": each.text,
                    "remedy": each.remedy,
                }
                for each in findings
            ]
        },
    )


def _standing(each: Standing) -> dict[str, object]:
    site = each.install.site
    files: dict[str, list[str]] = {}
    for one in each.drift:
        files.setdefault(one.state.value, []).append(str(each.install.real / one.path))
    return {
        **identity(site.platform),
        "scope": site.scope,
        "kind": site.kind,
        "root": str(site.root),
        "runtime": str(each.runtime),
        "version": each.install.version,
        "state": each.state,
        "files": files,
    }


def _listed(entry: Mapping[str, str]) -> dict[str, object]:
    return {
        **identity(entry["platform"]),
        "scope": entry["scope"],
        "root": "/".join(word for word in (entry["base"], entry["prefix"]) if word),
        "runtime": None,
        "version": entry["version"],
        "state": "newer",
    }
