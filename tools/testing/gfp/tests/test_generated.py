# SPDX-License-Identifier: GPL-2.0
"""Generated mutants: the places are found as the file spells them, and changed rightly."""

import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests_common import make_kernel

import files
import generated
import kernel
import mutant
import mutation_generated
import mutation_report
import objects
import settings
import variant
from errors import BuildError
from mutant import Record, Subject

SOURCE = """\
#define unlikely(x) __builtin_expect(!!(x), 0)
static int other(int a)
{
	return a && 1;
}

int wakeup_kswapd(int a, int mask)
{
	if (unlikely(a > LIMIT) &&
	    (mask & (FLAG_A | FLAG_B)))
		goto out;
	trace(a);
	mask |= FLAG_A;
	while (a)
		a--;
out:
	return a == 1 ? mask : 0;
}
"""
PLACE = generated.Place("mm/page_alloc.c", "wakeup_kswapd", "gfp_compaction")


def squeezed(text: str) -> str:
    return "".join(text.split())


class Found(unittest.TestCase):
    """By spatch, in a file."""

    def setUp(self) -> None:
        if not shutil.which("spatch"):
            self.skipTest("spatch is not installed")
        top = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (make_kernel(top) / PLACE.file).write_text(SOURCE)
        self.enterContext(mock.patch.object(generated, "PLACES", (PLACE,)))
        self.read = kernel.reader(top)
        self.found = generated.find(self.read)

    def by_operator(self, operator: str) -> list[str]:
        """What the lines that a mutant of @operator changes become."""
        texts = []
        for mutation in self.found:
            if mutation.operator == operator:
                lines = generated.diff(mutation, SOURCE).splitlines()[3:]
                texts.append(squeezed("".join(x[1:] for x in lines if x.startswith("+"))))
        return texts

    def test_conditions(self) -> None:
        self.assertEqual(self.by_operator("condition-false"),
                         ["if(false)", "while(false)", "returnfalse?mask:0;"])
        self.assertIn("while(!(a))", self.by_operator("condition-negate"))

    def test_operands(self) -> None:
        self.assertEqual(self.by_operator("logical-drop-right"), ["if((unlikely(a>LIMIT)))"])
        self.assertEqual(self.by_operator("logical-drop-left"),
                         ["if(((mask&(FLAG_A|FLAG_B))))"])
        self.assertEqual(self.by_operator("logical-and-to-or"),
                         ["if(((unlikely(a>LIMIT))||((mask&(FLAG_A|FLAG_B)))))"])

    def test_comparisons_as_spelled(self) -> None:
        self.assertEqual(self.by_operator("comparison-gt-to-ge"), ["if(unlikely(a>=LIMIT)&&"])
        self.assertEqual(self.by_operator("comparison-gt-to-lt"), ["if(unlikely(a<LIMIT)&&"])
        self.assertEqual(self.by_operator("comparison-eq-to-ne"), ["returna!=1?mask:0;"])

    def test_flags(self) -> None:
        self.assertEqual(set(self.by_operator("bits-drop-right")),
                         {"(mask&((FLAG_A))))", "((mask)))"})

    def test_statements(self) -> None:
        self.assertEqual(self.by_operator("call-drop"), [";"])
        self.assertEqual(self.by_operator("assignment-drop"), [";"])
        self.assertEqual(self.by_operator("goto-drop"), [";"])

    def test_no_other_function(self) -> None:
        self.assertEqual({m.function for m in self.found}, {"wakeup_kswapd"})

    def test_names_and_files_differ(self) -> None:
        self.assertEqual(len({m.name for m in self.found}), len(self.found))
        self.assertEqual(len({m.label for m in self.found}), len(self.found))

    def test_no_line_moves(self) -> None:
        for mutation in self.found:
            with self.subTest(mutation.name):
                self.assertEqual(mutation.apply(SOURCE).count("\n"), SOURCE.count("\n"))

    def test_sample(self) -> None:
        names = [m.name for m in generated.sample(self.found, 5, 1)]
        self.assertEqual([m.name for m in generated.sample(self.found[::-1], 9, 1)][:5], names)
        self.assertNotEqual([m.name for m in generated.sample(self.found, 5, 2)], names)

    def test_patch_has_the_base_in_it(self) -> None:
        top = Path(self.enterContext(tempfile.TemporaryDirectory()))
        pristine = SOURCE.replace("LIMIT)", "3)")
        (make_kernel(top) / PLACE.file).write_text(pristine)
        base: variant.Changes = {PLACE.file: SOURCE.encode()}
        mutation = self.found[0]
        files.write_atomically(top / "m.patch",
                               generated.patch(mutation, kernel.reader(top), base))
        self.assertEqual(variant.apply(variant.load(str(top / "m.patch")), kernel.reader(top)),
                         {PLACE.file: mutation.apply(SOURCE).encode()})


