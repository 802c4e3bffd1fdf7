package reach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// A Reader reads compiled packages, and keeps them: the packages that base and
// candidate share are read once. It may be used by several goroutines. The zero
// Reader is ready for use.
type Reader struct {
	mu       sync.Mutex
	archives map[string]*archive // by file, which the build cache names by its content
}

// A Program is what a test binary is linked from, package by package. It costs
// little to keep: the packages are the Reader's.
type Program struct {
	pkg      string
	settings []string
	parts    []compiled
	builtins []key

	mu    sync.Mutex
	known *Program // what Same was last asked about
	same  bool     // and its answer
}

// Objects is Program and link.
func (r *Reader) Objects(ctx context.Context, g *gocmd.Go, pkg gocmd.Package, o gocmd.BuildOpts) (*Code, error) {
	p, err := r.Program(ctx, g, pkg, o)
	if err != nil {
		return nil, err
	}
	return p.link()
}

// Program reads what pkg's test binary is linked from, as it is built now with
// o, and keeps the packages for the next call. Packages that are not compiled
// yet are compiled, into the build cache. An error means that nothing is known:
// the caller has to take everything as changed.
func (r *Reader) Program(ctx context.Context, g *gocmd.Go, pkg gocmd.Package, o gocmd.BuildOpts) (*Program, error) {
	flags := buildFlags(g, o)
	pkgs, err := linked(ctx, g, pkg.ImportPath, flags)
	if err != nil {
		return nil, fmt.Errorf("listing what the test binary of %s is linked from: %w", pkg.ImportPath, err)
	}
	set, err := settings(ctx, g, pkg.ImportPath, flags)
	if err != nil {
		return nil, err
	}
	known, err := builtins(g.Vars["GOROOT"])
	if err != nil {
		return nil, err
	}
	archives, err := r.read(ctx, pkgs)
	if err != nil {
		return nil, err
	}
	return &Program{pkg: pkg.ImportPath, settings: set, parts: archives, builtins: known}, nil
}

func (p *Program) link() (*Code, error) { return link(p.pkg, p.settings, p.parts, p.builtins) }

// Same says whether both are the same program, in what is linked. What cannot
// be put together is not. The last answer is remembered: it takes a third of a
// second, and a run asks for it whenever it looks at the time that is left.
func (p *Program) Same(base *Program) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known != base {
		p.known, p.same = base, p.equals(base)
	}
	return p.same
}

func (p *Program) equals(base *Program) bool {
	now, err := p.link()
	if err != nil {
		return false
	}
	before, err := base.link()
	return err == nil && len(now.differs(before)) == 0
}

func buildFlags(g *gocmd.Go, o gocmd.BuildOpts) []string {
	var flags []string
	if o.Overlay && g.Overlay() != "" {
		flags = append(flags, "-overlay="+g.Overlay())
	}
	if o.Race {
		flags = append(flags, "-race")
	}
	if len(o.CoverPkg) > 0 {
		flags = append(flags, "-covermode=count", "-coverpkg="+strings.Join(o.CoverPkg, ","))
	}
	return append(flags, o.Flags...)
}

// A part is one package of the binary, by the path that the linker knows it
// by.
type part struct {
	path string
	file string
}

