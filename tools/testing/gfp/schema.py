# SPDX-License-Identifier: GPL-2.0
"""Whether a results.json is what schema/NAME.json says.

The schemas are JSON Schema, of which we understand what we use and refuse the
rest: a keyword that is not looked at would promise what nobody checks.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "schema"

Schema = dict[str, Any]
Complaints = list[str]

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,),
    "number": (int, float), "boolean": (bool,), "null": (type(None),),
}


def load(name: str) -> Schema:
    """The schema of results that NAME writes: run, bench or scaling."""
    found: Schema = json.loads((FOLDER / f"{name}.json").read_text())
    return found


def check(value: Any, schema: Schema) -> Complaints:
    """What is wrong with @value; empty if it is as @schema says."""
    return _check(value, schema, schema.get("$defs", {}), "")


def _check(value: Any, schema: Schema, defs: Schema, where: str) -> Complaints:
    found = []
    for keyword, wanted in schema.items():
        if keyword in ("$schema", "$defs", "title", "description"):
            continue
        if keyword not in KEYWORDS:
            raise ValueError(f"schema keyword {keyword} is not understood")
        found += KEYWORDS[keyword](value, wanted, schema, defs, where)
    return found


def _is(value: Any, name: str) -> bool:
    # In Python, but not in JSON, true is a number.
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _type(value: Any, wanted: Any, _schema: Schema, _defs: Schema, where: str) -> Complaints:
    names = [wanted] if isinstance(wanted, str) else wanted
    return [] if any(_is(value, name) for name in names) else [
        f"{where or '/'}: {json.dumps(value)[:60]} is not {' or '.join(names)}"]


def _enum(value: Any, wanted: Any, _schema: Schema, _defs: Schema, where: str) -> Complaints:
    return [] if value in wanted else [f"{where or '/'}: {json.dumps(value)[:60]} is none of {wanted}"]


def _minimum(value: Any, wanted: Any, _schema: Schema, _defs: Schema, where: str) -> Complaints:
    return [f"{where or '/'}: {value} is less than {wanted}"] if (
        _is(value, "number") and value < wanted) else []


def _pattern(value: Any, wanted: Any, _schema: Schema, _defs: Schema, where: str) -> Complaints:
    return [f"{where or '/'}: {value!r} does not match {wanted}"] if (
        isinstance(value, str) and not re.search(wanted, value)) else []


def _ref(value: Any, wanted: Any, _schema: Schema, defs: Schema, where: str) -> Complaints:
    return _check(value, defs[wanted.removeprefix("#/$defs/")], defs, where)


def _required(value: Any, wanted: Any, _schema: Schema, _defs: Schema, where: str) -> Complaints:
    return [f"{where or '/'}: {name} is missing" for name in wanted
            if isinstance(value, dict) and name not in value]


def _properties(value: Any, wanted: Any, _schema: Schema, defs: Schema, where: str) -> Complaints:
    return [text for name, one in wanted.items() if isinstance(value, dict) and name in value
            for text in _check(value[name], one, defs, f"{where}/{name}")]


def _additional(value: Any, wanted: Any, schema: Schema, defs: Schema, where: str) -> Complaints:
    others = [name for name in value if name not in schema.get("properties", {})] if (
        isinstance(value, dict)) else []
    if wanted is False:
        return [f"{where}/{name}: is not in the schema" for name in others]
    return [text for name in others
            for text in _check(value[name], wanted, defs, f"{where}/{name}")]


def _items(value: Any, wanted: Any, _schema: Schema, defs: Schema, where: str) -> Complaints:
    return [text for i, one in enumerate(value if isinstance(value, list) else [])
            for text in _check(one, wanted, defs, f"{where}/{i}")]


KEYWORDS: dict[str, Callable[[Any, Any, Schema, Schema, str], Complaints]] = {
    "type": _type, "enum": _enum, "minimum": _minimum, "pattern": _pattern, "$ref": _ref,
    "required": _required, "properties": _properties, "additionalProperties": _additional,
    "items": _items,
}
