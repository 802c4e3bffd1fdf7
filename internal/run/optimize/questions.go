package optimize

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/outside"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Parts of a question that are cut, so that a reader has room for the code.
const (
	mostNotes  = 40
	mostTried  = 12
	mostDetail = 1500
	mostDiff   = 6000
)

// frozen is what no proposal may change, as a proposer is told.
var frozen = []string{
	"files whose names end in _test.go, benchmarks, testdata, go.mod, go.sum, go.work and vendored code",
	"build constraints, compiler directives and cgo",
	"the exported API, and what it does: results, errors, panics, side effects, safety for concurrent use",
	"what it does not say: nothing may depend on whether a benchmark or a test is running, on how often it was called, or on answers that were worked out before",
}

// questions are what proposers may be asked about the version as it is: of the
// functions that cost most, those that there is something new to say about.
func (s *proposing) questions() []question {
	var out []question
	seen := make(map[string]bool)
	for _, t := range s.Run.Targets {
		if len(seen) == s.outside.perRound() {
			break
		}
		if seen[t.Func] {
			continue
		}
		f, ok := s.stack.now.Program().Describe(t.At)
		if !ok {
			continue
		}
		seen[t.Func] = true
		r := s.request(t.Func, f)
		for _, c := range s.outside.Commands {
			if q := (question{c, t.Func, key(c, r), r}); !s.outside.asked[q.key] {
				out = append(out, q)
			}
		}
	}
	return out
}

// key is the hash of what makes a question another one: figures differ from run
// to run, and nobody answers otherwise for that.
func key(c outside.Command, r outside.Request) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q", c.Line, r.Function.Symbol, r.Function.Body.Source)
	for _, t := range r.Tried {
		fmt.Fprintf(h, " %q %q", t.Title, t.Outcome)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// request is the question about one function.
func (s *proposing) request(symbol string, f outside.Function) outside.Request {
	v := s.stack.now
	first, last := f.Body.Line, f.Body.Line+lines(f.Body.Source)
	r := outside.Request{
		Schema: outside.Schema, Module: s.Run.Module, GoVersion: s.Run.Env.GoVersion, Round: s.outside.round + 1,
		SecondsLeft: s.budget.forTrying().Seconds(), Function: f, Frozen: frozen, Answer: outside.How,
	}
	for _, t := range s.Run.Targets {
		if t.Func == symbol {
			r.Costs = append(r.Costs, costOf(t, v.Leads(nil, t)))
		}
	}
	for _, n := range v.Notes().All() {
		text := fmt.Sprintf("%s: %s", n.At(), n.Message)
		if at := n.At(); at.File == f.Body.File && at.Line >= first && at.Line <= last && len(r.Compiler) < mostNotes && !slices.Contains(r.Compiler, text) {
			r.Compiler = append(r.Compiler, text)
		}
	}
	for _, x := range v.Found(f.Body.File, first, last) {
		r.Findings = append(r.Findings, outside.Finding{Rule: x.Rule, At: x.At.String(), Message: x.Message})
	}
	r.Tried = s.triedOn(symbol)
	return r
}

func lines(source string) (n int) {
	for _, c := range source {
		if c == '\n' {
			n++
		}
	}
	return n
}

func costOf(t model.Target, leads []model.Lead) outside.Cost {
	c := outside.Cost{
		At: t.At.String(), Benchmark: t.Benchmark.String(), Resource: string(t.Resource),
		PerOp: t.PerOp, Share: t.Share, Ceiling: t.Ceiling, Why: t.Reason.Text,
	}
	for _, l := range leads {
		c.Leads = append(c.Leads, l.Try)
	}
	return c
}

// triedOn is what became of earlier ideas about a function, the latest last.
func (s *proposing) triedOn(symbol string) []outside.Tried {
	out := slices.Clone(s.outside.refused[symbol])
	for _, a := range s.Run.Last() {
		if slices.ContainsFunc(a.Change.Targets, func(t model.Target) bool { return t.Func == symbol }) {
			out = append(out, triedOf(a))
		}
	}
	return out[max(0, len(out)-mostTried):]
}

func triedOf(a model.Attempt) outside.Tried {
	t := outside.Tried{Title: a.Change.Title, Diff: words.Clip(a.Diff, mostDiff), Outcome: string(a.Outcome), Reason: a.Reason}
	for _, c := range a.Checks {
		if !c.OK && c.Skipped == "" {
			t.Detail = words.Clip(c.Name+": "+c.Detail, mostDetail)
			break
		}
	}
	return t
}