// linked lists the packages of a test binary. The go command lists variants of
// a package that are not in it too, as well as the package itself.
func linked(ctx context.Context, g *gocmd.Go, path string, flags []string) ([]part, error) {
	args := append([]string{"-test", "-deps", "-export", "-json=ImportPath,Standard,Export,Deps,Error,DepsErrors"}, flags...)
	pkgs, err := g.List(ctx, append(args, path)...)
	if err != nil {
		return nil, err
	}
	main := path + ".test"
	in := map[string]bool{main: true}
	for _, p := range pkgs {
		if p.ImportPath == main {
			for _, d := range p.Deps {
				in[d] = true
			}
		}
	}
	var parts []part
	for _, p := range pkgs {
		if !in[p.ImportPath] || p.ImportPath == "unsafe" {
			continue
		}
		delete(in, p.ImportPath)
		if p.Error != nil {
			return nil, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		if p.Export == "" {
			return nil, fmt.Errorf("the go command names no compiled file for %s", p.ImportPath)
		}
		name, _, _ := strings.Cut(p.ImportPath, " [")
		if p.ImportPath == main {
			name = "main"
		}
		parts = append(parts, part{path: name, file: p.Export})
	}
	delete(in, "unsafe")
	for missing := range in {
		return nil, fmt.Errorf("the go command does not list %s", missing)
	}
	return parts, nil
}

// settings lists what changes the binary without changing an object: the
// toolchain, the machine, what the linker is told and the defaults that the
// runtime takes from go.mod.
func settings(ctx context.Context, g *gocmd.Go, path string, flags []string) ([]string, error) {
	e, err := g.Run(ctx, gocmd.Build, append(append([]string{"list", "-test", "-f={{.ImportPath}} {{.DefaultGODEBUG}}"}, flags...), path)...)
	if err != nil {
		return nil, fmt.Errorf("asking for the runtime's defaults in %s: %w", path, err)
	}
	set := []string{"toolchain " + g.Version}
	for line := range strings.Lines(string(e.Stdout)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), path+".test"); ok {
			set = append(set, "GODEBUG"+value)
		}
	}
	for _, name := range []string{"GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM", "GOEXPERIMENT", "GOFIPS140", "CGO_LDFLAGS"} {
		if v := g.Vars[name]; v != "" {
			set = append(set, name+" "+v)
		}
	}
	for _, name := range []string{"ldflags", "buildmode", "linkshared", "race", "msan", "asan"} {
		if v := flagValue(flags, name, g.Flag(name)); v != "" {
			set = append(set, "-"+name+" "+v)
		}
	}
	return set, nil
}

// flagValue returns the value of a flag, in the forms -name=value and -name
// value, or otherwise what GOFLAGS says.
func flagValue(flags []string, name, value string) string {
	for i, f := range flags {
		n, v, has := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch {
		case n != name || !strings.HasPrefix(f, "-"):
		case has:
			value = v
		case i+1 < len(flags) && (name == "ldflags" || name == "buildmode"):
			value = flags[i+1]
		default:
			value = "true"
		}
	}
	return value
}

// builtinLine is a line of the table of functions and types that the compiler
// refers to by their number in it: a name and a calling convention.
var builtinLine = regexp.MustCompile(`(?m)^\t\{("[^"]*"), ([01])\},?$`)

func builtins(goroot string) ([]key, error) {
	data, err := os.ReadFile(filepath.Join(goroot, "src", "cmd", "internal", "goobj", "builtinlist.go"))
	if err != nil {
		return nil, fmt.Errorf("reading the compiler's list of functions that it knows by number: %w", err)
	}
	var list []key
	for _, m := range builtinLine.FindAllSubmatch(data, -1) {
		name, err := strconv.Unquote(string(m[1]))
		if err != nil {
			return nil, err
		}
		list = append(list, key{name, m[2][0] - '0'})
	}
	if len(list) == 0 || len(list) != bytes.Count(data, []byte("\n\t{")) {
		return nil, errors.New("the compiler's list of functions that it knows by number has a form that is not known here")
	}
	return list, nil
}

// A compiled is a package of the binary with its content.
type compiled struct {
	part
	*archive
}

func (r *Reader) read(ctx context.Context, parts []part) ([]compiled, error) {
	out, errs := make([]compiled, len(parts)), make([]error, len(parts))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		wg.Go(func() {
			for i := range next {
				a, err := r.archive(parts[i].file)
				if err != nil {
					errs[i] = fmt.Errorf("reading the compiled package %s: %w", parts[i].path, err)
				}
				out[i] = compiled{parts[i], a}
			}
		})
	}
	for i := range parts {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return out, errors.Join(ctx.Err(), errors.Join(errs...))
}

func (r *Reader) archive(file string) (*archive, error) {
	r.mu.Lock()
	a := r.archives[file]
	r.mu.Unlock()
	if a != nil {
		return a, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if a, err = parseArchive(data); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.archives == nil {
		r.archives = make(map[string]*archive)
	}
	r.archives[file] = a
	return a, nil
}
