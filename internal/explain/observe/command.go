package observe

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A CommandError is a command that cannot be run.
type CommandError struct{ msg string }

func (c *CommandError) Error() string { return c.msg }

// A Command is a program that was built elsewhere, about to be observed.
type Command struct {
	c    Config
	path string
	args []string
	info *buildinfo.BuildInfo // nil for what is not of Go
}

// NewCommand looks at the program of a command line, in PATH or by its path
// from Config.From. The error is a *CommandError.
func NewCommand(c Config, line []string) (*Command, error) {
	name := line[0]
	if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
		name = filepath.Join(c.From, name)
	}
	path, err := exec.LookPath(name)
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return nil, &CommandError{fmt.Sprintf("%s: no such program; after -- comes a command, or behind a main package its arguments", line[0])}
	case err != nil:
		return nil, &CommandError{fmt.Sprintf("%s cannot be run: %v", line[0], errors.Unwrap(err))}
	}
	k := &Command{c: c, path: path, args: line[1:]}
	if info, err := buildinfo.ReadFile(path); err == nil {
		k.info = info
	}
	return k, nil
}

// traced reports whether the program gets gctrace, and else why not.
func (k *Command) traced() (bool, *model.Warning) {
	switch {
	case k.info == nil:
		return false, &model.Warning{
			Seen:  fmt.Sprintf("%s does not say that it is a Go program: it was looked at from outside only", filepath.Base(k.path)),
			Cause: "it is a script or of another language, or was stripped of what go version -m shows",
			Try:   "name the Go program itself, where a script starts one",
		}
	case k.info.Path == "cmd/go":
		return false, &model.Warning{
			Seen:  "the go command runs without gctrace",
			Cause: "the compilers that it starts would inherit it, and the build cache keeps what they print",
			Try:   "the tool that is meant, by itself: go tool -n NAME says where it is",
		}
	}
	return true, nil
}

// Run runs the command until it ends by itself, or until the time is over.
// meanwhile, where it is not nil, is called once it has been started; the
// context that it gets ends with the command.
func (k *Command) Run(ctx context.Context, meanwhile func(context.Context)) (*Result, error) {
	r := &Result{Observed: model.Observed{Form: "command", Target: commandLine(filepath.Base(k.path), k.args)}}
	out := &gcFilter{to: k.c.Output}
	p := gocmd.Proc{Path: k.path, Args: k.args, Dir: k.c.From, Env: k.c.environment(), Stdin: k.c.Stdin, Stdout: k.c.Output, Stderr: k.c.Output}
	traced, warning := k.traced()
	if warning != nil {
		r.Warnings = append(r.Warnings, *warning)
	}
	if traced {
		if err := k.shield(&p); err != nil {
			return nil, err
		}
		p.Env, p.Stderr = withGCTrace(p.Env), out
	}
	k.c.say("running %s for %s at most; its output follows", r.Target, k.c.For)
	c, err := startChild(ctx, gocmd.NewMeter(time.Now()), p)
	if err != nil {
		return nil, err
	}
	seen := watchProcess(c.running.Pid())
	beside := c.beside(ctx, meanwhile)
	c.wait(ctx, k.c.For, func() bool { return false })
	<-beside // a profile that is being taken comes to its end
	r.Process = seen.end()
	c.into(&r.Observed, c.end(), ctx)
	k.c.say("%s", r.Ended)
	if traced {
		if err := out.end(); err != nil {
			return nil, fmt.Errorf("passing on what the program printed: %w", err)
		}
		r.GC = &out.sum
	}
	k.remarks(r)
	return r, nil
}

// beside runs f while the child does; the channel is closed when f has
// returned.
func (c *child) beside(ctx context.Context, f func(context.Context)) <-chan struct{} {
	done := make(chan struct{})
	if f == nil {
		close(done)
		return done
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		select {
		case <-c.done:
		case <-ctx.Done():
		}
	}()
	go func() {
		defer close(done)
		defer cancel()
		f(ctx)
	}()
	return done
}

// remarks says what could not be seen, and how to see more.
func (k *Command) remarks(r *Result) {
	if r.Process == nil {
		w := model.Warning{Seen: "nothing was seen of memory, threads and cores", Cause: "the command ended at once", Try: "one that has more to do"}
		if runtime.GOOS != "linux" {
			w.Cause, w.Try = "only Linux tells of other processes", "the package, or the URL of its profiles"
		}
		r.Warnings = append(r.Warnings, w)
	}
	if k.info != nil && strings.Contains(k.info.Path, ".") {
		r.Hint = fmt.Sprintf("where its source is at hand, pawl takes profiles too: pawl diagnose %s -- %s", k.info.Path, strings.Join(k.args, " "))
		r.Hint = strings.TrimSuffix(r.Hint, " -- ")
	}
}

// shield puts a go command first on the program's PATH that takes gctrace out
// of its environment again: many tools start the go command, and the build
// cache keeps what compilers print.
func (k *Command) shield(p *gocmd.Proc) error {
	real, err := exec.LookPath("go")
	if err != nil || runtime.GOOS == "windows" {
		return nil // there is none to be shielded, or no way
	}
	if real, err = filepath.Abs(real); err != nil {
		return nil
	}
	dir := filepath.Join(k.c.Scratch, "path")
	text := "#!/bin/sh\nunset GODEBUG\n"
	if v, ok := lookup(p.Env, "GODEBUG"); ok {
		text = "#!/bin/sh\nexport GODEBUG=" + words.Quote(v) + "\n"
	}
	text += "exec " + words.Quote(real) + ` "$@"` + "\n"
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "go"), []byte(text), 0o700)); err != nil {
		return fmt.Errorf("shielding the build cache from gctrace: %w", err)
	}
	path, _ := lookup(p.Env, "PATH")
	p.Env = append(p.Env, "PATH="+dir+string(filepath.ListSeparator)+path)
	return nil
}

// lookup returns the value of a variable; of several, the last counts.
func lookup(env []string, name string) (string, bool) {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v, true
		}
	}
	return "", false
}

// withGCTrace adds gctrace to what the user has in GODEBUG.
func withGCTrace(env []string) []string {
	value := "gctrace=1"
	if v, _ := lookup(env, "GODEBUG"); v != "" {
		value = v + ",gctrace=1"
	}
	return append(env, "GODEBUG="+value)
}
