package gocmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

// A Go is the go command of one module.
type Go struct {
	Dir     string            // where it runs: the module's directory in the snapshot
	Version string            // "go1.26.8"
	Vars    map[string]string // what go env says
	Meter   *Meter
	state   string // directory for links and overlay files
	bin     string
	env     []string
	overlay string            // file, for builds that are measured
	replace map[string]string // the user's own overlay
	restore func(context.Context) error

	restoring sync.Mutex // held while restore runs
}

// A Config says which go command to use, and where.
type Config struct {
	Dir    string   // the module's directory in the snapshot
	Env    []string // the caller's environment
	GOWORK string   // "off", or the absolute path of a go.work file
	State  string   // a directory outside the module cache for links and overlay files
	Meter  *Meter

	// Restore is called before the go command runs when programs of the module
	// have run since: they may have changed its files. It may be nil.
	Restore func(context.Context) error
}

// An Error is a go command that did not succeed.
type Error struct {
	Args   []string
	Code   int
	Output string // what it said on stderr, or on stdout where that was empty
}

func (e *Error) Error() string {
	s := fmt.Sprintf("go %s: exit status %d\n%s", strings.Join(e.Args, " "), e.Code, strings.TrimSpace(e.Output))
	if strings.Contains(e.Output, "go: creating work dir: ") {
		s += "\n" + tempAdvice
	}
	return s
}

// tempAdvice is the next step where a temporary directory cannot be made.
const tempAdvice = "set TMPDIR to a directory that exists and can be written, and GOTMPDIR to none"

var errNoGo = errors.New("the go command is not on PATH; install Go from https://go.dev/dl and try again")

// New finds the module's toolchain and pins the environment.
func New(ctx context.Context, c Config) (*Go, error) {
	bin, err := exec.LookPath("go")
	if err != nil {
		return nil, errNoGo
	}
	g := &Go{Dir: c.Dir, Meter: c.Meter, state: c.State, bin: bin, restore: c.Restore, env: pinned(c.Env, c.Dir, c.GOWORK)}
	vars, err := g.query(ctx)
	if err != nil {
		return nil, err
	}
	g.Vars, g.Version = vars, vars["GOVERSION"]
	if gorelease.TooOld(g.Version) {
		return nil, fmt.Errorf("the module selects %s, and pawl needs %s or newer; raise the toolchain, or set GOTOOLCHAIN=%[2]s.0+auto", g.Version, gorelease.Oldest())
	}
	if err := os.MkdirAll(c.State, 0o700); err != nil {
		return nil, fmt.Errorf("making a directory for overlays: %w", err)
	}
	if err := g.adoptToolchain(); err != nil {
		return nil, err
	}
	return g, g.adoptFlags(c.Dir)
}

var errBare = errors.New("there is no module to run the go command in: only binaries that are there already can be run")

// Bare returns a Go without a module and without a go command, for binaries
// that were built elsewhere: it holds the environment that they run in, and
// the meter. Run fails. The system and the architecture in Vars are those of
// this program.
func Bare(env []string, m *Meter) *Go {
	g := &Go{Meter: m, env: cleared(env), Vars: map[string]string{"GOOS": runtime.GOOS, "GOARCH": runtime.GOARCH}}
	if v := Getenv(env, "GOWORK"); v != "" {
		g.env = append(g.env, "GOWORK="+v)
	}
	return g
}

// pinned returns env with what would let a copy of the module behave in
// another way than the module itself taken out.
func pinned(env []string, dir, gowork string) []string {
	return append(cleared(env), "GOWORK="+gowork, "PWD="+dir)
}

// cleared returns env without what must not reach the processes that are run.
func cleared(env []string) []string {
	drop := func(kv string) bool {
		k, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(k, "GIT_") || strings.HasPrefix(k, "PAWL_") || k == "GOWORK" || k == "PWD" || k == "OLDPWD"
	}
	return slices.DeleteFunc(slices.Clone(env), drop)
}

func (g *Go) query(ctx context.Context) (map[string]string, error) {
	e, err := g.Run(ctx, Build, "env", "-json")
	if err != nil {
		return nil, err
	}
	vars := make(map[string]string)
	if err := json.Unmarshal(e.Stdout, &vars); err != nil {
		return nil, fmt.Errorf("reading the output of go env: %w", err)
	}
	return vars, nil
}

