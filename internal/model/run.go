package model

import "time"

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
	Uncompared []string    `json:"uncompared,omitempty"`
	Worth      *Worth      `json:"worth,omitempty"`
	Outcome    Outcome     `json:"outcome"`
	Reason     string      `json:"reason"` // one line: "allocs/op 5 → 3", "vet: …", "slower by 2.1 %"
	Commit     string      `json:"commit,omitempty"`
	Warnings   []Warning   `json:"warnings,omitempty"`
	Seconds    float64     `json:"seconds"`
	Time       time.Time   `json:"time"`
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
	Sees      float64   `json:"sees"`    // smallest relative difference found within the budget of one change
	Seconds   float64   `json:"seconds"` // expected cost of one change
	Duets     int       `json:"duets"`   // how many duets that rests on
}

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
	Module      string        `json:"module"` // module path
	Head        string        `json:"head,omitempty"`
	Dirty       bool          `json:"dirty,omitempty"`
	Started     time.Time     `json:"started"`
	Env         Environment   `json:"env"`
	Plans       []Plan        `json:"plans,omitempty"`
	Noise       []Noise       `json:"noise,omitempty"`
	Targets     []Target      `json:"targets,omitempty"`
	Unexplained []Unexplained `json:"unexplained,omitempty"`
	Prospects   []Prospect    `json:"prospects,omitempty"`
	Attempts    []Attempt     `json:"attempts,omitempty"`
	Results     []Result      `json:"results,omitempty"`
	Branch      string        `json:"branch,omitempty"`  // where the kept commits are
	Patches     []string      `json:"patches,omitempty"` // where there is no branch; absolute paths
	Dir         string        `json:"dir,omitempty"`     // the run's folder, absolute
	Report      string        `json:"report,omitempty"`  // HTML page, absolute
	Replay      string        `json:"replay,omitempty"`  // one command that shows the claim with stock tools
	Merge       string        `json:"merge,omitempty"`   // how to take the branch
	Drop        string        `json:"drop,omitempty"`    // how to be rid of it
	Warnings    []Warning     `json:"warnings,omitempty"`
	Stopped     string        `json:"stopped,omitempty"` // why it ended early: "interrupted", "budget"
	Split       Split         `json:"split"`
}

// Kept returns how many attempts were kept.
func (r *Run) Kept() int {
	n := 0
	for _, a := range r.Attempts {
		if a.Outcome == Kept {
			n++
		}
	}
	return n
}
