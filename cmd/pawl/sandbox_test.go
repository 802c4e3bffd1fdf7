package main

import (
	"context"
	"flag"
	"io"
	"os"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// hasSandbox reports whether this system allows a whole sandbox.
func hasSandbox() bool {
	s, err := gocmd.OpenSandbox(context.Background(), gocmd.SandboxConfig{Env: os.Environ()})
	if err != nil {
		return false
	}
	return s.Close() == nil
}

func TestSandboxFlag(t *testing.T) {
	for _, tt := range []struct {
		args    []string
		on, try bool
		bad     bool
	}{
		{args: nil},
		{args: []string{"-sandbox"}, on: true},
		{args: []string{"-sandbox=try"}, on: true, try: true},
		{args: []string{"-sandbox", "-sandbox=off"}},
		{args: []string{"-sandbox=perhaps"}, bad: true},
	} {
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		s := registerSandbox(fs)
		if err := fs.Parse(tt.args); (err != nil) != tt.bad {
			t.Errorf("%q: %v", tt.args, err)
			continue
		}
		if c := s.config(); (c != nil) != tt.on || c != nil && c.Partial != tt.try {
			t.Errorf("%q: %+v", tt.args, c)
		}
	}
}
