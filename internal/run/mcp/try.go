package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
)

type tryIn struct {
	scope
	Diff string `json:"diff,omitempty" jsonschema:"the change as a unified diff, relative to the top of the repository"`
	Ref  string `json:"ref,omitempty" jsonschema:"the change as a git ref instead: a branch, or a commit"`
}

type tryOut struct {
	attempt
	// Part is what of the change needs no consent, where it was judged without the
	// rest, which the attempt is about then.
	Part     *part           `json:"part,omitempty" jsonschema:"what of the change needs no consent, judged by itself; all else here is about the rest"`
	Run      string          `json:"run,omitempty"`
	Output   string          `json:"output" jsonschema:"id of the whole output, for more"`
	Warnings []model.Warning `json:"warnings,omitempty"`
	Next     string          `json:"next"`
}

// A part is an attempt at a part of a change.
type part struct {
	attempt
	Diff string `json:"diff"`
	Next string `json:"next"`
}

// An attempt is one change that was tried, in short.
type attempt struct {
	Change  string `json:"change" jsonschema:"its title"`
	Outcome string `json:"outcome" jsonschema:"kept: proven; kept, not compared; undecided; rolled back: refuted"`
	Reason  string `json:"reason"`
	// Failed are the checks that it did not pass, in their tools' own words.
	Failed []string `json:"failed,omitempty"`
	// Differs is how it behaves otherwise than the base.
	Differs    []string `json:"differs,omitempty"`
	Consent    []string `json:"consent,omitempty" jsonschema:"what only a person may allow, each with its kind"`
	Uncompared []string `json:"uncompared,omitempty" jsonschema:"behaviour that could not be compared with the base's"`
	Counts     []string `json:"counts,omitempty" jsonschema:"allocations that changed"`
	Speed      []string `json:"speed,omitempty" jsonschema:"CPU time per operation, with its interval"`
}

func attemptOf(a model.Attempt) attempt {
	out := attempt{Change: a.Change.Title, Outcome: string(a.Outcome), Reason: a.Reason, Uncompared: a.Uncompared}
	for _, c := range a.Checks {
		if !c.OK && c.Skipped == "" {
			out.Failed = append(out.Failed, clip(c.Name+": "+c.Detail))
		}
	}
	for _, d := range a.Driven {
		for _, x := range d.Differences {
			out.Differs = append(out.Differs, clip(fmt.Sprintf("%s, %s: %s before, %s now, for %s", d.Func, x.Where, x.Base, x.Candidate, x.Input)))
		}
	}
	for _, p := range a.Suspicions {
		out.Consent = append(out.Consent, fmt.Sprintf("%s: %s", p.Kind, p.Detail))
	}
	for _, c := range a.Counts {
		if !c.Equal() {
			out.Counts = append(out.Counts, fmt.Sprintf("%s: %s %s → %s", c.Benchmark, c.Metric, figure.Exact(c.Metric, c.Before), figure.Exact(c.Metric, c.After)))
		}
	}
	for _, v := range a.Verdicts {
		out.Speed = append(out.Speed, speed(&v))
	}
	return out
}

// speed says what was measured of one benchmark.
func speed(v *model.Verdict) string {
	return fmt.Sprintf("%s: %s, %s", v.Benchmark, v.Answer, figure.Estimate(*v))
}

// try hands a change to the guard and the judge.
func (s *Server) try(ctx context.Context, c *call, in tryIn) (tryOut, error) {
	flags, err := in.flags(s.Budget)
	if err != nil {
		return tryOut{}, err
	}
	if len(s.Allow) > 0 {
		flags = append(flags, "-allow="+strings.Join(s.Allow, ","))
	}
	change, done, err := in.change()
	if err != nil {
		return tryOut{}, err
	}
	defer done()
	data, id, err := c.run(ctx, job{verb: "try", flags: flags, operands: append([]string{change}, in.Packages...), turn: true, foreign: true})
	if err != nil {
		return tryOut{}, err
	}
	r, err := unmarshal[model.Run]("try", data)
	if err != nil || len(r.Attempts) == 0 {
		return tryOut{}, errors.Join(err, errors.New("nothing was tried: "+seen(r.Warnings)))
	}
	a := r.Attempts[0]
	out := tryOut{attempt: attemptOf(a), Run: r.ID, Output: id, Warnings: append(r.Warnings, a.Warnings...), Next: next(a.Outcome)}
	if len(r.Attempts) > 1 {
		p := r.Attempts[1]
		out.Part, out.Warnings = &part{attemptOf(p), p.Diff, next(p.Outcome)}, append(out.Warnings, p.Warnings...)
	}
	return out, nil
}

// change returns what pawl try is to be called with: the ref, or a file with the
// diff that done removes.
func (in tryIn) change() (operand string, done func(), err error) {
	if (in.Diff == "") == (in.Ref == "") {
		return "", nil, errors.New("give the change either as diff or as ref")
	}
	if in.Ref != "" {
		if strings.HasPrefix(in.Ref, "-") || strings.ContainsAny(in.Ref, `/\`) && filepath.IsAbs(in.Ref) {
			return "", nil, fmt.Errorf("%q is no git ref", in.Ref)
		}
		return in.Ref, func() {}, nil
	}
	dir, err := gocmd.NewScratch("", "mcp")
	if err != nil {
		return "", nil, err
	}
	done = func() { _ = dir.Remove() } // the next pawl sweeps what is left
	file := filepath.Join(dir.Dir, "change.patch")
	if err := os.WriteFile(file, []byte(in.Diff), 0o600); err != nil {
		done()
		return "", nil, err
	}
	return file, done, nil
}

// next says what an agent does after an outcome.
func next(o model.Outcome) string {
	switch {
	case o == model.Kept:
		return "it is proven: apply it to the tree; the user's files were not changed"
	case o.Kept():
		return "measured, but no changed function could be compared with the base: tell the user so, and let a person decide"
	case o == model.Unsettled:
		return "neither shown nor refuted: the reason says what is missing, such as a larger budget or a benchmark that runs the changed lines"
	}
	return "it is refuted: read the reason, and try another idea rather than a variant that hides the same one"
}
