// Package reach says which lines a benchmark or the tests execute.
//
// It asks the cover tool. A test binary built with coverage of the packages in
// question is run with one benchmark, or with the tests alone. The blocks that
// counted are the lines that were reached. A change whose lines a benchmark
// never reaches cannot be judged by it, however good the change is; saying so
// is the first thing that a verdict on it needs.
//
// A benchmark also runs code that it does not time: its set-up. The cover tool
// counts how often each block runs, and a block in the timed loop runs more
// often when there are more iterations, while set-up does not. So a benchmark
// is run twice, with few iterations and with many, and a line is Timed when its
// count grew.
//
// # Did the code change
//
// The second half of the package takes one benchmark and two builds of its test
// binary. It answers whether anything that the benchmark reaches is different,
// so that only benchmarks that can have changed need to be measured. It reads
// the compiled packages, which the go command names (go list -test -deps
// -export), and not the linked binary. In a compiled package each symbol still
// has its name, and every address in it is a relocation that names its target.
// So the comparison is exact, and the same for every architecture.
//
// Functions, variables, constants and descriptions of types are all symbols. A
// symbol is the same when its kind, size, alignment, bytes and relocations are,
// with the targets compared by name. Some names only count through a package
// (p..stmp_12) or stand for the content (go:string."x"): such targets are
// compared by their content, and two variables of equal content must not have
// become one. A function's tables belong to it where the collector, stack growth
// and panics read them. Debug information and the tables of lines, files and
// inlined calls are left out: to move a function to another line is no change,
// though runtime.Caller tells it.
//
// What a benchmark reaches is found by the rules by which the linker drops dead
// code (cmd/link/internal/ld/deadcode.go). They start from the function of the
// benchmark, TestMain, package testing, the runtime and the initialisers of
// every package of the binary. main.main and what it lists are left out: they
// reach every test. A reached variable's type is reached as well. The answer
// errs to one side: code that is reached by these rules may never run, while
// what runs is reached by them. These count as a change of everything: another
// toolchain, machine, linker flag or GODEBUG default; another order of
// initialisation; and any difference in C or other code that is not Go, with a
// note. So it says "changed" without need for
//
//   - a method that is added or removed, on a type that is reached: the type's
//     description lists it;
//   - a change behind an interface method or in an exported method, where an
//     initialiser somewhere calls methods of that name, or looks methods up by
//     computed names as the protobuf packages do;
//   - an import that is new in the binary and initialises something.
//
// A change of where code lies in memory is not a change here, though it can
// cost or save a few percent. A new version in the build information is none
// either. Nor is a large variable that something else in the binary reaches,
// though the collector scans it. Files that a benchmark reads as it runs are
// the caller's.
//
// Sections of the linked file would not do instead. Lines are in .gopclntab
// together with tables that the collector and panics read, so it can neither
// count nor be left out. All others have addresses, and these move when a comment
// makes the line tables grow across an alignment, or a function moves.
//
// The format of objects has no promise: it is known for the releases that
// archive.go lists, and any other is an error. The caller then has to measure
// everything.
package reach

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Coverage is which blocks of source one run executed.
type Coverage struct {
	blocks map[string][]block // by import path + "/" + file name
}

type block struct {
	from, to int // lines, inclusive
	count    int64
	timed    bool // the count grows with the number of iterations
}

// A Binary is a test binary with coverage built in.
type Binary struct {
	Path  string
	Dir   string // the package's directory, in which it runs
	Among []int  // the cores that it may run on; none for all
}

// Build builds the test binary of pkg so that it counts coverage of the
// packages in cover, into the file out.
func Build(ctx context.Context, g *gocmd.Go, pkg gocmd.Package, cover []string, out string) (Binary, error) {
	err := g.BuildTest(ctx, pkg.ImportPath, out, gocmd.BuildOpts{CoverPkg: cover})
	if err != nil {
		return Binary{}, fmt.Errorf("building %s for coverage: %w", pkg.ImportPath, err)
	}
	return Binary{Path: out, Dir: pkg.Dir}, nil
}

// brief is about how long the second run of a benchmark takes, unless that leaves the question open.
const brief = 2 * time.Second

