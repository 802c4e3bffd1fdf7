package model

import "time"

// A Score is what pawl makes of a corpus of real commits.
type Score struct {
	Schema  int         `json:"schema"`
	Tool    string      `json:"tool"`
	Args    []string    `json:"args"`
	Started time.Time   `json:"started"`
	Env     Environment `json:"env"`
	Budget  float64     `json:"budget_s"` // of optimize, and of try, in each row
	Rows    []Scored    `json:"rows"`
	Stopped string      `json:"stopped,omitempty"` // why it ended early
}

// A Scored is one row of a corpus: a parent, the fix that upstream made of it,
// and what pawl says about both.
type Scored struct {
	ID      string `json:"id"`
	Line    int    `json:"line"` // of the corpus file
	Repo    string `json:"repo"`
	Parent  string `json:"parent"`
	Fix     string `json:"fix"`
	Package string `json:"package"`
	Bench   string `json:"bench,omitempty"`

	// Failed is why the row could not be scored; Notes is what was done to make
	// its parent build and its benchmark run.
	Failed string   `json:"failed,omitempty"`
	Notes  []string `json:"notes,omitempty"`

	// Targets is how many places the plan has. Rank is that of the first target
	// whose line, or whose flow in the compiler's notes, upstream's fix changed; 0
	// where there is none. InFunc is the same for the functions that the fix changed.
	Targets int     `json:"targets"`
	Rank    int     `json:"rank"`
	InFunc  int     `json:"rank_in_func"`
	Right   *Target `json:"right,omitempty"` // the target of Rank, or of InFunc
	Top     []Top   `json:"top,omitempty"`   // the first lines of the plan
	// Reachable is false where no benchmark runs a changed line in its loop: then
	// there is no right line to be found.
	Reachable bool `json:"reachable"`

	Tried     int         `json:"tried"`                 // changes
	Kept      []string    `json:"kept,omitempty"`        // titles of the changes
	Own       []ScoreGain `json:"own,omitempty"`         // gains of the tree that pawl made
	Upstream  []ScoreGain `json:"upstream,omitempty"`    // gains of the fix
	AllocPart *float64    `json:"alloc_share,omitempty"` // pawl's allocation gain over upstream's
	CPUPart   *float64    `json:"cpu_share,omitempty"`   // the same of CPU time
	// Broken is what is wrong with the tree that pawl made, by upstream's tests of
	// the fix and those of the packages that import it; Checked says what was run.
	Broken  string `json:"broken,omitempty"`
	Checked string `json:"checked,omitempty"`

	Verdict  ScoreVerdict    `json:"verdict"`            // on upstream's fix
	Why      string          `json:"why,omitempty"`      // the verdict is so
	Needs    []SuspicionKind `json:"needs,omitempty"`    // what a person would have to allow
	Expected string          `json:"expected,omitempty"` // by the corpus
	Accept   []ScoreVerdict  `json:"accept,omitempty"`   // verdicts that the corpus accepts
	Accepted bool            `json:"accepted"`           // whether the verdict is one of them
	Warnings []Warning       `json:"warnings,omitempty"` // of the trial of upstream's fix

	// Stopped is why the row has no more than its verdict: "interrupted".
	Stopped string  `json:"stopped,omitempty"`
	Seconds float64 `json:"seconds"`
}

// A Top is one line of a plan.
type Top struct {
	Rank   int    `json:"rank"`
	At     Pos    `json:"at"`
	Func   string `json:"func"`
	Reason Reason `json:"reason"`
}

// A ScoreGain is what one benchmark showed.
type ScoreGain struct {
	Benchmark Benchmark `json:"benchmark"`
	Counts    []Exact   `json:"counts,omitempty"`
	Verdict   *Verdict  `json:"verdict,omitempty"`
}

// A ScoreVerdict is what pawl says about a fix that somebody made.
type ScoreVerdict string

// The verdicts, as the corpus' column acceptable_verdicts takes them.
const (
	ScoreKept        ScoreVerdict = "kept"            // proven, and behaviour is the same
	ScoreIfAllowed   ScoreVerdict = "kept if allowed" // proven, but it does something that a person has to consent to
	ScoreRefused     ScoreVerdict = "refused"         // by the guard: behaviour, tests, what looks like a cheat
	ScoreLowValue    ScoreVerdict = "low value"       // it saves too little of the production profile
	ScoreWorse       ScoreVerdict = "worse"           // slower, or it allocates more
	ScoreNoEffect    ScoreVerdict = "no effect"       // no worthwhile effect
	ScoreUndecided   ScoreVerdict = "undecided"       // the budget did not suffice, or the figures are unsteady
	ScoreNotCovered  ScoreVerdict = "not covered"     // no benchmark runs the changed lines in its loop
	ScoreNoBenchmark ScoreVerdict = "no benchmark"    // there is nothing to judge it by
)

// ScoreVerdicts returns the verdicts, the best first.
func ScoreVerdicts() []ScoreVerdict {
	return []ScoreVerdict{
		ScoreKept, ScoreIfAllowed, ScoreRefused, ScoreLowValue, ScoreWorse, ScoreNoEffect, ScoreUndecided, ScoreNotCovered, ScoreNoBenchmark,
	}
}
