package profile

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A placer turns the files of a profile into the names that frames have.
type placer struct {
	o     Options
	known map[string]place
}

type place struct {
	file string
	kind placeKind
}

type placeKind int

const (
	outside placeKind = iota // standard library, dependencies, generated code without a file
	module                   // in the tree
	test                     // in the tree, and a test file
)

func newPlacer(o Options) *placer { return &placer{o: o, known: make(map[string]place)} }

func (pl *placer) place(file string) place {
	if p, ok := pl.known[file]; ok {
		return p
	}
	p := place{file: file}
	abs := file
	if rel, ok := strings.CutPrefix(file, pl.o.ModulePath+"/"); ok && pl.o.ModulePath != "" {
		abs = filepath.Join(pl.o.ModuleDir, filepath.FromSlash(rel)) // built with -trimpath
	}
	if rel, ok := below(pl.o.Root, abs); ok {
		p.file = filepath.ToSlash(rel)
		if _, cached := below(pl.o.ModCache, abs); !cached && !vendored(p.file) {
			p.kind = module
			if strings.HasSuffix(p.file, "_test.go") {
				p.kind = test
			}
		}
	}
	pl.known[file] = p
	return p
}

func vendored(rel string) bool { return strings.Contains("/"+rel, "/vendor/") }

// below returns file relative to dir when it is below dir.
func below(dir, file string) (string, bool) {
	if dir == "" || !filepath.IsAbs(file) {
		return "", false
	}
	rel, err := filepath.Rel(dir, file)
	return rel, err == nil && rel != "." && filepath.IsLocal(rel)
}

// frames returns the frames of a profile with the names that they have here.
func (pl *placer) frames(all []model.Frame) []model.Frame {
	out := slices.Clone(all)
	for i, f := range out {
		at := pl.place(f.File)
		out[i].File, out[i].Module = at.file, at.kind == module
	}
	return out
}

// home returns the index of the innermost frame in the tree outside tests,
// else of the innermost in a test file of the tree, else -1.
func home(stack []model.Frame) int {
	inTest := -1
	for i, f := range stack {
		if f.Module {
			return i
		}
		if inTest < 0 && strings.HasSuffix(f.File, "_test.go") && !filepath.IsAbs(f.File) && !vendored(f.File) {
			inTest = i
		}
	}
	return inTest
}

// An origin is what a stack belongs to.
type origin int

const (
	other     origin = iota // set-up of the process, the testing package
	benchmark               // below the benchmark function
	first                   // below it, in the run of one iteration
	parallel                // in a goroutine of RunParallel
	started                 // a goroutine whose origin the stack does not show
	collector               // background work of the garbage collector
	scheduler               // the runtime outside any goroutine
)

// originOf says what a stack belongs to.
func originOf(stack []model.Frame, bm model.Benchmark) origin {
	if len(stack) == 0 {
		return other
	}
	for i, f := range stack {
		switch {
		case untimed[f.Func]:
			return other
		case f.Func == "testing.(*B).runN":
			if i == 0 || isStandard(stack[i-1]) || isParent(stack[i-1].Func, bm) {
				return other
			}
			if strings.HasPrefix(stack[len(stack)-1].Func, "testing.(*B).run1") {
				return first
			}
			return benchmark
		case strings.HasPrefix(f.Func, "testing.(*B).RunParallel.func"):
			return parallel
		}
	}
	switch root := stack[len(stack)-1].Func; {
	case collecting[root]:
		return collector
	case root == "runtime.main", root == "main.main", root == "runtime.goexit" && len(stack) == 1:
		return other
	case strings.HasPrefix(root, "testing."), strings.HasPrefix(root, "runtime/pprof."), strings.HasPrefix(root, "os/signal."):
		return other
	case strings.HasPrefix(root, "runtime."), strings.HasPrefix(root, "internal/runtime/"):
		return scheduler
	}
	return started
}

// untimed are the functions of testing that a benchmark calls, or is called by
// when all benchmarks are run as those of one, while its clock stands still.
var untimed = map[string]bool{
	"testing.runBenchmarks":         true,
	"testing.(*B).Run":              true,
	"testing.(*B).ResetTimer":       true,
	"testing.(*B).StartTimer":       true,
	"testing.(*B).StopTimer":        true,
	"testing.(*B).loopSlowPath":     true,
	"testing.(*B).stopOrScaleBLoop": true,
}

// collecting are the goroutines of the garbage collector.
var collecting = map[string]bool{
	"runtime.gcBgMarkWorker": true,
	"runtime.bgsweep":        true,
	"runtime.bgscavenge":     true,
	"runtime.forcegchelper":  true,
}

// isStandard reports whether a frame is of the standard library: outside the
// tree, and of a package whose path does not begin with a domain. With -trimpath
// the names of its files are relative, as those of files in the tree are.
func isStandard(f model.Frame) bool {
	first, _, nested := strings.Cut(f.Func, "/")
	switch {
	case nested && strings.Contains(first, "."), f.Module:
		return false
	case filepath.IsAbs(f.File):
		return true
	}
	return strings.HasSuffix(f.File, ".go") && !strings.HasSuffix(f.File, "_test.go") && !vendored(f.File)
}

// isParent reports whether a function that runN calls is the top-level
// benchmark of a sub-benchmark: it runs once, to start the others.
func isParent(fn string, bm model.Benchmark) bool {
	top, _, sub := strings.Cut(bm.Name, "/")
	return sub && (fn == bm.Pkg+"."+top || fn == bm.Pkg+"_test."+top)
}
