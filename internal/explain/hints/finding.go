package hints

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A Kind is what a finding is about.
type Kind string

const (
	InlineBudget Kind = "inline-budget" // a hot function is just above the inlining budget
	BoundsCheck  Kind = "bounds-check"  // a hot line in a loop checks bounds
	ColdEscape   Kind = "cold-escape"   // a value escapes because of a path that does not run
	// An interface method or func value dominates a hot line or, where the
	// resource is allocations, makes a value escape.
	DynamicCall Kind = "dynamic-call"
)

// A finding is what the compiler says about a place that costs, and what to do
// about it, as it is ranked; Find returns it as model has it.
type finding struct {
	Kind     Kind
	At       model.Pos // in the user's module
	Func     string    // symbol of the function that it stands in
	Resource model.Resource
	// Share, Ceiling and CPUShare are those of the first entry of Heat.
	Share    float64 // of the resource, that arises here
	Ceiling  float64 // of the resource, that can be saved here at most
	CPUShare float64 // of the CPU time, that can be saved here at most
	Heat     []Heat  // by benchmark, the greatest ceiling first
	// Message is the compiler's, word for word as -m=2 or -d=ssa/check_bce
	// prints it behind the position. For CPU time in a dynamic call, of
	// which the compiler says nothing, it is the one about the callee, and ""
	// where the callee was not compiled with notes.
	Message string
	// Notes are the compiler's notes that the finding rests on.
	Notes []model.Note
	Text  string // what it means here, in a sentence
	Try   string
	// Tried is what the compiler says once that is done, in its words; "" when
	// it was not compiled.
	Tried string
	Holds []string // what must hold for behaviour to stay
}

// Heat is what a finding is worth to one benchmark.
type Heat struct {
	Benchmark model.Benchmark
	Share     float64
	Ceiling   float64
	CPUShare  float64
}

// shown returns the finding like those of the rules. The file is named from
// module, a directory in root, where it is below it.
func (f finding) shown(root, module string) model.Finding {
	at := f.At
	if rel, err := filepath.Rel(module, filepath.Join(root, filepath.FromSlash(at.File))); err == nil && filepath.IsLocal(rel) {
		at.File = filepath.ToSlash(rel)
	}
	out := model.Finding{
		Rule: string(f.Kind), Title: "what the compiler could not do", Tier: "profiled", Class: "N", Func: declared(f.Func),
		At: at, End: at, First: at.Line, Last: at.Line, Message: f.Text, Try: f.Try, Share: f.Share, Resource: string(f.Resource),
	}
	if f.Message != "" {
		out.Notes = append(out.Notes, f.Message)
	}
	if f.Tried != "" {
		out.Try += "; tried, and the compiler says: " + f.Tried
	}
	if len(f.Holds) > 0 {
		out.Try += " (what must hold: " + strings.Join(f.Holds, "; ") + ")"
	}
	return out
}

// warm sets what a finding is worth; heat need not be sorted.
func (f *finding) warm(heat []Heat) {
	sorted.By(heat, func(a, b Heat) int {
		return cmp.Or(cmp.Compare(b.CPUShare, a.CPUShare), cmp.Compare(b.Ceiling, a.Ceiling),
			cmp.Compare(a.Benchmark.Pkg, b.Benchmark.Pkg), cmp.Compare(a.Benchmark.Name, b.Benchmark.Name))
	})
	f.Heat = heat
	if len(heat) > 0 {
		f.Share, f.Ceiling, f.CPUShare = heat[0].Share, heat[0].Ceiling, heat[0].CPUShare
	}
}

// order puts what can be worth most first.
func order(all []finding) {
	sorted.By(all, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.CPUShare, a.CPUShare), cmp.Compare(b.Ceiling, a.Ceiling),
			cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.Kind, b.Kind))
	})
}

// shares are of one resource, by benchmark.
type shares map[model.Benchmark]float64

func (s shares) most() float64 {
	most := 0.0
	for _, v := range s {
		most = max(most, v)
	}
	return most
}

// busiest returns the benchmark with the greatest share, of equal ones the
// first by its name; there must be one.
func (s shares) busiest() model.Benchmark {
	return slices.MinFunc(slices.Collect(maps.Keys(s)), func(a, b model.Benchmark) int {
		return cmp.Or(cmp.Compare(s[b], s[a]), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Pkg, b.Pkg))
	})
}

// heat makes entries of the shares of CPU time that arise at a place and those
// that can be saved there.
func heat(arise, save shares) []Heat {
	var out []Heat
	for bm, share := range arise {
		ceiling := min(1, save[bm])
		out = append(out, Heat{Benchmark: bm, Share: min(1, share), Ceiling: ceiling, CPUShare: ceiling})
	}
	return out
}
