//go:build !linux

package loadtest

import (
	"errors"
	"time"
)

var errNeedsLinux = errors.New("a comparison under load needs Linux: this system does not tell the CPU time of another process; compare benchmarks instead, or run it in a container")

func supported() error { return errNeedsLinux }

func cores() ([]int, error) { return nil, errNeedsLinux }

type member struct{}

type usage struct {
	cpu     time.Duration
	peak    int64
	members []member
}

func measure(int) (usage, error) { return usage{}, errNeedsLinux }

func killStrays(int, []member) {}
