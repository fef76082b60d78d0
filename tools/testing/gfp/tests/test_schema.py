# SPDX-License-Identifier: GPL-2.0
"""Schemas of results, and results as the tool writes them."""

import json
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import tests_common

import bench
import report
import schema
import settings
import variant
import verdict
from guest import Emulator
from test_bench import measured

TREE: Any = SimpleNamespace(version="7.3.4", origin={"version": "7.3.4", "identity": "x",
                                                     "source": {}})
LOG = """\
KTAP version 1
1..1
    KTAP version 1
    # Subtest: gfp_compaction
    1..1
    # costly: gfp-cells: contract=nodirect rule=costly state=low cells=2 kept=1 broken=1 unjudged=0 ms=3
    ok 1 costly
ok 1 gfp_compaction
"""


def bench_results(mode: str = "exact", **changes: Any) -> Any:
    """Results of a benchmark as they are read back."""
    one = measured("none", 200, 210)
    one.emulator = Emulator("QEMU 10.0.2", "tcg") if mode == "exact" else None
    found = bench.to_json(one, TREE, settings.for_bench({"BENCH": mode}))
    return {**json.loads(json.dumps(found)), **changes}


def run_results() -> Any:
    """Results of a verdict as they are read back."""
    result = report.Result(report.describe_kernel(TREE), variant.load("none"),
                           settings.from_environment({}), folder="x")
    result.judgements = [verdict.judge(tests_common.boot_of(), verdict.read_log(LOG, "nodirect"),
                                       tests_common.kunit_of(passed=1), "nodirect")]
    return json.loads(json.dumps(report.to_json(result)))


class OurResults(unittest.TestCase):
    """What the tool writes is what its schema says."""

    def test_bench(self) -> None:
        for mode in settings.BENCHES:
            self.assertEqual(schema.check(bench_results(mode), schema.load("bench")), [])

    def test_run(self) -> None:
        found = run_results()
        self.assertTrue(found["contracts"][0]["rules"])
        self.assertEqual(schema.check(found, schema.load("run")), [])

    def test_a_number_without_a_unit(self) -> None:
        found = bench_results()
        found["runs"][0][0]["p50"] = 200
        found["runs"][1][0]["scanned"] = {"value": 1, "unit": ""}
        self.assertEqual(len(schema.check(found, schema.load("bench"))), 2)

    def test_what_is_missing_or_new(self) -> None:
        found = bench_results(extra=1)
        del found["kernel"]
        self.assertEqual(schema.check(found, schema.load("bench")),
                         ["/: kernel is missing", "/extra: is not in the schema"])


class Keywords(unittest.TestCase):
    """The part of JSON Schema that we understand."""

    def test_complaints(self) -> None:
        for value, wanted in ((True, {"type": "integer"}), (1.5, {"type": "integer"}),
                              (None, {"type": ["string", "array"]}), (2, {"enum": [0, 1]}),
                              (-1, {"minimum": 0}), ("", {"pattern": "."}),
                              ({"a": 1}, {"additionalProperties": False}),
                              ({"a": 1}, {"additionalProperties": {"type": "string"}}),
                              ({}, {"required": ["a"]}), ([1, "a"], {"items": {"type": "integer"}}),
                              ("a", {"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}})):
            with self.subTest(value=value, wanted=wanted):
                self.assertEqual(len(schema.check(value, wanted)), 1)

    def test_no_complaints(self) -> None:
        for value, wanted in ((1, {"type": "number"}), (None, {"type": ["string", "null"]}),
                              ({"a": 1}, {"properties": {"b": {"type": "string"}}})):
            with self.subTest(value=value, wanted=wanted):
                self.assertEqual(schema.check(value, wanted), [])

    def test_unknown_keyword(self) -> None:
        with self.assertRaisesRegex(ValueError, "maxLength is not understood"):
            schema.check("a", {"maxLength": 3})

    def test_all_schemas_are_understood(self) -> None:
        for path in sorted(Path(schema.FOLDER).glob("*.json")):
            with self.subTest(path=path.name):
                schema.check({}, json.loads(path.read_text()))


if __name__ == "__main__":
    unittest.main()
