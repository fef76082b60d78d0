# SPDX-License-Identifier: GPL-2.0
"""Variants: they apply wholly, or the error says what did not match."""

import shutil
import tempfile
import unittest
from pathlib import Path

from tests_common import make_kernel

import kernel
import variant
from errors import GfpError

FOUND = "@found@\n@@\n- return costly;\n+ return 0;\n"
MISSING = "@missing@\n@@\n- nowhere();\n+ costly();\n"
PATCH = """--- a/mm/page_alloc.c
+++ b/mm/page_alloc.c
@@ -1,5 +1,5 @@
 int costly;
 int main(void)
 {
-\treturn costly;
+\treturn 0;
 }
"""


class Variants(unittest.TestCase):
    """Applied to the smallest of trees."""

    def setUp(self) -> None:
        self.top = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="a b")))
        self.read = kernel.reader(make_kernel(self.top / "tree"))

    def apply(self, name: str, text: str) -> variant.Changes:
        (self.top / name).write_text(text)
        return variant.apply(variant.load(str(self.top / name)), self.read)

    def cocci(self, rules: str) -> variant.Changes:
        if not shutil.which("spatch"):
            self.skipTest("spatch is not installed")
        return self.apply("v.cocci", f"// File: mm/page_alloc.c\n\n{rules}")

    def refused(self, why: str, name: str, text: str) -> None:
        with self.assertRaisesRegex(GfpError, why):
            self.apply(name, text)

    def test_none(self) -> None:
        self.assertEqual(variant.apply(variant.load("none"), self.read), {})

    def test_cocci(self) -> None:
        changed = self.cocci(FOUND)
        self.assertEqual(list(changed), ["mm/page_alloc.c"])
        self.assertIn(b"return 0;", changed["mm/page_alloc.c"] or b"")

    def test_cocci_half_applied_names_the_rule(self) -> None:
        with self.assertRaisesRegex(GfpError, "does not apply: missing matched nothing"):
            self.cocci(FOUND + "\n" + MISSING)

    def test_cocci_alternatives(self) -> None:
        self.assertTrue(self.cocci(
            MISSING + "\n" + FOUND.replace("@found@", "@found depends on !missing@")))

    def test_cocci_nothing_matches(self) -> None:
        with self.assertRaisesRegex(GfpError, "missing matched nothing in mm/page_alloc.c"):
            self.cocci(MISSING)

    def test_cocci_syntax_error(self) -> None:
        with self.assertRaisesRegex(GfpError, "spatch failed"):
            self.cocci("@a@\n@@\n- (((\n")

    def test_cocci_without_files(self) -> None:
        self.refused("// File:", "v.cocci", FOUND)

    def test_cocci_missing_file(self) -> None:
        self.refused("has no mm/nothing.c", "v.cocci", "// File: mm/nothing.c\n" + FOUND)

    def test_patch(self) -> None:
        self.assertIn(b"return 0;", self.apply("v.patch", PATCH)["mm/page_alloc.c"] or b"")

    def test_patch_without_a_level(self) -> None:
        changed = self.apply("v.diff", PATCH.replace("a/mm", "mm").replace("b/mm", "mm"))
        self.assertEqual(list(changed), ["mm/page_alloc.c"])

    def test_patch_new_and_deleted_files(self) -> None:
        changed = self.apply("v.patch", "--- /dev/null\n+++ b/mm/new.c\n@@ -0,0 +1 @@\n+int n;\n"
                             "--- a/mm/Makefile\n+++ /dev/null\n@@ -1 +0,0 @@\n"
                             "-obj-y := page_alloc.o\n")
        self.assertEqual(changed, {"mm/new.c": b"int n;\n", "mm/Makefile": None})

    def test_patch_failed_hunk_is_named(self) -> None:
        self.refused("hunk 1 of mm/page_alloc.c failed at line 1", "v.patch",
                     PATCH.replace("return costly", "return other"))

    def test_patch_half_applied(self) -> None:
        self.refused("hunk 1 of mm/Makefile failed", "v.patch",
                     PATCH + "--- a/mm/Makefile\n+++ b/mm/Makefile\n@@ -1 +1 @@\n-x\n+y\n")

    def test_patch_already_applied(self) -> None:
        (self.top / "tree/mm/page_alloc.c").write_text(
            "int costly;\nint main(void)\n{\n\treturn 0;\n}\n")
        self.refused("has it already", "v.patch", PATCH)

    def test_patch_of_a_missing_file(self) -> None:
        self.refused("does not have|file to patch", "v.patch",
                     PATCH.replace("page_alloc", "nothing"))

    def test_patch_garbage(self) -> None:
        self.refused("is not a patch", "v.patch", "hello\n")

    def test_patch_outside_the_tree(self) -> None:
        self.refused("outside the kernel tree", "v.patch",
                     PATCH.replace("mm/page_alloc.c", "../../x.c"))

    def test_unknown_name(self) -> None:
        with self.assertRaisesRegex(GfpError, "unknown, there are none .*local-flag"):
            variant.load("nonsense")

    def test_missing_path(self) -> None:
        with self.assertRaisesRegex(GfpError, "no such file"):
            variant.load("/nowhere/x.patch")


class Repository(unittest.TestCase):
    """The variants and mutants that we keep."""

    def test_heads(self) -> None:
        for folder in variant.FOLDERS:
            for name in variant.known(folder):
                with self.subTest(name):
                    found = variant.load(name)
                    self.assertTrue(found.what)
                    self.assertTrue(found.files)
                    if found.base:
                        variant.load(found.base)

    def test_no_name_twice(self) -> None:
        names = [n for folder in variant.FOLDERS for n in variant.known(folder)]
        self.assertEqual(len(names), len(set(names)))
        self.assertNotIn("none", names)


if __name__ == "__main__":
    unittest.main()
