"""Fingerprints and sites as JSON values, the same in manifest and journal."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knowzcode_relay.hosts.base import Site
from knowzcode_relay.install.plan import Kind, Print


def dump_print(look: Print) -> dict[str, str]:
    record = {"sha256": look.sha256, "mode": f"{look.mode:o}"}
    return record if look.kind is Kind.FILE else {**record, "kind": look.kind.value}


def parse_print(record: Mapping[str, Any]) -> Print:
    return Print(str(record["sha256"]), int(record["mode"], 8), Kind(record.get("kind", "file")))


def dump_site(site: Site) -> dict[str, Any]:
    return {
        "platform": site.platform,
        "scope": site.scope,
        "kind": site.kind,
        "base": str(site.base),
        "prefix": site.prefix,
        "in_place": site.in_place,
    }


def parse_site(record: Mapping[str, Any]) -> Site:
    return Site(
        platform=str(record["platform"]),
        scope=str(record["scope"]),
        kind=str(record["kind"]),
        base=Path(record["base"]),
        prefix=str(record["prefix"]),
        in_place=bool(record["in_place"]),
    )


def dump_tokens(tokens: tuple[Mapping[str, str], ...]) -> list[dict[str, str]]:
    return [dict(each) for each in tokens]


def parse_tokens(records: list[Mapping[str, Any]]) -> tuple[Mapping[str, str], ...]:
    return tuple({str(key): str(value) for key, value in each.items()} for each in records)