// adoptToolchain switches to the selected toolchain's own go command.
func (g *Go) adoptToolchain() error {
	root, cache := g.Vars["GOROOT"], g.Vars["GOMODCACHE"]
	if rel, err := filepath.Rel(cache, root); err == nil && filepath.IsLocal(rel) {
		link := filepath.Join(g.state, "goroot-"+g.Version)
		if at, _ := os.Readlink(link); at != root {
			_ = os.Remove(link)
			if err := os.Symlink(root, link); err != nil {
				return fmt.Errorf("linking to the toolchain in the module cache: %w", err)
			}
		}
		root = link
		g.Vars["GOROOT"] = link
	}
	if bin := filepath.Join(root, "bin", "go"+g.Vars["GOEXE"]); IsFile(bin) {
		g.bin = bin
		g.env = setenv(g.env, "GOROOT", root)
		g.env = setenv(g.env, "PATH", filepath.Join(root, "bin")+string(filepath.ListSeparator)+Getenv(g.env, "PATH"))
		g.env = setenv(g.env, "GOTOOLCHAIN", "local")
	}
	return nil
}

// adoptFlags takes an -overlay out of the user's GOFLAGS and remembers what
// it replaces, and gives -buildvcs its one value.
func (g *Go) adoptFlags(dir string) error {
	flags, err := SplitFlags(g.Vars["GOFLAGS"])
	if err != nil {
		return fmt.Errorf("reading GOFLAGS: %w", err)
	}
	var rest []string
	for _, f := range flags {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if name == "buildvcs" {
			continue
		}
		if name != "overlay" {
			rest = append(rest, f)
			continue
		}
		if g.replace, err = readOverlay(value, dir); err != nil {
			return fmt.Errorf("reading the -overlay of GOFLAGS: %w", err)
		}
	}
	g.Meter.show(rest, slices.Collect(maps.Values(g.replace)))
	rest = append(rest, "-buildvcs=false") // the copy is no repository
	g.env = setenv(g.env, "GOFLAGS", JoinFlags(rest))
	return nil
}

// Env returns the pinned environment, with extra settings at its end.
func (g *Go) Env(extra ...string) []string { return append(slices.Clone(g.env), extra...) }

// listEnv returns the pinned environment for a go command that is looked up on
// this program's own PATH, as go/packages does. It may be of another release
// than the module's toolchain, and then selects that one by its version: with
// GOROOT alone it would run the compiler of one release for the go command of
// another.
func (g *Go) listEnv() []string {
	env := slices.Clone(g.env)
	if at, err := exec.LookPath("go"); err != nil || sameFile(at, g.bin) || !version.IsValid(g.Version) {
		return env
	}
	env = slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "GOROOT=") })
	return setenv(env, "GOTOOLCHAIN", g.Version)
}

// Flag returns the value of a build flag in the user's GOFLAGS; of several, the
// last counts, as for the go command.
func (g *Go) Flag(name string) string {
	flags, _ := SplitFlags(Getenv(g.env, "GOFLAGS"))
	for _, f := range slices.Backward(flags) {
		if n, v, _ := strings.Cut(strings.TrimLeft(f, "-"), "="); n == name {
			return v
		}
	}
	return ""
}

// Run runs the go command. An exit code other than zero is an *Error.
func (g *Go) Run(ctx context.Context, kind Kind, args ...string) (Exit, error) {
	return g.run(ctx, kind, g.env, args...)
}

func (g *Go) run(ctx context.Context, kind Kind, env []string, args ...string) (Exit, error) {
	if g.bin == "" {
		return Exit{Code: -1}, errBare
	}
	if err := g.putBack(ctx); err != nil {
		return Exit{Code: -1}, err
	}
	args, err := layered(ctx, g.Dir, args)
	if err != nil {
		return Exit{Code: -1}, err
	}
	p := Proc{Path: g.bin, Args: args, Dir: g.Dir, Env: g.tidy(env), CPU: NoCPU, Among: coresOf(ctx), Kind: kind, trusted: true, online: downloads(args)}
	e, err := g.Meter.Run(ctx, p)
	if err == nil && g.Meter.box(p) != nil && lacks(e) {
		if err = g.download(ctx, p); err == nil {
			e, err = g.Meter.Run(ctx, p)
		}
	}
	if err != nil {
		return e, err
	}
	if e.Code != 0 {
		out := e.Stderr
		if len(bytes.TrimSpace(out)) == 0 {
			out = e.Stdout
		}
		return e, &Error{Args: args, Code: e.Code, Output: string(out)}
	}
	return e, nil
}

// RunAway is Run in a directory of its own, for packages of the standard library. The
// tree is not looked at, nor put back before, so that it may run beside what is measured.
// On some cores only, it leaves these to others first.
func (g *Go) RunAway(ctx context.Context, dir string, args ...string) error {
	env := g.Env("GOFLAGS=", "GOWORK=off") // of two, the last counts
	e, err := g.Meter.Run(ctx, Proc{Path: g.bin, Args: args, Dir: dir, Env: g.tidy(env), CPU: NoCPU, Among: coresOf(ctx), Last: len(coresOf(ctx)) > 0, Kind: Build, trusted: true})
	if err == nil && e.Code != 0 {
		return &Error{Args: args, Code: e.Code, Output: string(e.Stderr)}
	}
	return err
}

