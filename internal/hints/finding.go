package hints

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Kind is what a finding is about.
type Kind string

// The kinds of findings.
const (
	InlineBudget Kind = "inline-budget" // a hot function is just above the inlining budget
	BoundsCheck  Kind = "bounds-check"  // a hot line in a loop checks bounds
	ColdEscape   Kind = "cold-escape"   // a value escapes because of a path that does not run
	// An interface method or func value dominates a hot line or, where the
	// resource is allocations, makes a value escape.
	DynamicCall Kind = "dynamic-call"
)

// A Finding is what the compiler says about a place that costs, and what to do
// about it.
type Finding struct {
	Kind     Kind           `json:"kind"`
	At       model.Pos      `json:"at"`   // in the user's module
	Func     string         `json:"func"` // symbol of the function that it stands in
	Resource model.Resource `json:"resource"`
	// Share, Ceiling and CPUShare are those of the first entry of Heat.
	Share    float64 `json:"share"`     // of the resource, that arises here
	Ceiling  float64 `json:"ceiling"`   // of the resource, that can be saved here at most
	CPUShare float64 `json:"cpu_share"` // of the CPU time, that can be saved here at most
	Heat     []Heat  `json:"heat"`      // by benchmark, the greatest ceiling first
	// Message is the compiler's, word for word as -m=2 or -d=ssa/check_bce
	// prints it behind the position. For CPU time in a dynamic call, of
	// which the compiler says nothing, it is the one about the callee, and ""
	// where the callee was not compiled with notes.
	Message string `json:"message"`
	// Notes are the compiler's notes that the finding rests on.
	Notes []model.Note `json:"notes,omitempty"`
	Text  string       `json:"text"` // what it means here, in a sentence
	Try   string       `json:"try"`
	// Tried is what the compiler says once that is done, in its words; "" when
	// it was not compiled.
	Tried string   `json:"tried,omitempty"`
	Holds []string `json:"holds,omitempty"` // what must hold for behaviour to stay
}

// Heat is what a finding is worth to one benchmark.
type Heat struct {
	Benchmark model.Benchmark `json:"benchmark"`
	Share     float64         `json:"share"`
	Ceiling   float64         `json:"ceiling"`
	CPUShare  float64         `json:"cpu_share"`
}

// warm sets what a finding is worth; heat need not be sorted.
func (f *Finding) warm(heat []Heat) {
	slices.SortFunc(heat, func(a, b Heat) int {
		return cmp.Or(cmp.Compare(b.CPUShare, a.CPUShare), cmp.Compare(b.Ceiling, a.Ceiling),
			cmp.Compare(a.Benchmark.Pkg, b.Benchmark.Pkg), cmp.Compare(a.Benchmark.Name, b.Benchmark.Name))
	})
	f.Heat = heat
	if len(heat) > 0 {
		f.Share, f.Ceiling, f.CPUShare = heat[0].Share, heat[0].Ceiling, heat[0].CPUShare
	}
}

// order puts what can be worth most first.
func order(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
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
