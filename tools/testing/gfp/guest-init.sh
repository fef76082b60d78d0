#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The user space of a guest whose suites are modules: load them, which runs them,
# unload them, and say what memory is left, as often as we are told to.
#
# /modules/order lists them, each after those that it needs.  /settings is written by
# initramfs.py: ROUNDS; FIRST and LATER, the parameters of gfp_test_lib in the first
# round and in the others; OFF, the command that ends the guest.

busybox=/bin/busybox

say() {
	echo "gfp-guest: $*" >/dev/kmsg
}

off() {
	$busybox "$OFF" -f
}

fail() {
	say "failed: $*"
	off
}

load() {
	while read -r file; do
		case $file in
		gfp_test_lib.ko) given=$1 ;;
		*) given= ;;
		esac
		# shellcheck disable=SC2086
		$busybox insmod "/modules/$file" $given || fail "cannot load $file"
		loaded="${file%.ko} $loaded"
	done </modules/order
}

unload() {
	for module in $loaded; do
		$busybox rmmod "$module" || fail "cannot unload $module"
	done
	loaded=
}

# What is free, on the per-CPU lists too, and where the rest may be.
memory() {
	echo 3 >/proc/sys/vm/drop_caches
	$busybox cat /proc/sys/vm/stat_refresh
	# shellcheck disable=SC2016
	$busybox awk '
		$1 == "nr_free_pages" || $1 == "count:" { free += $2 }
		$1 == "Slab:" { slab = $2 }
		$1 == "KernelStack:" { stacks = $2 }
		$1 == "PageTables:" { tables = $2 }
		$1 == "Percpu:" { percpu = $2 }
		FILENAME == "/proc/modules" { modules++ }
		END {
			printf "free_pages=%d slab_kib=%d kernel_stack_kib=%d ", free, slab, stacks
			printf "page_table_kib=%d percpu_kib=%d modules=%d\n", tables, percpu, modules
		}' /proc/zoneinfo /proc/meminfo /proc/modules
}

# Wait until it stands still.
settled_memory() {
	last=
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		now=$(memory)
		[ "$now" = "$last" ] && break
		last=$now
		$busybox sleep 0.2
	done
	echo "$now"
}

# shellcheck source=/dev/null
. /settings
$busybox mount -t proc proc /proc
echo 4 >/proc/sys/vm/drop_caches	# and do not log that

loaded=
round=1
parameters=$FIRST
while [ "$round" -le "$ROUNDS" ]; do
	say "round $round begins"
	load "$parameters"
	unload
	say "round $round ended: $(settled_memory)"
	parameters=$LATER
	round=$((round + 1))
done
off
