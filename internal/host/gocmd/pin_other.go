//go:build !linux

package gocmd

import (
	"errors"
	"os/exec"
)

func startOn(cmd *exec.Cmd, _ []int) error { return cmd.Start() }

func tie(*exec.Cmd) {}

// CanPin reports whether processes can be pinned to a core here.
func CanPin() bool { return false }

// Aside returns none: this system does not pin processes.
func Aside() []int { return nil }

// QuietCPU fails: this system does not pin processes.
func QuietCPU() (int, error) {
	return NoCPU, errors.New("this system does not pin processes to a core")
}
