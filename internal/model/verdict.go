package model

import "math"

// An Answer is what the judge says about two arms.
type Answer string

// The answers. They are the judge's whole vocabulary: what is done with one
// is for the loop to say.
const (
	Faster    Answer = "faster"
	Slower    Answer = "slower"
	NoEffect  Answer = "no worthwhile effect"
	Undecided Answer = "undecided"
)

// A Verdict compares candidate with base in one metric of one benchmark.
type Verdict struct {
	Benchmark Benchmark `json:"benchmark"`
	Metric    string    `json:"metric"` // "cpu/op" or "wall/op"
	Answer    Answer    `json:"answer"`
	// Change is the estimated relative change, candidate ÷ base − 1, and Lo
	// and Hi are its interval, valid at any time the run stops.
	Change   float64   `json:"change"`
	Lo       float64   `json:"lo"`
	Hi       float64   `json:"hi"`
	Level    float64   `json:"level"`           // confidence of the interval: 0.95
	Units    int       `json:"units"`           // duets, or pairs of fresh links
	Links    bool      `json:"links,omitempty"` // the units are pairs of fresh links
	Evidence float64   `json:"e"`               // e-value for the answer
	NoiseSD  float64   `json:"noise_sd"`
	Course   *Course   `json:"course,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// Clear reports whether the change is several times the noise of one unit. What
// an undecided verdict lacks then is units; else it lacks quiet.
func (v *Verdict) Clear() bool {
	return math.Abs(math.Log1p(v.Change)) > 4*v.NoiseSD
}

// An Exact compares a count that does not vary between runs at equal N.
type Exact struct {
	Benchmark Benchmark `json:"benchmark"`
	Metric    string    `json:"metric"` // "allocs/op", "B/op" or "retained-B"
	Before    float64   `json:"before"`
	After     float64   `json:"after"`
	Noisy     bool      `json:"noisy,omitempty"` // an arm disagreed with itself: nothing exact is claimed
	// Trend is of a noisy count: -1 where it was lower on the candidate in nearly
	// all pairs of runs, 1 where it was higher, and 0 where that is not so.
	Trend int `json:"trend,omitempty"`
	// Tolerance is the difference up to which the counts are equal: what the
	// benchmark's own frame and the runtime add to a slice, per op.
	Tolerance float64 `json:"tolerance"`
}

// Equal reports whether the count stays.
func (e Exact) Equal() bool { return !e.Fell() && !e.Rose() && !e.Noisy }

// Fell reports whether the count fell for certain.
func (e Exact) Fell() bool { return !e.Noisy && e.Before-e.After > e.Tolerance }

// Rose reports whether the count rose for certain.
func (e Exact) Rose() bool { return !e.Noisy && e.After-e.Before > e.Tolerance }

// CountOf returns the count of a metric; nil where there is none.
func CountOf(counts []Exact, metric string) *Exact {
	for i := range counts {
		if counts[i].Metric == metric {
			return &counts[i]
		}
	}
	return nil
}

// An Outcome is what the loop did with a change.
type Outcome string

// The outcomes. Only RolledBack says that something speaks against a change;
// one that is unsettled is rolled back, too, and tried again in a later run.
const (
	Kept           Outcome = "kept"
	KeptUncompared Outcome = "kept, not compared" // no changed function could be driven side by side with the base
	Unsettled      Outcome = "undecided"          // neither shown nor refuted
	RolledBack     Outcome = "rolled back"
)

// Kept reports whether the change stays in the tree.
func (o Outcome) Kept() bool { return o == Kept || o == KeptUncompared }

// A Check is one thing that the guard looked at.
type Check struct {
	Name    string `json:"name"` // "types", "vet", "tests", "race", "frozen", "escapes", "inlining", "benchmark", "attempt"
	OK      bool   `json:"ok"`
	Detail  string `json:"detail,omitempty"` // what failed, in the tool's own words
	Skipped string `json:"skipped,omitempty"`
	// Unsteady are tests that failed, and passed each time they were run again, and
	// benchmarks that came to no result now and then.
	Unsteady []string `json:"unsteady,omitempty"`
	// Chance are tests that failed, and fail without the change, too, and benchmarks
	// that could not be measured because they fail on either side: that they did is
	// no word on it.
	Chance  []string `json:"chance,omitempty"`
	Sample  int      `json:"sample,omitempty"` // how many tests were run where there was no time for all; 0 for all
	Seconds float64  `json:"seconds"`
}
