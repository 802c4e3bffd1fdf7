package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// A sandbox is this very program, started by pawl with an argument that is none
// of the command line: it confines itself and then starts what pawl asks it to.
// It comes before main, so that a cell does nothing that a verb does.
func init() {
	gocmd.SealDescriptors() // what is open now is no child's business
	if gocmd.IsCell(os.Args) {
		gocmd.RunCell()
	}
	if gocmd.IsTool(os.Args) {
		gocmd.RunTool()
	}
}

// A sandboxing is the value of -sandbox: off, on, or as much as there is. Where it
// is not given it is off, but for what runs code of others.
type sandboxing string

const (
	sandboxNone sandboxing = "" // not given
	sandboxOff  sandboxing = "off"
	sandboxOn   sandboxing = "on"
	sandboxTry  sandboxing = "try"
)

func registerSandbox(fs *flag.FlagSet) *sandboxing {
	s := new(sandboxing)
	fs.Var(s, "sandbox", "run tests and benchmarks without network, with only the copy writable, and with limits;\nfail where the system allows no sandbox, with -sandbox=try go on with a warning (docs/sandbox.md)")
	return s
}

// noLoad is the error where a program is to be put under load.
func (s *sandboxing) noLoad() error {
	return usageError("-sandbox and -load do not go together: in a sandbox, the programs and the load command would each have a network of its own")
}

func (s *sandboxing) String() string { return string(*s) }

// IsBoolFlag lets the flag stand without a value.
func (s *sandboxing) IsBoolFlag() bool { return true }

func (s *sandboxing) Set(v string) error {
	switch v {
	case "true", "on":
		*s = sandboxOn
	case "false", "off":
		*s = sandboxOff
	case "try":
		*s = sandboxTry
	default:
		return fmt.Errorf("%q is none of on, off, try", v)
	}
	return nil
}

// config says what the sandbox is to be; nil for none. What stays writable is
// for those to add who know where the copy is.
func (s *sandboxing) config() *gocmd.SandboxConfig {
	if *s == sandboxNone || *s == sandboxOff {
		return nil
	}
	return &gocmd.SandboxConfig{Partial: *s == sandboxTry}
}
