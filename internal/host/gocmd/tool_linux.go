package gocmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/words"
)

// Variables that tell RunTool what to hide.
const (
	toolHidden = "PAWL_TOOL_HIDDEN"
	toolShown  = "PAWL_TOOL_SHOWN"
)

// LoaderEnv returns the environment for a library that starts the go command by
// itself, to load packages. Where builds are confined, the compilers that it
// starts read nothing that a sandbox hides: a C compiler or an assembler would
// put it into a package, or into an error.
func (g *Go) LoaderEnv() []string {
	if g.Meter == nil || !g.Meter.builds.confines() {
		return g.listEnv()
	}
	env, err := g.confinedTools(g.Meter.builds)
	if err != nil {
		return setenv(g.listEnv(), "CGO_ENABLED", "0") // no compiler but Go's own
	}
	return env
}

// confinedTools puts programs of the names of compilers first on the PATH, which
// start the real ones by way of RunTool, and has the go command start its own
// tools like that. Neither changes what a build is known by in the cache.
func (g *Go) confinedTools(box *Sandbox) ([]string, error) {
	if _, err := landlockVersion(); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(g.state, "tools")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for _, key := range []string{"CC", "CXX", "FC", "PKG_CONFIG"} {
		fields, err := SplitFlags(g.Vars[key])
		if err != nil || len(fields) == 0 {
			continue
		}
		real, err := exec.LookPath(fields[0])
		if err != nil {
			continue
		}
		if filepath.Base(fields[0]) != fields[0] {
			return nil, fmt.Errorf("%s names a program by its path", key)
		}
		text := fmt.Sprintf("#!/bin/sh\nexec %s %s %s \"$@\"\n", words.Quote(self), toolArg, words.Quote(real))
		if err := os.WriteFile(filepath.Join(dir, fields[0]), []byte(text), 0o700); err != nil {
			return nil, err
		}
	}
	flags, err := SplitFlags(Getenv(g.env, "GOFLAGS"))
	if err != nil {
		return nil, err
	}
	if g.Flag("toolexec") == "" {
		flags = append(flags, "-toolexec="+self+" "+toolArg)
	}
	shown := slices.Concat(box.config.Readable, box.config.Writable, []string{box.config.Cache, g.Vars["GOROOT"], tempOf(box.config.Env), filepath.Dir(self)})
	hidden := slices.DeleteFunc(slices.Clone(box.hidden), func(h string) bool { return slices.Contains(shown, h) })
	temp := filepath.Join(g.state, "tmp") // what a compiler makes beside something hidden it could not read
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return nil, err
	}
	env := setenv(setenv(g.listEnv(), "TMPDIR", temp), "GOTMPDIR", temp)
	env = setenv(env, "GOFLAGS", JoinFlags(flags))
	env = setenv(env, "PATH", dir+string(filepath.ListSeparator)+Getenv(env, "PATH"))
	return append(env, toolHidden+"="+strings.Join(hidden, "\n"), toolShown+"="+strings.Join(shown, "\n")), nil
}

// RunTool takes from this process the right to read what is hidden, and becomes
// the program that its arguments name. It is to be called when IsTool says so,
// and does not return.
func RunTool() {
	var err error
	if hidden := os.Getenv(toolHidden); hidden != "" { // else a tool that is confined already has started another
		err = errors.Join(hideFiles(strings.Split(hidden, "\n"), strings.Split(os.Getenv(toolShown), "\n")), os.Unsetenv(toolHidden))
	}
	if err == nil {
		args := os.Args[2:]
		path := args[0]
		if path, err = exec.LookPath(path); err == nil {
			err = syscall.Exec(path, args, os.Environ())
		}
	}
	fmt.Fprintln(os.Stderr, "pawl: starting a compiler:", err)
	os.Exit(1)
}

func hideFiles(hidden, shown []string) error {
	runtime.LockOSThread() // exec is of this thread
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: landlockReads}
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(uint64(0)), 0)
	if errno != 0 {
		return fmt.Errorf("making a landlock domain: %w", errno)
	}
	if err := permitReads(int(set), shown, hidden); err != nil {
		return err
	}
	return enter(int(set))
}
