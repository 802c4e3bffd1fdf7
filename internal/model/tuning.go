package model

import "time"

// TuningSchema is the version of the JSON form of a Tuning. It is raised when a
// field changes its meaning or goes; new fields do not raise it.
const TuningSchema = 1

// A Tuning is one run of experiments with settings.
type Tuning struct {
	Schema    int             `json:"schema"`
	Tool      string          `json:"tool"`
	Args      []string        `json:"args"`
	Module    string          `json:"module,omitempty"`
	Started   time.Time       `json:"started"`
	Env       Environment     `json:"env"`
	Alpha     float64         `json:"alpha"`      // error rate of all claims together
	MinEffect float64         `json:"min_effect"` // what counts, as a fraction
	Memory    float64         `json:"memory"`     // most that a recommendation takes, as a multiple of the present peak
	Subjects  []TuningSubject `json:"subjects"`
	Warnings  []Warning       `json:"warnings,omitempty"`
	Stopped   string          `json:"stopped,omitempty"` // why it ended early: "interrupted", "budget"
	Split     Split           `json:"split"`
}

// A TuningSubject is what settings were tried on: a benchmark, or a program under
// a load command.
type TuningSubject struct {
	Benchmark *Benchmark `json:"benchmark,omitempty"`
	Program   string     `json:"program,omitempty"`
	PeakRSS   float64    `json:"peak_rss_b"` // under the present settings; 0 where not known
	Trials    []Tried    `json:"trials"`
	// Advice is what to set, with its reason. Choice is its place in Trials, and -1
	// stands for the present settings.
	Choice   int       `json:"choice"`
	Advice   string    `json:"advice"`
	Warnings []Warning `json:"warnings,omitempty"`
	Failed   string    `json:"failed,omitempty"` // why it was not tried
}

// A Tried is one setting against the present ones.
type Tried struct {
	Setting  string   `json:"setting"` // "GOGC=200", "-pgo=merged.pgo"
	Kind     string   `json:"kind"`    // as -try names it; two with a plus sign
	Standing Standing `json:"standing"`
	Why      string   `json:"why"`
	Verdict  *Verdict `json:"verdict,omitempty"`
	Guards   []Guard  `json:"guards,omitempty"`
	PeakRSS  float64  `json:"peak_rss_b,omitempty"`
	// GCShare is the collector's share of the CPU time: before and after.
	GCShare [2]float64 `json:"gc_share"`
	// Size is that of the file: before and after; 0 where it is the same file.
	Size     [2]float64 `json:"size_b"`
	Price    []string   `json:"price,omitempty"`    // what else it costs, in words
	Frontier bool       `json:"frontier,omitempty"` // nothing that was tried is better in time and memory
	Warnings []Warning  `json:"warnings,omitempty"`
}
