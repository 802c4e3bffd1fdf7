package gocmd

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A SandboxConfig says what the processes in a sandbox may touch.
type SandboxConfig struct {
	// Partial accepts less than a whole sandbox, or none, where the system does
	// not allow one; Warnings then say what is missing. Without it OpenSandbox
	// fails.
	Partial bool

	Writable []string // folders that stay writable; they exist
	Readable []string // files and folders that are seen although they lie in a hidden place
	Env      []string // the caller's environment, for HOME, TMPDIR and PATH
	Limits   Limits   // zero fields take the defaults
	// Self is the command line, name of the program first, by which this very
	// binary calls RunCell. Without it, that is the program's name and CellArg.
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
	d := Limits{Memory: memory / 4 * 3, Processes: 1024, Threads: 8192, CPU: 2 * time.Hour, File: 8 << 30, Files: 1 << 16}
	if l.Memory > 0 {
		d.Memory = l.Memory
	}
	if l.Processes > 0 {
		d.Processes = l.Processes
	}
	if l.Threads > 0 {
		d.Threads = l.Threads
	}
	if l.CPU > 0 {
		d.CPU = l.CPU
	}
	if l.File > 0 {
		d.File = l.File
	}
	if l.Files > 0 {
		d.Files = l.Files
	}
	return d
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

// CellArg is the only argument of a program that is to call RunCell.
const CellArg = "__sandbox_cell"

// IsCell reports whether a program that was started with args, its name first,
// is to call RunCell and nothing else.
func IsCell(args []string) bool { return len(args) == 2 && args[1] == CellArg }

// secretWords are parts of the names of variables that hold secrets.
var secretWords = []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY"}

// secretVars are variables that lead to something that holds secrets.
var secretVars = []string{"SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "KUBECONFIG", "NETRC", "XAUTHORITY", "XDG_RUNTIME_DIR"}

// insideEnv returns the environment of a sandboxed process: without what is
// secret by its name, and with a build cache of its own, since the user's can
// only be read there.
func insideEnv(env []string, extra ...string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		k, _, _ := strings.Cut(kv, "=")
		up := strings.ToUpper(k)
		return slices.Contains(secretVars, k) || slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(up, w) })
	})
	for _, kv := range extra {
		k, v, _ := strings.Cut(kv, "=")
		out = setenv(out, k, v)
	}
	return out
}

// tempOf returns the folder for temporary files that env names.
func tempOf(env []string) string {
	if t := getenv(env, "TMPDIR"); filepath.IsAbs(t) {
		return t
	}
	return "/tmp"
}

// removeAll removes a folder with all that is in it, also where a process has
// taken its own rights from it. Links are not followed.
func removeAll(dir string) error {
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
