//go:build unix

package gocmd

import (
	"os/exec"
	"syscall"
	"time"
)

// Owned reports whether a file is this user's.
func Owned(name string) bool {
	var st syscall.Stat_t
	return syscall.Stat(name, &st) == nil && int(st.Uid) == syscall.Geteuid()
}

// nonblock, of os.OpenFile, opens a pipe that nobody has the other end of.
const nonblock = syscall.O_NONBLOCK

// ownGroup makes cmd the leader of a process group, and its cancellation the
// end of the whole group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup ends what is left of cmd's group. The group's number stays taken
// while any member lives, so it cannot hit a stranger; with no member left the
// call fails, and that is the usual case.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// ChildCPU returns the CPU time of all processes that this one has started and
// waited for, and of theirs.
func ChildCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano()+u.Stime.Nano()) + cpuInside()
}

// putLast lets all others go first. The first threads of the group start nothing so soon
// that it would miss any: what they start inherits it.
func putLast(group int) { _ = syscall.Setpriority(syscall.PRIO_PGRP, group, 19) }

// terminateGroup asks all of cmd's group to end.
func terminateGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
