package experiment

import (
	"cmp"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// starts is how often a program is started: of each package the median counts.
const starts = 7

// patience is how long a program may take to end by itself; servers never do, and
// their packages are initialised long before.
const patience = 2 * time.Second

// Startup says what the packages of a main package cost: to initialise, with args
// as the program's arguments, and in the size of its file.
func Startup(ctx context.Context, opt Options, main string, args []string) (*model.Startup, error) {
	s := newSession(opt)
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	defer s.close()
	mains, err := s.mains(ctx, strings.Fields(main))
	if err != nil {
		return nil, err
	}
	out := &model.Startup{Schema: model.SchemaVersion, Tool: opt.Tool, Args: opt.Args, Main: mains[0].ImportPath, Env: s.out.Env, Starts: starts}
	bin := filepath.Join(s.bed.Scratch, "program")
	s.opt.Watch.Stage("building", out.Main)
	if err := s.tree.Go.BuildProgram(ctx, out.Main, bin, gocmd.BuildOpts{}); err != nil {
		return nil, err
	}
	from := starter{s, args}
	var runs []map[string]model.Init
	for i := range starts {
		s.opt.Watch.Stage("starting", fmt.Sprintf("%d of %d", i+1, starts))
		run, err := from.start(ctx, bin)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	pkgs, err := s.tree.Go.List(ctx, "-deps", out.Main)
	if err != nil {
		return nil, err
	}
	out.Inits = ranked(runs)
	if out.Sizes, err = from.sizes(ctx, bin); err != nil {
		return nil, err
	}
	if opt.Base != "" {
		if out.Versions, err = from.versions(ctx, opt.Base, out.Main, bin); err != nil {
			return nil, err
		}
	}
	pulled := paths(pkgs, out.Main)
	standard := make(map[string]bool)
	for _, p := range pkgs {
		standard[p.ImportPath] = p.Standard
	}
	for i := range out.Inits {
		x := &out.Inits[i]
		x.Path, x.Standard = pulled[x.Pkg], standard[x.Pkg]
	}
	for i := range out.Sizes {
		out.Sizes[i].Path = pulled[out.Sizes[i].Pkg]
	}
	return out, nil
}

// A starter starts programs with the same arguments.
type starter struct {
	*session
	args []string
}

// start runs a program once with the runtime's trace of initialisation.
func (s starter) start(ctx context.Context, bin string) (map[string]model.Init, error) {
	args, _, err := listening(s.args)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	e, err := s.bed.Meter.Run(limited, gocmd.Proc{
		Path: bin, Args: args, Dir: s.opt.Dir, Env: s.tree.Go.Env("GODEBUG=inittrace=1"), CPU: gocmd.NoCPU, Kind: gocmd.Measure, Limit: 1 << 20,
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	found := parseInits(string(e.Stderr))
	if len(found) == 0 {
		return nil, fmt.Errorf("the program said nothing of its start by GODEBUG=inittrace=1: %w", cmp.Or(err, errors.New("is its standard error taken by something else?")))
	}
	return found, nil
}

var initLine = regexp.MustCompile(`^init (\S+) @([0-9.]+) ms, ([0-9.]+) ms clock, ([0-9]+) bytes, ([0-9]+) allocs$`)

// parseInits reads what the runtime prints of initialisation, among what else a
// program prints.
func parseInits(text string) map[string]model.Init {
	out := make(map[string]model.Init)
	for line := range strings.Lines(text) {
		m := initLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		at, _ := strconv.ParseFloat(m[2], 64) // the pattern lets numbers through
		took, _ := strconv.ParseFloat(m[3], 64)
		bytes, _ := strconv.ParseFloat(m[4], 64)
		allocs, _ := strconv.ParseFloat(m[5], 64)
		out[m[1]] = model.Init{Pkg: m[1], At: at * 1e6, Ns: took * 1e6, Bytes: bytes, Allocs: allocs}
	}
	return out
}

// ranked returns the packages of several starts, the slowest by its median first.
func ranked(runs []map[string]model.Init) []model.Init {
	all := make(map[string][]model.Init)
	for _, run := range runs {
		for pkg, x := range run {
			all[pkg] = append(all[pkg], x)
		}
	}
	var out []model.Init
	for _, xs := range all {
		sorted.By(xs, func(a, b model.Init) int { return cmp.Compare(a.Ns, b.Ns) })
		x := xs[len(xs)/2]
		x.Least, x.Most = xs[0].Ns, xs[len(xs)-1].Ns
		out = append(out, x)
	}
	sorted.By(out, func(a, b model.Init) int {
		return cmp.Or(cmp.Compare(b.Ns, a.Ns), cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Pkg, b.Pkg))
	})
	return out
}

func (s starter) sizes(ctx context.Context, bin string) ([]model.PkgSize, error) {
	e, err := s.tree.Go.Run(ctx, gocmd.Build, "tool", "nm", "-size", bin)
	if err != nil {
		return nil, err
	}
	return parseSymbols(string(e.Stdout), zeroed(bin)), nil
}

// zeroed reports of an address of a program whether it has no room in the file:
// data that begins as zeros. Other formats than ELF tell it by the symbol's type.
func zeroed(bin string) func(addr uint64) bool {
	var ranges [][2]uint64
	if f, err := elf.Open(bin); err == nil {
		defer f.Close()
		for _, s := range f.Sections {
			if s.Type == elf.SHT_NOBITS {
				ranges = append(ranges, [2]uint64{s.Addr, s.Addr + s.Size})
			}
		}
	}
	return func(addr uint64) bool {
		return slices.ContainsFunc(ranges, func(r [2]uint64) bool { return addr >= r[0] && addr < r[1] })
	}
}

// parseSymbols adds up what go tool nm -size prints: address, size, type, name. What
// takes no room in the file is left out.
func parseSymbols(text string, zero func(addr uint64) bool) []model.PkgSize {
	by := make(map[string]float64)
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.Contains("TtRrDd", f[2]) {
			continue
		}
		size, err := strconv.ParseInt(f[1], 10, 64)
		addr, aerr := strconv.ParseUint(f[0], 16, 64)
		if err != nil || aerr != nil || size <= 0 || zero(addr) {
			continue
		}
		by[packageOf(strings.Join(f[3:], " "))] += float64(size)
	}
	var out []model.PkgSize
	for pkg, size := range by {
		out = append(out, model.PkgSize{Pkg: pkg, Bytes: size})
	}
	sorted.By(out, func(a, b model.PkgSize) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Pkg, b.Pkg))
	})
	return out
}

// shared is where symbols belong that are of no package: type descriptors, strings,
// tables of the runtime.
const shared = "types, strings and tables"

func packageOf(symbol string) string {
	if strings.HasPrefix(symbol, "type:") || strings.HasPrefix(symbol, "go:") || strings.HasPrefix(symbol, "runtime.pclntab") {
		return shared
	}
	if pkg := words.SymbolPackage(symbol); pkg != "" && !strings.ContainsAny(pkg, " :*(,;\"") {
		return pkg
	}
	return shared
}

// paths returns for each package a shortest way by which main imports it.
func paths(pkgs []gocmd.Package, main string) map[string][]string {
	imports := make(map[string][]string)
	for _, p := range pkgs {
		imports[p.ImportPath] = p.Imports
	}
	out := map[string][]string{main: {main}}
	for queue := []string{main}; len(queue) > 0; queue = queue[1:] {
		for _, next := range imports[queue[0]] {
			if _, known := out[next]; !known {
				out[next] = append(slices.Clip(out[queue[0]]), next)
				queue = append(queue, next)
			}
		}
	}
	out["main"] = out[main]
	return out
}
