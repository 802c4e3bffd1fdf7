package gocmd

import "golang.org/x/sys/unix"

// auditArch is how the kernel names this architecture to a filter.
const auditArch = unix.AUDIT_ARCH_AARCH64

// modeCalls are the calls that change the mode of a file, with where that is.
var modeCalls = map[uint32]uint32{unix.SYS_FCHMOD: dataArg1, unix.SYS_FCHMODAT: dataArg2, unix.SYS_FCHMODAT2: dataArg2}
