//go:build unix

package gocmd

import (
	"os/exec"
	"syscall"
)

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
