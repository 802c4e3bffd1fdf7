//go:build !unix

package gocmd

import (
	"os/exec"
	"time"
)

// Owned cannot tell.
func Owned(string) bool { return true }

const nonblock = 0

func putLast(int)         {}
func ownGroup(*exec.Cmd)  {}
func killGroup(*exec.Cmd) {}

// ChildCPU returns the CPU time of all processes that this one has started and
// waited for; 0 where the system does not tell.
func ChildCPU() time.Duration { return 0 }

func terminateGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
