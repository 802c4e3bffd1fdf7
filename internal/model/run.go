package model

import (
	"math"
	"slices"
	"strings"
	"time"
)

// An Attempt is one change that was tried, and what became of it.
type Attempt struct {
	Change   Change    `json:"change"`
	Diff     string    `json:"diff"` // unified, relative to the repository's root
	Checks   []Check   `json:"checks"`
	Verdicts []Verdict `json:"verdicts,omitempty"` // the target benchmark first
	Counts   []Exact   `json:"counts,omitempty"`
	Guards   []Guard   `json:"guards,omitempty"`
	Solo     *Solo     `json:"solo,omitempty"`
	// What the guard saw beyond its checks: functions driven side by side, new
	// state, what looks like a cheat, and what of the behaviour was not compared.
	Driven     []Driven    `json:"driven,omitempty"`
	States     []State     `json:"states,omitempty"`
	Suspicions []Suspicion `json:"suspicions,omitempty"`
	Uncompared []string    `json:"uncompared,omitempty"` // behaviour that was not compared
	Worth      *Worth      `json:"worth,omitempty"`
	// Together is how many changes were shown to behave as before at once, this one
	// included; 0 for one that was alone.
	Together int     `json:"together,omitempty"`
	Outcome  Outcome `json:"outcome"`
	Reason   string  `json:"reason"` // one line: "allocs/op 5 → 3", "vet: …", "slower by 2.1 %"
	// Price is what a user has allowed the change to lose for what it gains; empty for nothing.
	// The reason says it, too.
	Price string `json:"price,omitempty"`
	// Needs is all that -allow would have to name for a change to be judged that was
	// refused; nil for what is never let through.
	Needs    []SuspicionKind `json:"needs,omitempty"`
	Commit   string          `json:"commit,omitempty"` // on the branch of the run
	Warnings []Warning       `json:"warnings,omitempty"`
	Steps    []Step          `json:"steps,omitempty"` // what the seconds went into
	Seconds  float64         `json:"seconds"`
	Time     time.Time       `json:"time"`
}

// A Step is one part of the work on a change, or on a run, and the wall time
// that it took. Steps that ran at the same time count in full.
type Step struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// AddStep adds the time of a step to that of the one of its name, or the step
// at the end.
func AddStep(steps []Step, s Step) []Step {
	i := slices.IndexFunc(steps, func(x Step) bool { return x.Name == s.Name })
	if i < 0 {
		return append(steps, s)
	}
	steps[i].Seconds += s.Seconds
	return steps
}

// A Solo is the confirmation of a kept change under stock conditions: the
// stock testing package, the user's GOMAXPROCS, nothing pinned.
type Solo struct {
	Benchmark  Benchmark `json:"benchmark"`
	Procs      int       `json:"procs"`
	Runs       int       `json:"runs"`        // interleaved pairs
	WallChange float64   `json:"wall_change"` // median of the paired ratios − 1
	CPUChange  float64   `json:"cpu_change"`
	// The wall times per op of the pairs, in nanoseconds.
	WallBefore []float64 `json:"wall_before"`
	WallAfter  []float64 `json:"wall_after"`
}

