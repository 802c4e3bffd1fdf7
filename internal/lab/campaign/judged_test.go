package main

import (
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/judge"
)

// rules are the ones that compare and gate judge by.
func (j Judged) rules() judge.Rules {
	r := judge.RegressRules()
	r.Alpha, r.MinEffect = j.Alpha, j.Least
	return r
}

// replay judges the log ratios again, and returns the answers of both stages as
// pawl gave them. Test binaries that were built elsewhere have no second one.
func (j Judged) replay(prebuilt bool) (answer, screen string, err error) {
	first, err := judged(j.rules(), j.Duets)
	if err != nil {
		return "", "", err
	}
	if len(j.Links) > 0 && j.Screen != "" { // else they were looked at, and agree
		second, err := judged(j.rules(), j.Links)
		return string(second.Answer), string(first.Answer), err
	}
	if v := verdictOf(first); !prebuilt && verdict.NeedsLinks(v) {
		return string(judge.Undecided), "", nil // not separable from layout
	}
	return string(first.Answer), "", nil
}

// doubted reports whether fresh links were asked before all of the duets were looked at.
func (j Judged) doubted() bool {
	s := judge.NewSequence(j.rules())
	for _, d := range j.Duets {
		if s.Add(d) == nil && trial.Doubts(verdict.Rules{Judge: j.rules()}, s.Decision()) {
			return true
		}
	}
	return false
}

func judged(r judge.Rules, ds []float64) (judge.Decision, error) {
	s := judge.NewSequence(r)
	for _, d := range ds {
		if err := s.Add(d); err != nil {
			return judge.Decision{}, err
		}
	}
	return s.Decision(), nil
}
