//go:build !linux

package gocmd

import (
	"context"
	"runtime"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Sandbox is where processes run that nobody vouches for.
type Sandbox struct{ warning model.Warning }

// OpenSandbox fails, or with Partial returns a Sandbox that confines nothing:
// there is a sandbox on Linux only.
func OpenSandbox(_ context.Context, c SandboxConfig) (*Sandbox, error) {
	none := &NoSandboxError{Why: "there is one on Linux only, and this is " + runtime.GOOS, Try: "run pawl in a container or a virtual machine"}
	if !c.Partial {
		return nil, none
	}
	return &Sandbox{warning: none.without()}, nil
}

// Warnings says what the sandbox does not do.
func (s *Sandbox) Warnings() []model.Warning { return []model.Warning{s.warning} }

func (s *Sandbox) Close() error { return nil }

func (s *Sandbox) start(context.Context, Proc, *Running) error { panic("there is no sandbox here") }

func (s *Sandbox) confines() bool { return false }

func (s *Sandbox) Hide(...string) {}

func (s *Sandbox) Show(...string) {}

func (m *Meter) outputs() string { return "" }

// SealDescriptors does nothing: descriptors are inherited only where they are handed on.
func SealDescriptors() {}

func cpuInside() time.Duration { return 0 }

type stay struct{}

func (*stay) pid() int                    { return 0 }
func (*stay) terminate()                  {}
func (*stay) wait(*Running) (Exit, error) { return Exit{Code: -1}, nil }

// LoaderEnv returns the environment for a library that starts the go command.
func (g *Go) LoaderEnv() []string { return g.listEnv() }

// RunTool does nothing: no tool is ever started here.
func RunTool() {}

// RunCell does nothing: no cell is ever started here.
func RunCell() {}
