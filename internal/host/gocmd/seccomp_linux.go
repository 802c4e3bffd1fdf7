//go:build amd64 || arm64

package gocmd

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are system calls that reach around namespaces or landlock, or that
// have been ways into the kernel, and that tests have no use for.
var forbidden = []uint32{
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, // the user's keys
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, // other processes
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT,
	unix.SYS_MOUNT_SETATTR, unix.SYS_PIVOT_ROOT, unix.SYS_SETNS,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, // files by number, past all paths
	unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_PERF_EVENT_OPEN, unix.SYS_SYSLOG,
}

// absent are those that the kernel does not have, as programs are told that know
// how to do without.
var absent = []uint32{unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_CLONE3}

// families are those of sockets that namespaces or the file system keep apart:
// a socket of a virtual machine (AF_VSOCK), for one, leads out of any.
var families = []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}

// typing are the requests of ioctl that put characters into a terminal's input.
var typing = []uint32{unix.TIOCSTI, unix.TIOCLINUX}

// worlds are the flags of clone and unshare that make namespaces.
const worlds = unix.CLONE_NEWNS | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// labels are the calls that change extended attributes: landlock lets anybody
// change those of all files that are his. It is to be as if there were none.
var labels = []uint32{
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
	463, 466, // setxattrat and removexattrat
}

// privileges are the bits of a mode by which a program runs as its owner. Under
// landlock a test can change the mode of all files of its user, also of root.
const privileges = unix.S_ISUID | unix.S_ISGID

// Offsets in struct seccomp_data, of the lower half of arguments.
const (
	dataNumber = 0
	dataArch   = 4
	dataArg0   = 16
	dataArg1   = 24
	dataArg2   = 32
)

// A filter is a program for the kernel's packet filter, which decides on system
// calls.
type filter []unix.SockFilter

func (f *filter) load(offset uint32) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

func (f *filter) ret(action uint32) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action})
}

// test goes on with the next instruction where what was loaded compares with k,
// and skips n where not.
func (f *filter) test(compare uint16, k uint32, n int) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_JMP | compare | unix.BPF_K, K: k, Jf: uint8(n)})
}

// answer gives calls with these numbers, or what else was loaded, one answer.
func (f *filter) answer(all []uint32, action uint32) {
	for _, k := range all {
		f.test(unix.BPF_JEQ, k, 1)
		f.ret(action)
	}
}

// without refuses the call of this number where the argument at an offset has one
// of these bits, and allows it else.
func (f *filter) without(nr, offset, bits uint32) {
	f.test(unix.BPF_JEQ, nr, 4)
	f.load(offset)
	f.test(unix.BPF_JSET, bits, 1)
	f.ret(refuse(unix.EPERM))
	f.ret(unix.SECCOMP_RET_ALLOW)
}

func refuse(errno unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(errno) }

// rules returns the filter for programs of this architecture. What it does not
// look at is allowed, which the kernel finds out once for each call, so that a
// call costs what it costs without. In a part of a sandbox no mount is read-only,
// and more is refused.
func rules(whole bool) filter {
	const numbersOfX32 = 0x40000000 // another way to number the same calls
	noCall, denied := refuse(unix.ENOSYS), refuse(unix.EPERM)
	var f filter
	f.load(dataArch)
	f.test(unix.BPF_JEQ, auditArch, 2) // another architecture's calls end at the first answer
	f.load(dataNumber)
	f.test(unix.BPF_JGE, numbersOfX32, 1)
	f.ret(noCall)
	f.answer(forbidden, denied)
	f.answer(absent, noCall)
	for _, nr := range []uint32{unix.SYS_CLONE, unix.SYS_UNSHARE} {
		f.without(nr, dataArg0, worlds)
	}
	if !whole {
		f.answer(labels, refuse(unix.ENOTSUP))
		for nr, mode := range modeCalls {
			f.without(nr, mode, privileges)
		}
	}
	f.test(unix.BPF_JEQ, unix.SYS_IOCTL, 2+2*len(typing))
	f.load(dataArg1)
	f.answer(typing, denied)
	f.ret(unix.SECCOMP_RET_ALLOW)
	f.test(unix.BPF_JEQ, unix.SYS_SOCKET, 2+2*len(families))
	f.load(dataArg0)
	f.answer(families, unix.SECCOMP_RET_ALLOW)
	f.ret(refuse(unix.EAFNOSUPPORT))
	f.ret(unix.SECCOMP_RET_ALLOW)
	return f
}

// filterCalls puts this thread, and what it starts, under the rules. They are no
// reason for the kernel to switch off speculation, which would slow down what is
// measured.
func filterCalls(whole bool) error {
	f := rules(whole)
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return fmt.Errorf("filtering system calls: %w", errno)
	}
	return nil
}