type coresKey struct{}

// OnCores returns a context in which go commands run on some cores only, as they
// have to beside a measurement.
func OnCores(ctx context.Context, cores []int) context.Context {
	return context.WithValue(ctx, coresKey{}, cores)
}

func coresOf(ctx context.Context) []int {
	cores, _ := ctx.Value(coresKey{}).([]int)
	return cores
}

// PutBack restores at once what programs of the module may have changed. The next go
// command would do it.
func (g *Go) PutBack(ctx context.Context) error { return g.putBack(ctx) }

// putBack restores what programs of the module may have changed. Of two go
// commands that start at a time the second waits for it, too.
func (g *Go) putBack(ctx context.Context) error {
	if g.restore == nil {
		return nil
	}
	g.restoring.Lock()
	defer g.restoring.Unlock()
	if !g.Meter.swapRan(false) {
		return nil
	}
	err := g.restore(ctx)
	if err != nil {
		g.Meter.swapRan(true)
	}
	return err
}

// downloads reports whether a go command reads names and versions only: it may
// have to download modules, and compiles and starts nothing. Whatever else it is
// told to do, it does in the sandbox for builds, which has no network.
func downloads(args []string) bool {
	switch args[0] {
	case "env", "version", "mod":
		return true
	case "list":
		return !slices.ContainsFunc(args, func(a string) bool {
			name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
			return strings.HasPrefix(a, "-") && (name == "export" || name == "compiled" || name == "toolexec")
		})
	}
	return false
}

// lacks reports whether a go command without network failed for want of a
// module that has not been downloaded.
func lacks(e Exit) bool {
	return slices.ContainsFunc([][]byte{e.Stdout, e.Stderr}, func(out []byte) bool {
		return bytes.Contains(out, []byte("module lookup disabled by GOPROXY=off"))
	})
}

// download has all modules downloaded that the packages of p's command line,
// their tests and what these import come from. What else stands there, the
// values of flags, names no package, and -e passes over it.
func (g *Go) download(ctx context.Context, p Proc) error {
	args := []string{"list", "-e", "-deps", "-test"}
	for _, a := range p.Args[1:] {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !strings.HasPrefix(a, "-") || slices.Contains([]string{"mod", "modfile", "overlay", "tags", "race"}, name) {
			args = append(args, a)
		}
	}
	p.Args, p.online = args, true
	_, err := g.Meter.Run(ctx, p)
	return err
}

// tidy returns env with the working directories of builds below the state directory,
// unless the user has them elsewhere: a go command that is killed leaves its
// own, and the state directory goes with the run.
func (g *Go) tidy(env []string) []string {
	if Getenv(env, "GOTMPDIR") != "" || !filepath.IsAbs(g.state) {
		return env
	}
	dir := filepath.Join(g.state, "tmp")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return env
	}
	return append(slices.Clip(env), "GOTMPDIR="+dir)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, also := os.Stat(b)
	return err == nil && also == nil && os.SameFile(x, y)
}

// IsFile reports whether a regular file is there.
func IsFile(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.Mode().IsRegular()
}

func setenv(env []string, key, value string) []string {
	env = slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, key+"=") })
	return append(env, key+"="+value)
}

// Getenv returns the last value of a variable.
func Getenv(env []string, key string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			return v
		}
	}
	return ""
}

// Query asks the go command, as the user has it, for one of its variables: in
// the user's own directory, before there is a Go to ask.
func Query(ctx context.Context, dir string, env []string, name string) (string, error) {
	bin, err := exec.LookPath("go")
	if err != nil {
		return "", errNoGo
	}
	var m *Meter
	e, err := m.Run(ctx, Proc{Path: bin, Args: []string{"env", name}, Dir: dir, Env: env, CPU: NoCPU, trusted: true})
	if err != nil {
		return "", err
	}
	if e.Code != 0 {
		return "", &Error{Args: []string{"env", name}, Code: e.Code, Output: string(e.Stderr)}
	}
	return strings.TrimSpace(string(e.Stdout)), nil
}

// Settings asks for all of them.
func Settings(ctx context.Context, dir string, env []string) (map[string]string, error) {
	bin, err := exec.LookPath("go")
	if err != nil {
		return nil, errNoGo
	}
	return (&Go{Dir: dir, bin: bin, env: env}).query(ctx)
}
