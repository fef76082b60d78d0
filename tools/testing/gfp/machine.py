# SPDX-License-Identifier: GPL-2.0
"""The machines that a kernel can be judged on.

What is particular to a machine is a row here, and nowhere else: another one
is another row and its Kconfig fragment.
"""

from dataclasses import dataclass

from errors import GfpError


@dataclass(frozen=True)
class Smp:
    """Where a machine has more than one CPU only in newer kernels.

    @fragment: Kconfig fragment that turns SMP on
    @path, @text: it is for trees in which this file holds this text
    """

    fragment: str
    path: str
    text: bytes


@dataclass(frozen=True)
class Qemu:
    """How QEMU boots a machine.

    @program: the emulator
    @options: of the program, whatever accelerates it
    @arguments: of the guest's kernel, whatever it is booted for
    @after_tests: what the kernel is to do after built-in tests, so that QEMU exits
    @kvm_host: the host on which KVM can run this guest, as uname(2) names it
    @exact: more options, with which the guest's time is the number of its
            instructions, and nothing comes from the host that is not the same
            in each boot
    @exact_arguments: more arguments that this takes
    """

    program: str
    options: tuple[str, ...]
    arguments: tuple[str, ...]
    after_tests: str
    kvm_host: str
    exact: tuple[str, ...]
    exact_arguments: tuple[str, ...]


@dataclass(frozen=True)
class Machine:
    """What a kernel is built for and runs on.

    @arch: its name, as kunit.py and the kernel's make take it too
    @image: what is booted, in the build folder
    @kunitconfigs: what turns on the suites that this machine can show
    @fragments: Kconfig fragments in tools/testing/kunit/configs
    @modules: more of them, that count where they differ from the others, for
              suites that are modules
    @off: the command of busybox with which a guest's user space ends the guest
    @headers: headers that the build needs, apart from those of libc
    @mem_min: bytes of memory with which the guest gets as far as the tests
    @nodes: NUMA nodes that a guest is given, unless NODES says otherwise
    @node_mem_min: bytes of memory that each of several nodes needs: the watermarks of a
                   smaller one are closer together than what a write takes
    @nodes_argument: the argument that divides a guest into nodes; empty where none does
    @timeout: seconds that one boot may take, unless TIMEOUT says otherwise
    @silence: seconds without a line after which a guest hangs; the longest
              case takes less, also on a slow host
    @smp: as above; None where every kernel has SMP
    @qemu: as above; None where the image is a program itself
    """

    arch: str
    image: str
    fragments: tuple[str, ...]
    modules: tuple[str, ...]
    off: str
    kunitconfigs: tuple[str, ...] = ("mm/tests/.kunitconfig",)
    headers: tuple[str, ...] = ()
    mem_min: int = 64 << 20
    nodes: int = 1
    node_mem_min: int = 128 << 20
    nodes_argument: str = ""
    timeout: int = 600
    silence: int = 120
    smp: Smp | None = None
    qemu: Qemu | None = None

    @property
    def programs(self) -> tuple[str, ...]:
        """Programs that booting takes."""
        return (self.qemu.program,) if self.qemu else ()


UM = Machine(
    arch="um",
    image="linux",
    fragments=("gfp_um.config",),
    modules=("gfp_modules.config",),
    off="poweroff",
    smp=Smp("gfp_um_smp.config", "arch/um/Kconfig", b"config UML_SUBARCH_SUPPORTS_SMP"),
)

X86_64 = Machine(
    arch="x86_64",
    image="arch/x86/boot/bzImage",
    fragments=("gfp_x86_64.config",),
    modules=("gfp_modules.config", "gfp_modules_iomap.config"),
    off="reboot",
    kunitconfigs=("mm/tests/.kunitconfig", "fs/iomap/tests/.kunitconfig"),
    headers=("gelf.h",),
    # One that is brought into a state, and one that has room.
    nodes=2,
    nodes_argument="numa=fake",
    # The sweep of gfp_compaction takes minutes under TCG, its longest case one.
    timeout=1800,
    silence=300,
    qemu=Qemu(
        program="qemu-system-x86_64",
        # qboot does nothing but start the kernel.
        options=("-cpu", "qemu64", "-bios", "qboot.rom"),
        # With -no-reboot, QEMU exits where the guest reboots: after the tests, and
        # after a crash, which would else be taken for a hang.
        # A busy host does not deliver the ticks that the timer check waits for.
        arguments=("console=ttyS0", "no_timer_check", "oops=panic", "panic=-1"),
        after_tests="kunit_shutdown=reboot",
        kvm_host="x86_64",
        exact=("-icount", "shift=0,sleep=off", "-rtc", "base=2026-01-01,clock=vm", "-seed", "1"),
        # The kernel compares the timer of the local APIC with the PIT, for a fifth of
        # a second in loops of PAUSE, at each of which QEMU leaves the translated code
        # when it counts: 25 s.  Without ACPI there is no shorter way, but to use the PIT,
        # which then ticks for all CPUs at the same time.  So do other waits and checks
        # take long, for each CPU that comes up, that an emulated one has no need of.
        exact_arguments=("nokaslr", "nolapic_timer", "nohz=off", "cpu_init_udelay=0",
                         "tsc=reliable"),
    ),
)

MACHINES = {machine.arch: machine for machine in (UM, X86_64)}
LATER = ("arm64",)


def find(arch: str) -> Machine:
    """The machine that ARCH names."""
    names = " ".join(MACHINES)
    if arch in LATER:
        raise GfpError(f"ARCH={arch}: not supported yet, must be one of {names}")
    if arch not in MACHINES:
        raise GfpError(f"ARCH={arch}: unknown, must be one of {names}")
    return MACHINES[arch]
