package model

import "time"

// A SideKind is what a side of a comparison is.
type SideKind string

// The kinds of sides.
const (
	SideRef      SideKind = "ref"       // a commit of the module's repository
	SideWorktree SideKind = "work tree" // the user's tree as it is
	SidePatch    SideKind = "patch"     // a patch on top of the base
	SideBinary   SideKind = "binary"    // a test binary that was built elsewhere
	SideSamples  SideKind = "samples"   // a file of benchmark results
	SideProgram  SideKind = "program"   // a program under a load command
)

// A Side is one of the two things that a comparison compares.
type Side struct {
	Name   string   `json:"name"` // as the user wrote it
	Kind   SideKind `json:"kind"`
	Commit string   `json:"commit,omitempty"`
	// GoVersion and Settings are how it was built, as far as that is known.
	GoVersion string            `json:"go_version,omitempty"`
	Settings  map[string]string `json:"settings,omitempty"`
}

// A Standing is what a comparison says about one benchmark, in one word.
type Standing string

// The standings. Only Undecided leaves the question open; Failed is a benchmark
// that gave no figures on the candidate though it did on the base.
const (
	Clean     Standing = "clean"     // judged: nothing got worse by as much as was asked for
	Improved  Standing = "improved"  // judged: faster, or fewer allocations, and nothing worse
	Regressed Standing = "regressed" // judged: slower, or more allocations
	Accepted  Standing = "accepted"  // regressed, and a baseline file accepts it
	Unchanged Standing = "unchanged" // the code that it reaches is the same: not run
	Open      Standing = "undecided"
	Failed    Standing = "failed" // fails on one side only
	OneSided  Standing = "one side only"
)

// A Compared is one benchmark of a comparison.
type Compared struct {
	Benchmark Benchmark `json:"benchmark"`
	Standing  Standing  `json:"standing"`
	// Why says in one line what the standing rests on: "cpu/op slower by 4.1 %",
	// "allocs/op 3 → 4", "fails on the candidate: …".
	Why string `json:"why"`
	// Ended says that it was ended while the candidate ran, for it took too long: it
	// may hang.
	Ended   bool     `json:"ended,omitempty"`
	Plan    *Plan    `json:"plan,omitempty"`
	Noise   *Noise   `json:"noise,omitempty"` // of the duets on one link of each side
	Before  *Stats   `json:"before,omitempty"`
	After   *Stats   `json:"after,omitempty"`
	Verdict *Verdict `json:"verdict,omitempty"` // the one that counts
	// Screen is the verdict on one link of each side where fresh links followed
	// it; Verdict is then that of the links.
	Screen   *Verdict   `json:"screen,omitempty"`
	Counts   []Exact    `json:"counts,omitempty"`
	Metrics  []Reported `json:"metrics,omitempty"`
	Guards   []Guard    `json:"guards,omitempty"`
	Source   *Source    `json:"source,omitempty"`
	Code     *CodeDiff  `json:"code,omitempty"`
	Accepted string     `json:"accepted,omitempty"` // the reason that the baseline file gives
	Warnings []Warning  `json:"warnings,omitempty"`
	Seconds  float64    `json:"seconds"` // wall time spent on it, builds apart
	CPU      float64    `json:"cpu_seconds"`
}

// A Reported is a figure that a benchmark reports by b.ReportMetric, on both sides.
type Reported struct {
	Unit string `json:"unit"`
	// Better is which way is better, "lower" or "higher"; empty where nobody says.
	Better   string   `json:"better,omitempty"`
	Standing Standing `json:"standing"` // clean, improved, regressed or undecided
	Why      string   `json:"why"`      // in one line, the unit first
	Before   float64  `json:"before"`   // medians
	After    float64  `json:"after"`
	// Exact says that each side repeats its figure in all runs.
	Exact bool `json:"exact,omitempty"`
	// Verdict is the judge's, nil where the figures were compared exactly or not
	// judged. Its change and interval are those of the figure as it is printed: of a
	// metric that is better higher, what got worse has a negative change. Its answer
	// is "slower" where the metric got worse.
	Verdict *Verdict `json:"verdict,omitempty"`
}

// A Guard is a figure that must not get worse for the sake of the one that is
// judged: a cost that moves from the CPU to memory is not saved.
type Guard struct {
	Name   string  `json:"name"` // "peak live heap", "gc cpu", "wall/op"
	Unit   string  `json:"unit"` // "B", "ns/op"
	Before float64 `json:"before,omitempty"`
	After  float64 `json:"after,omitempty"`
	// Tripped says that it got worse beyond doubt and beyond what is let pass.
	Tripped bool   `json:"tripped,omitempty"`
	Detail  string `json:"detail,omitempty"` // what is let pass, and on how many runs it rests
	Skipped string `json:"skipped,omitempty"`
}

