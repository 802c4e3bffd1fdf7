package gocmd

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A SandboxConfig says what the processes in a sandbox may touch.
type SandboxConfig struct {
	// Partial accepts less than a whole sandbox, or none, where the system does
	// not allow one; Warnings then say what is missing. Without it OpenSandbox
	// fails.
	Partial bool

	Writable []string // directories that can be written, each a mount point of its own; they exist
	Output   string   // one more, in which processes leave files for pawl: see Meter.Outbox; "" for none
	Readable []string // files and directories that are seen although they lie in a hidden place
	Hidden   []string // files and directories where nothing is seen but what is named above
	// Cache is the build cache, for a sandbox in which the go command runs.
	// Without it a process finds an empty one.
	Cache  string
	Env    []string // the caller's environment, for HOME, TMPDIR and PATH
	Limits Limits   // zero fields take the defaults
	// Self is the command line, name of the program first, by which this very
	// binary calls RunCell. Without it, that is the program's name and cellArg.
	Self []string

	partly bool // as if the system had no namespaces, for tests
}

// Limits are what a sandboxed process and all that it starts may use.
type Limits struct {
	Memory    int64         // bytes resident, of all of them together, looked at four times a second; three quarters of the machine
	Processes int           // of all of them together, looked at as often; 1,024
	Threads   int           // of all of them together; 8,192. The kernel does not hold root to it
	CPU       time.Duration // of each process, looked at as often; two hours
	File      int64         // bytes of the largest file; 8 GiB
	Files     int           // open in each process; 65,536, or what the user may have
}

func (l Limits) orDefault(memory int64) Limits {
	return Limits{
		Memory: cmp.Or(max(l.Memory, 0), memory/4*3), Processes: cmp.Or(max(l.Processes, 0), 1024), Threads: cmp.Or(max(l.Threads, 0), 8192),
		CPU: cmp.Or(max(l.CPU, 0), 2*time.Hour), File: cmp.Or(max(l.File, 0), 8<<30), Files: cmp.Or(max(l.Files, 0), 1<<16),
	}
}

// A NoSandboxError says why there is no sandbox, or only part of one.
type NoSandboxError struct {
	Why string // the system's reason
	Try string // what would allow one
}

func (e *NoSandboxError) Error() string {
	s := "this system allows no sandbox: " + e.Why
	if e.Try != "" {
		s += "; " + e.Try
	}
	return s + "; -sandbox=try goes on with what there is"
}

// without is the warning of a run that goes on with no sandbox at all.
func (e *NoSandboxError) without() model.Warning {
	return model.Warning{
		Seen:  "tests and benchmarks run without a sandbox: with the network, with all that you may write, and with no limits",
		Cause: e.Why,
		Try:   e.Try,
	}
}

// cellArg is the only argument of a program that is to call RunCell.
const cellArg = "__sandbox_cell"

// IsCell reports whether a program that was started with args, its name first,
// is to call RunCell and nothing else.
func IsCell(args []string) bool { return len(args) == 2 && args[1] == cellArg }

// toolArg is the first argument of a program that is to call RunTool.
const toolArg = "__sandbox_tool"

// IsTool reports whether a program that was started with args, its name first,
// is to call RunTool and nothing else.
func IsTool(args []string) bool { return len(args) > 2 && args[1] == toolArg }

// tempOf returns the directory for temporary files that env names.
func tempOf(env []string) string {
	if t := Getenv(env, "TMPDIR"); filepath.IsAbs(t) {
		return t
	}
	return "/tmp"
}

// RemoveAll removes a directory with all that is in it, also where a process has
// taken its own rights from it. Links are not followed.
func RemoveAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
			if err != nil {
				return nil // the walk goes on beside it; the next attempt sees the inside
			}
		}
		return nil
	})
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("removing temporary files: %w", err)
	}
	return nil
}