// WallRange returns the least and the largest relative change of wall time in
// the pairs. The median of such changes lies between them with a probability of
// 75 % for three pairs, and of 94 % for five.
func (s *Solo) WallRange() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i, before := range s.WallBefore {
		x := s.WallAfter[i]/max(before, math.SmallestNonzeroFloat64) - 1
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

// A Result is one benchmark, original against final.
type Result struct {
	Benchmark Benchmark `json:"benchmark"`
	Before    Stats     `json:"before"`
	After     Stats     `json:"after"`
	Verdict   *Verdict  `json:"verdict,omitempty"` // nil when nothing was kept
	Counts    []Exact   `json:"counts,omitempty"`
	Solo      *Solo     `json:"solo,omitempty"` // wall time under stock conditions
}

// A Noise is what an A/A warm-up of a benchmark showed.
type Noise struct {
	Benchmark Benchmark `json:"benchmark"`
	SD        float64   `json:"sd"`      // of the log ratio of one duet
	DuetNs    float64   `json:"duet_ns"` // wall time of one duet
	Sees      float64   `json:"sees"`    // smallest relative difference found within the budget of one change; 1 where none is
	Seconds   float64   `json:"seconds"` // expected cost of one change
	Duets     int       `json:"duets"`   // how many duets that rests on
}

// Blind reports that the time was too short to see any difference.
func (n Noise) Blind() bool { return n.Sees >= 1 }

// A Prospect is one entry of the plan: a change that will be tried, or a
// target that will not be, and why.
type Prospect struct {
	Target Target `json:"target"`
	Kind   string `json:"kind,omitempty"`  // transformation, when there is one
	Title  string `json:"title,omitempty"` // of the change
	Skip   string `json:"skip,omitempty"`  // why nothing is tried

	Retains string `json:"retains,omitempty"` // what the change keeps allocated
}

// An Unexplained is a part of a benchmark's cost that no line accounts for.
type Unexplained struct {
	Benchmark Benchmark  `json:"benchmark"`
	Resource  Resource   `json:"resource"`
	PerOp     float64    `json:"per_op"`
	Kind      ReasonKind `json:"kind"`
	Text      string     `json:"text"`
}

// A Split is where the wall time of a run went, in seconds.
type Split struct {
	Build   float64 `json:"build"`   // the go command compiling and linking
	Test    float64 `json:"test"`    // the user's tests and vet
	Measure float64 `json:"measure"` // benchmark processes running
	Other   float64 `json:"other"`   // everything else
	Total   float64 `json:"total"`
}

// An Environment is what a run ran on.
type Environment struct {
	GoVersion string            `json:"go_version"`
	GOOS      string            `json:"goos"`
	GOARCH    string            `json:"goarch"`
	CPU       string            `json:"cpu"`
	CPUs      int               `json:"cpus"`
	Settings  map[string]string `json:"settings,omitempty"` // GOAMD64, GOFLAGS, GOEXPERIMENT, …
	Load      float64           `json:"load"`               // load average when the run began
}

// A Run is one run of a verb: everything that its report says.
type Run struct {
	Schema      int           `json:"schema"`
	Tool        string        `json:"tool"` // pawl's version
	ID          string        `json:"id"`
	Verb        string        `json:"verb"`
	Args        []string      `json:"args"`
	Module      string        `json:"module"`          // module path
	Head        string        `json:"head,omitempty"`  // commit of HEAD
	Dirty       bool          `json:"dirty,omitempty"` // there were uncommitted changes
	Started     time.Time     `json:"started"`
	Env         Environment   `json:"env"`
	Plans       []Plan        `json:"plans,omitempty"`
	Likenesses  []BenchLike   `json:"likenesses,omitempty"` // where production profiles were given
	Noise       []Noise       `json:"noise,omitempty"`
	Targets     []Target      `json:"targets,omitempty"`
	Unexplained []Unexplained `json:"unexplained,omitempty"` // cost that no line accounts for
	Prospects   []Prospect    `json:"prospects,omitempty"`
	Attempts    []Attempt     `json:"attempts,omitempty"`  // in the order in which they were tried
	Proposers   *Proposers    `json:"proposers,omitempty"` // that were asked, with -propose
	Results     []Result      `json:"results,omitempty"`   // the original against the final version
	Branch      string        `json:"branch,omitempty"`    // where the kept commits are
	Patches     []string      `json:"patches,omitempty"`   // where there is no branch; absolute paths
	Dir         string        `json:"dir,omitempty"`       // the run's directory, absolute
	Report      string        `json:"report,omitempty"`    // HTML page, absolute
	Replay      string        `json:"replay,omitempty"`    // one command that shows the claim with stock tools
	Merge       string        `json:"merge,omitempty"`     // how to take the branch
	Drop        string        `json:"drop,omitempty"`      // how to be rid of it
	Resume      string        `json:"resume,omitempty"`    // how to go on with it, where something is left to try or to decide
	Warnings    []Warning     `json:"warnings,omitempty"`
	Stopped     string        `json:"stopped,omitempty"` // why it ended early: "interrupted", "budget"
	Steps       []Step        `json:"steps,omitempty"`   // what was done besides the attempts, in order
	Split       Split         `json:"split"`
}

// Unended reports whether the run has not come to its end: it is under way, or was
// killed.
func (r *Run) Unended() bool { return !r.Started.IsZero() && r.Stopped == "" && r.Split.Total == 0 }

// Compared reports whether both versions of a changed function were driven on
// the same inputs.
func (a Attempt) Compared() bool {
	return slices.ContainsFunc(a.Driven, func(d Driven) bool { return d.Skipped == "" && d.Pairs > 0 || !d.OK() })
}

// Reasons for which no benchmark can judge a change, however long it runs.
const (
	NotCovered = "not covered" // what follows says why
	SameCode   = "the benchmarks' code is the same with and without it"
)

// Unjudgeable reports whether no benchmark can judge the change.
func (a Attempt) Unjudgeable() bool {
	return strings.HasPrefix(a.Reason, NotCovered) || strings.HasPrefix(a.Reason, SameCode)
}

// Last returns the attempts without those that were undecided and made again
// when the run went on.
func (r *Run) Last() []Attempt {
	var out []Attempt
	for i, a := range r.Attempts {
		again := func(b Attempt) bool { return b.Change.ID == a.Change.ID }
		if a.Outcome != Unsettled || !slices.ContainsFunc(r.Attempts[i+1:], again) {
			out = append(out, a)
		}
	}
	return out
}

// Kept returns how many attempts were kept.
func (r *Run) Kept() int {
	n := 0
	for _, a := range r.Attempts {
		if a.Outcome.Kept() {
			n++
		}
	}
	return n
}
