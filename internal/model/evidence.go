package model

import "time"

// EvidenceSchema is the version of the JSON form of an Evidence. It is raised when a
// field changes its meaning or goes; new fields do not raise it.
const EvidenceSchema = 1

// An EvidenceVerdict is what the evidence of a rule says, in one word.
type EvidenceVerdict string

// The verdicts on evidence.
const (
	EvidenceHolds     EvidenceVerdict = "holds"
	EvidenceWeaker    EvidenceVerdict = "weaker"    // there, but less than half of what is claimed
	EvidenceNotThere  EvidenceVerdict = "not there" // no gain worth having, or a loss
	EvidenceUndecided EvidenceVerdict = "undecided"
	EvidenceFailed    EvidenceVerdict = "failed" // before and after differ, do not build, or do not run
)

// An EvidenceResult is what was found out about one rule.
type EvidenceResult struct {
	Rule  string   `json:"rule"`
	Title string   `json:"title"`
	IDs   []string `json:"ids"`
	// What is claimed: which benchmark shows it, what falls, in words, and
	// before ÷ after, 0 where the claim has no number.
	Bench        string  `json:"bench"`
	Metric       string  `json:"metric"` // "cpu", "allocs" or "wall"
	Claimed      string  `json:"claimed"`
	ClaimedRatio float64 `json:"claimed_ratio,omitempty"`

	Verdict EvidenceVerdict `json:"verdict"`
	Why     string          `json:"why"`
	// Ratio is before ÷ after of the time that was compared, and RatioLo and
	// RatioHi its interval. All are 0 where nothing was measured; an end that
	// is not known is 0.
	Ratio   float64 `json:"ratio"`
	RatioLo float64 `json:"ratio_lo"`
	RatioHi float64 `json:"ratio_hi"`
	// Counts are allocs/op and B/op, Judged what the judge said of the times,
	// and Before and After the medians.
	Counts   []Exact   `json:"counts,omitempty"`
	Judged   *Verdict  `json:"judged,omitempty"`
	Plan     *Plan     `json:"plan,omitempty"`
	Before   *Stats    `json:"before,omitempty"`
	After    *Stats    `json:"after,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`

	GoVersion string    `json:"go_version"`
	CPU       string    `json:"cpu"`
	Time      time.Time `json:"time"`
	Seconds   float64   `json:"seconds"`
}

// Count returns a count by its metric.
func (r *EvidenceResult) Count(metric string) (Exact, bool) {
	for _, e := range r.Counts {
		if e.Metric == metric {
			return e, true
		}
	}
	return Exact{}, false
}

// An EvidenceExemption is an entry of the catalogue that there is no evidence for, and
// why.
type EvidenceExemption struct {
	Rule string   `json:"rule"`
	IDs  []string `json:"ids"`
	Why  string   `json:"why"`
	// NoRule says that there is no analyzer either.
	NoRule bool `json:"no_rule,omitempty"`
}

// An Evidence is one run of pawl evidence.
type Evidence struct {
	Schema   int                 `json:"schema"`
	Tool     string              `json:"tool"`
	Args     []string            `json:"args"`
	Started  time.Time           `json:"started"`
	Env      Environment         `json:"env"`
	Results  []EvidenceResult    `json:"results"`
	Exempt   []EvidenceExemption `json:"exempt"`
	Warnings []Warning           `json:"warnings,omitempty"`
	Stopped  string              `json:"stopped,omitempty"` // "budget", "interrupted"
	Split    Split               `json:"split"`
}

// Count returns how many results have a verdict.
func (r *Evidence) Count(v EvidenceVerdict) int {
	n := 0
	for _, res := range r.Results {
		if res.Verdict == v {
			n++
		}
	}
	return n
}
