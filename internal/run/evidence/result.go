package evidence

import (
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Schema is the version of the JSON form of a Report. It is raised when a field
// changes its meaning or goes; new fields do not raise it.
const Schema = 1

// A Verdict is what the evidence of a rule says, in one word.
type Verdict string

// The verdicts.
const (
	Holds     Verdict = "holds"
	Weaker    Verdict = "weaker"    // there, but less than half of what is claimed
	NotThere  Verdict = "not there" // no gain worth having, or a loss
	Undecided Verdict = "undecided"
	Failed    Verdict = "failed" // before and after differ, do not build, or do not run
)

// A Result is what was found out about one rule.
type Result struct {
	Rule  string   `json:"rule"`
	Title string   `json:"title"`
	IDs   []string `json:"ids"`
	// What is claimed: which benchmark shows it, what falls, in words, and
	// before ÷ after, 0 where the claim has no number.
	Bench        string  `json:"bench"`
	Metric       string  `json:"metric"` // "cpu", "allocs" or "wall"
	Claimed      string  `json:"claimed"`
	ClaimedRatio float64 `json:"claimed_ratio,omitempty"`

	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why"`
	// Ratio is before ÷ after of the time that was compared, and RatioLo and
	// RatioHi its interval. All are 0 where nothing was measured; an end that
	// is not known is 0.
	Ratio   float64 `json:"ratio"`
	RatioLo float64 `json:"ratio_lo"`
	RatioHi float64 `json:"ratio_hi"`
	// Counts are allocs/op and B/op, Judged what the judge said of the times,
	// and Before and After the medians.
	Counts   []model.Exact   `json:"counts,omitempty"`
	Judged   *model.Verdict  `json:"judged,omitempty"`
	Plan     *model.Plan     `json:"plan,omitempty"`
	Before   *model.Stats    `json:"before,omitempty"`
	After    *model.Stats    `json:"after,omitempty"`
	Warnings []model.Warning `json:"warnings,omitempty"`

	GoVersion string    `json:"go_version"`
	CPU       string    `json:"cpu"`
	Time      time.Time `json:"time"`
	Seconds   float64   `json:"seconds"`
}

// count returns a count by its metric.
func (r *Result) count(metric string) (model.Exact, bool) {
	for _, e := range r.Counts {
		if e.Metric == metric {
			return e, true
		}
	}
	return model.Exact{}, false
}

// An Exemption is an entry of the catalogue that there is no evidence for, and
// why.
type Exemption struct {
	Rule string   `json:"rule"`
	IDs  []string `json:"ids"`
	Why  string   `json:"why"`
	// NoRule says that there is no analyzer either.
	NoRule bool `json:"no_rule,omitempty"`
}

// A Report is one run of pawl evidence.
type Report struct {
	Schema   int               `json:"schema"`
	Tool     string            `json:"tool"`
	Args     []string          `json:"args"`
	Started  time.Time         `json:"started"`
	Env      model.Environment `json:"env"`
	Results  []Result          `json:"results"`
	Exempt   []Exemption       `json:"exempt"`
	Warnings []model.Warning   `json:"warnings,omitempty"`
	Stopped  string            `json:"stopped,omitempty"` // "budget", "interrupted"
	Split    model.Split       `json:"split"`
}

// ReadReport reads a report that was written as JSON.
func ReadReport(name string) (*Report, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading a run of pawl evidence: %w", err)
	}
	rep := new(Report)
	if err := json.Unmarshal(data, rep); err != nil {
		return nil, fmt.Errorf("%s is not what pawl evidence -json writes: %w", name, err)
	}
	if rep.Schema != Schema || !version.IsValid(rep.Env.GoVersion) {
		return nil, fmt.Errorf("%s is not what this pawl evidence -json writes: schema %d, Go version %q", name, rep.Schema, rep.Env.GoVersion)
	}
	return rep, nil
}

// Count returns how many results have a verdict.
func (r *Report) Count(v Verdict) int {
	n := 0
	for _, res := range r.Results {
		if res.Verdict == v {
			n++
		}
	}
	return n
}

// Exempt says why there is no evidence to run for a rule; "" when there is.
func Exempt(r rule.Rule) string {
	switch {
	case r.Missing != "":
		return r.Missing
	case r.Evidence == nil:
		return "no evidence yet"
	}
	return r.Evidence.Exempt
}