// Benchmark runs two iterations and then n of one benchmark and returns what
// they, and their set-up, executed; n must be above two. Two and not one,
// since testing runs a benchmark of one iteration once, and any other twice:
// once to see that it works. Where n take long, it runs fewer first, and all only if these are not enough;
// without enough, it runs all.
func (b Binary) Benchmark(ctx context.Context, g *gocmd.Go, bm model.Benchmark, n int64, enough func(*Coverage) bool) (*Coverage, error) {
	iterations := func(n int64) (*Coverage, error) {
		return b.run(ctx, g, gocmd.Measure, "-test.run=^$", "-test.bench="+bm.Regexp(), "-test.benchtime="+strconv.FormatInt(n, 10)+"x")
	}
	start := time.Now()
	few, err := iterations(2)
	if err != nil {
		return nil, err
	}
	fewer := n
	if enough != nil {
		fewer = min(n, max(3, int64(3*brief/max(1, time.Since(start)))))
	}
	many, err := iterations(fewer)
	if err == nil && fewer < n && !enough(many.beyond(few)) {
		many, err = iterations(n)
	}
	if err != nil {
		return nil, err
	}
	return many.beyond(few), nil
}

// beyond marks the blocks that ran more often than in another run, with fewer iterations.
func (c *Coverage) beyond(few *Coverage) *Coverage {
	for file, blocks := range c.blocks {
		before := few.blocks[file]
		for i := range blocks {
			blocks[i].timed = i < len(before) && blocks[i].count > before[i].count
		}
	}
	return c
}

// Tests runs the tests, with further flags of theirs, and returns what they
// executed.
func (b Binary) Tests(ctx context.Context, g *gocmd.Go, flags ...string) (*Coverage, error) {
	return b.run(ctx, g, gocmd.Test, flags...)
}

func (b Binary) run(ctx context.Context, g *gocmd.Go, kind gocmd.Kind, args ...string) (*Coverage, error) {
	box, err := g.Meter.Outbox()
	if err != nil {
		return nil, err
	}
	defer box.Remove()
	const name = "cover.txt"
	e, err := g.Meter.Run(ctx, gocmd.Proc{
		Path: b.Path, Args: append(args, "-test.coverprofile="+box.Path(name)),
		Dir: b.Dir, Env: g.Env(), CPU: gocmd.NoCPU, Among: b.Among, Kind: kind,
	})
	if err != nil {
		return nil, err
	}
	if e.Code != 0 {
		return nil, fmt.Errorf("the run for coverage ended with exit status %d:\n%s", e.Code, bytes.TrimSpace(append(e.Stdout, e.Stderr...)))
	}
	data, err := box.Read(name)
	if err != nil {
		return nil, fmt.Errorf("reading a coverage profile: %w", err)
	}
	return Parse(data)
}

// Parse reads a coverage profile as go test -coverprofile writes it.
func Parse(data []byte) (*Coverage, error) {
	c := &Coverage{blocks: make(map[string][]block)}
	sc := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		if line == "" || strings.HasPrefix(line, "mode:") {
			continue
		}
		file, b, err := parseBlock(line)
		if err != nil {
			return nil, fmt.Errorf("coverage profile, line %d: %w", n, err)
		}
		c.blocks[file] = append(c.blocks[file], b)
	}
	return c, sc.Err()
}

// parseBlock reads "pkg/file.go:12.34,15.2 3 1": from line 12 to line 15,
// three statements, executed.
func parseBlock(line string) (string, block, error) {
	colon := strings.LastIndexByte(line, ':')
	if colon < 0 {
		return "", block{}, fmt.Errorf("no file name in %q", line)
	}
	var b block
	var c1, c2, statements int
	_, err := fmt.Sscanf(line[colon+1:], "%d.%d,%d.%d %d %d", &b.from, &c1, &b.to, &c2, &statements, &b.count)
	if err != nil {
		return "", block{}, fmt.Errorf("%q: %w", line, err)
	}
	return line[:colon], b, nil
}

// A Reach is how far execution came.
type Reach int

// The degrees, from the least.
const (
	NoCode  Reach = iota // no statement stands there: a declaration, a comment
	Never                // not executed
	Untimed              // executed, but not in the timed loop of the benchmark
	Timed                // executed in the timed loop
)

// Lines returns the furthest that any block on the lines from to to
// (inclusive) of a file of the package was reached. A profile of tests has no
// timed loop: what they execute is Untimed.
func (c *Coverage) Lines(pkg, file string, from, to int) Reach {
	far := NoCode
	for _, b := range c.blocks[path.Join(pkg, path.Base(filepath.ToSlash(file)))] {
		if b.from > to || b.to < from {
			continue
		}
		switch {
		case b.timed:
			return Timed
		case b.count > 0:
			far = max(far, Untimed)
		default:
			far = max(far, Never)
		}
	}
	return far
}