class Compiled(unittest.TestCase):
    """Commands of a kernel's build."""

    CMD = ("savedcmd_mm/vmscan.o := ccache gcc -Wp,-MMD,mm/.vmscan.o.d -DX='\"mm/a b\"'"
           " -c -o mm/vmscan.o ../mm/vmscan.c  \n\nsource_mm/vmscan.o := x\n")

    def test_command(self) -> None:
        command = objects.read_command(self.CMD)
        self.assertEqual(command[:2], ["gcc", "-Wp,-MMD,mm/.vmscan.o.d"])
        self.assertIn('-DX="mm/a b"', command)
        self.assertEqual(objects.for_source(command, Path("/t/mm/vmscan.c"), Path("/t/o")),
                         ["gcc", '-DX="mm/a b"', "-c", "-fmacro-prefix-map=/t/=",
                          "-o", "/t/o", "/t/mm/vmscan.c"])

    def test_more_commands(self) -> None:
        command = objects.read_command(self.CMD.replace("vmscan.c  ", "vmscan.c ; objtool x"))
        self.assertEqual(command[-1], "../mm/vmscan.c")


class Settled(unittest.TestCase):
    """What the compiler alone can say of a mutant."""

    BEFORE, AFTER = "if (a)\n", "if (true)\n"

    def settle(self, made: bytes | BuildError) -> str:
        mutation = generated.Mutation("mm/vmscan.c", "f", 1, 5, "condition-true", 4, 5, "true",
                                      "gfp_compaction")
        self.assertEqual(mutation.apply(self.BEFORE), self.AFTER)
        compiler = mock.Mock()
        compiler.return_value.compile.side_effect = [b"object", made]
        with mock.patch.object(mutation_generated, "Compiler", compiler):
            same = mutation_generated.Objects(mock.Mock(), {"mm/vmscan.c": self.BEFORE})
            outcome = same.settle(mutation)[0]
        self.assertEqual(compiler.return_value.compile.call_args.args,
                         ("mm/vmscan.c", self.AFTER.encode()))
        return outcome

    def test_settled(self) -> None:
        self.assertEqual(self.settle(b"object"), mutant.EQUIVALENT)
        self.assertEqual(self.settle(b"another"), mutant.NOT_JUDGED)
        self.assertEqual(self.settle(BuildError("vmscan.c:1: error: x")), mutant.NOT_BUILDABLE)


class Score(unittest.TestCase):
    """What they come to."""

    @staticmethod
    def record(outcome: str) -> Record:
        return Record(Subject("m", "m.patch", "local-flag", "gfp_compaction", what="f:1:2:x"),
                      outcome=outcome, diff="--- a/f\n+++ b/f\n@@ x\n-\tif (a)\n+\tif (true)\n")

    def test_score(self) -> None:
        records = [self.record(outcome) for outcome in (
            mutant.KILLED, mutant.CRASHED, mutant.TIMED_OUT, mutant.SURVIVED, mutant.EQUIVALENT,
            mutant.NOT_BUILDABLE)]
        text = mutation_report.survivors(records, mutation_report.score_of(records, 1))
        self.assertIn("3 noticed of 4", text)
        self.assertIn("survived: f:1:2:x\n  -\tif (a)\n  +\tif (true)", text)

    def test_variables(self) -> None:
        choice = settings.for_mutants({"GENERATED": "100", "SEED": "7"})[1]
        self.assertEqual((choice.generated, choice.seed, choice.in_full), (100, 7, False))
        self.assertTrue(settings.for_mutants({"GENERATED": "1", "FULL": "1"})[1].in_full)
        self.assertTrue(settings.for_mutants({})[1].in_full)

    def test_status(self) -> None:
        for outcomes, status in (([mutant.KILLED, mutant.NOT_BUILDABLE], 0),
                                 ([mutant.KILLED, mutant.SURVIVED], 1),
                                 ([mutant.SURVIVED, mutant.NOT_JUDGED], 2)):
            with self.subTest(outcomes):
                self.assertEqual(mutation_generated.status_of(
                    [self.record(outcome) for outcome in outcomes]), status)


if __name__ == "__main__":
    unittest.main()