// A Source is what a benchmark is, beyond its name: its code in test files and
// what that refers to there, hashed on both sides.
type Source struct {
	Base      string `json:"base"` // hex; "" where it is not there
	Candidate string `json:"candidate"`
	// Pinned says that the base's test files were used on both sides.
	Pinned bool `json:"pinned,omitempty"`
	// Differs names what differs: declarations, files of testdata.
	Differs []string `json:"differs,omitempty"`
}

// A CodeDiff is how the machine code that a benchmark reaches differs between
// two builds.
type CodeDiff struct {
	Reached int      `json:"reached"` // functions of the candidate that it adds to what every run reaches
	Changed []string `json:"changed"` // symbols whose code or data differs, was added or removed; sorted
	Notes   []string `json:"notes,omitempty"`
}

// A Comparison is one run of compare or gate: everything that its report says.
type Comparison struct {
	Schema     int         `json:"schema"`
	Tool       string      `json:"tool"`
	ID         string      `json:"id,omitempty"`
	Verb       string      `json:"verb"`
	Args       []string    `json:"args"`
	Module     string      `json:"module,omitempty"`
	Base       Side        `json:"base"`
	Candidate  Side        `json:"candidate"`
	Started    time.Time   `json:"started"`
	Env        Environment `json:"env"`
	Alpha      float64     `json:"alpha"`      // error rate of all claims together
	MinEffect  float64     `json:"min_effect"` // what counts as a regression, as a fraction
	Benchmarks []Compared  `json:"benchmarks"`
	Load       *Load       `json:"load,omitempty"`
	Records    []Recorded  `json:"records,omitempty"` // of a gate
	Escapes    *Findings   `json:"escapes,omitempty"` // of a gate that asked the compiler
	Warnings   []Warning   `json:"warnings,omitempty"`
	Stopped    string      `json:"stopped,omitempty"` // why it ended early: "interrupted", "budget"
	Split      Split       `json:"split"`
	Dir        string      `json:"dir,omitempty"`     // the run's directory, absolute
	Samples    []string    `json:"samples,omitempty"` // benchfmt files, absolute
}

// Count returns how many benchmarks have one of the standings.
func (c *Comparison) Count(of ...Standing) int {
	n := 0
	for _, b := range c.Benchmarks {
		for _, s := range of {
			if b.Standing == s {
				n++
			}
		}
	}
	return n
}

// A Load is what a comparison of two programs under a load command found.
type Load struct {
	Command  string        `json:"command"`
	Units    int           `json:"units"`    // pairs of load runs
	Requests [2]float64    `json:"requests"` // all of them, base and candidate
	Metrics  []LoadMetric  `json:"metrics"`  // CPU seconds per request first
	Standing Standing      `json:"standing"`
	Why      string        `json:"why"`
	Mode     Mode          `json:"mode"`
	Noise    *Noise        `json:"noise,omitempty"` // base against base
	Guards   []Guard       `json:"guards,omitempty"`
	Runs     []LoadRunPair `json:"runs,omitempty"`
}

// A LoadMetric is one metric of a load comparison: its medians and verdict.
type LoadMetric struct {
	Name    string  `json:"name"` // "cpu/request", "latency-p50", "latency-p99"
	Unit    string  `json:"unit"` // "ns"
	Before  float64 `json:"before"`
	After   float64 `json:"after"`
	Verdict Verdict `json:"verdict"`
}

// A LoadRunPair is one unit: what the load command and the kernel said of
// each side.
type LoadRunPair struct {
	Base      LoadRun `json:"base"`
	Candidate LoadRun `json:"candidate"`
}

// A LoadRun is one load run against one program.
type LoadRun struct {
	Requests  float64            `json:"requests"`
	Errors    float64            `json:"errors"`
	CPUNs     float64            `json:"cpu_ns"`     // of the program, children included, during the load
	LatencyNs map[string]float64 `json:"latency_ns"` // by quantile: "p50", "p99"
	PeakRSS   float64            `json:"peak_rss_b"` // bytes
	WallNs    float64            `json:"wall_ns"`    // of the load command
}

// A Recorded is what a record of the repository asks of a hot path, and whether
// the candidate keeps it.
type Recorded struct {
	Name string `json:"name"`
	File string `json:"file"`
	// Standing is "holds", "undecided", "not run" or "broken".
	Standing string   `json:"standing"`
	Why      []string `json:"why,omitempty"` // what does not hold, or could not be told
}

// Broken is the number of records that the candidate breaks.
func (c *Comparison) Broken() int { return c.recorded("broken") }

// Untold is how many records are undecided, or were not run.
func (c *Comparison) Untold() int { return c.recorded("undecided") + c.recorded("not run") }

func (c *Comparison) recorded(standing string) int {
	n := 0
	for _, r := range c.Records {
		if r.Standing == standing {
			n++
		}
	}
	return n
}
