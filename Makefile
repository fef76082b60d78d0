# SPDX-License-Identifier: GPL-2.0
# The verbs of gfp-kunit; `make help` lists them.

PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
GFP := $(PYTHON) tools/testing/gfp/gfp.py

# Variables given to make reach the tool through the environment.
export KDIR KERNEL VARIANT CONTRACT ARCH FILTER MEM CPUS NODES ACCEL OUT MAKE_OPTIONS KERNEL_ARGS \
	TIMEOUT JSON FORCE BENCH REPEAT BASE HEAD THRESHOLD MODULES ROUNDS MUTANTS \
	GENERATED SEED FULL

.PHONY: help run test bench compare scaling mutants install uninstall modules clean
.NOTPARALLEL:

help:
	@echo 'Verbs:'
	@echo '  make run                   judge a kernel; without KDIR and VARIANT show Linux 7.3'
	@echo '                             as it is beside the cure (variant local-flag)'
	@echo '  make test                  the proof of the project itself'
	@echo '  make bench                 time the fallback to single pages, stock beside the cure:'
	@echo '                             instructions, the same in each run'
	@echo '  make compare BASE=… HEAD=… the same on two kernels, each a tree, a series, a variant'
	@echo '                             or the folder of an earlier result: what differs'
	@echo '  make scaling               the same against CPUs, memory, fragmentation, tasks and'
	@echo '                             wanted order, as tables and plots'
	@echo '  make mutants               which rule notices which wrong kernel; a kernel that none'
	@echo '                             notices is an error'
	@echo '  make install KDIR=PATH     put the suites into a kernel tree, for its own kunit.py'
	@echo '  make uninstall KDIR=PATH   take them out again'
	@echo '  make modules KDIR=PATH     build the suites as modules for a kernel that has been built,'
	@echo '                             PATH being its build folder'
	@echo '  make clean                 remove results (build/); the cache stays'
	@echo
	@echo 'Variables:'
	@echo '  KDIR=PATH       kernel tree to judge, never written to   [fetch from Debian]'
	@echo '  KERNEL=7.3      series to fetch: 6.12, 7.2, 7.3          [7.3]'
	@echo '  VARIANT=NAME    none, a name in tools/testing/gfp/variants or mutants, or a path'
	@echo '                  to a .cocci or .patch; several are judged in turn  [none]'
	@echo '  CONTRACT=NAME   nodirect or documented                   [nodirect]'
	@echo '  FILTER=GLOB     KUnit filter, as in gfp_compaction.costly*'
	@echo '  ARCH=um         machine to run on: um, or x86_64 under QEMU  [um]'
	@echo '  ACCEL=NAME      what QEMU runs on: kvm or tcg            [kvm if it works]'
	@echo '  MEM=1G CPUS=1   memory (64M to 8G) and CPUs of the guest [1G, 1]'
	@echo '  NODES=2         NUMA nodes of an x86_64 guest            [2 from 256M on, bench 1]'
	@echo '  OUT=PATH        where results go                         [build/out]'
	@echo '  MAKE_OPTIONS=   for the kernel'"'"'s make, as in MAKE_OPTIONS=LLVM=1'
	@echo '  KERNEL_ARGS=    more of the guest'"'"'s command line,'
	@echo '                  as in KERNEL_ARGS=gfp_test_lib.fail_nth=7'
	@echo '  MODULES=1       of run: the suites as modules, loaded in the guest and unloaded again'
	@echo '  ROUNDS=1        so often; memory has to be back                 [1]'
	@echo '  BENCH=exact     of bench: exact counts instructions under QEMU, wall takes time  [exact]'
	@echo '  REPEAT=1        of bench: boots of each kernel; exact compares them byte by byte [1]'
	@echo '  THRESHOLD=0     of compare: per cent that a regression may have  [0]'
	@echo '  MUTANTS=NAMES   of mutants: which of tools/testing/gfp/mutants, or globs of them  [all]'
	@echo '  GENERATED=100   of mutants: so many generated ones instead, chosen by SEED=1'
	@echo '  FULL=1          of mutants: judge by all cells before one is a survivor  [0 if GENERATED]'
	@echo '  TIMEOUT=600     seconds that one boot may take           [600, x86_64 1800]'
	@echo '  JSON=1          print results as JSON instead of tables'
	@echo
	@echo 'Exit status of run: 0 all rules kept, 1 a rule broken, 2 could not judge.'

install uninstall modules:
	@$(GFP) $@

JUDGING := run test bench compare scaling mutants

# A recipe that fails makes make(1) exit with 2, whatever its own status was,
# but 1 must mean "a rule is broken".  make exits with 1 only under -q, when
# something would be left to do: so run under -q, where lines marked + are run
# all the same, and leave something to do when the tool says 1.
ifneq ($(filter $(JUDGING),$(MAKECMDGOALS)),)
MAKEFLAGS += -q
STATUS := $(shell mktemp -u)
endif

$(JUDGING): %: judge-%
	$(if $(filter 1,$(shell cat $(STATUS) && rm -f $(STATUS))),a rule is broken)

.PHONY: $(JUDGING:%=judge-%)
$(JUDGING:%=judge-%): judge-%:
	+@$(GFP) $*; status=$$?; [ $$status -le 1 ] || exit $$status; set -C; echo $$status >$(STATUS)

clean:
	+rm -rf build
