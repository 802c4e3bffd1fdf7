package difftest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// take puts what one process said to what is known.
func (r *runner) take(j job, e ended) {
	for _, rec := range e.records {
		for _, s := range rec.States {
			r.takeState(s)
		}
		id := rec.done()
		if id < 0 || id >= len(r.subjects) {
			continue
		}
		d := r.of(id)
		switch {
		case rec.Func != nil:
			if rec.Func.Inputs > 0 {
				r.recorded[j.pkg.ImportPath] = true
				r.begins(j.pkg.ImportPath, rec.Func.First)
			}
			if rec.Func.Pairs >= d.Pairs { // as takePairs
				d.reached, d.writes = rec.Func.Reached, rec.Func.Writes
			}
			d.takePairs(rec.Func.Driven)
			for _, k := range rec.Func.Took {
				d.took[k] = true
			}
		case rec.Concurrent.Beside && j.mode == modeBase && rec.Concurrent.Detail != "" && d.races():
			d.takeBase(rec.Concurrent.Calls, rec.Concurrent.Detail, "")
		case rec.Concurrent.Beside && j.mode == modeBase:
			d.baseBeside = d.baseBeside || rec.Concurrent.Calls > 0 && rec.Concurrent.Detail == ""
		case rec.Concurrent.Beside && rec.Concurrent.Detail != "":
			d.addDifferences([]model.Difference{{
				Kind: model.DiffConcurrent, Where: "calls beside others that use the same memory", Base: "as one after the other",
				Candidate: rec.Concurrent.Detail, Input: rec.Concurrent.Input, Times: 1,
			}})
		case rec.Concurrent.Beside:
		case j.mode == modeBase:
			d.takeBase(rec.Concurrent.Calls, rec.Concurrent.Detail, rec.Concurrent.Reason)
		default:
			d.takeCandidate(rec.Concurrent.Calls, rec.Concurrent.Detail, rec.Concurrent.Reason, rec.Concurrent.Input)
		}
	}
}

// begins notes a test that calls a function.
func (r *runner) begins(pkg, test string) {
	if r.first[pkg] == nil {
		r.first[pkg] = make(map[string]bool)
	}
	r.first[pkg][test] = true
}

// takePartly notes of the functions that a process drove which tests they have no
// inputs of: those that were left out for lack of time, or since the process did
// not come to driving with them.
func (r *runner) takePartly(s *session, e ended) {
	if s.mode != modePairs {
		return
	}
	why := s.sel.missing(s.pkg.ImportPath)
	began, left := e.cut()
	for _, rec := range e.records {
		if rec.Func == nil || rec.Func.Inputs == 0 || rec.Func.ID < 0 || rec.Func.ID >= len(r.subjects) {
			continue
		}
		d := r.of(rec.Func.ID)
		if left > 0 {
			d.note(fmt.Sprintf("what the rest of the tests of %s call it with: in the time for recording %d tests, subtests and benchmarks began, and %d more did not; %d inputs are from those that did",
				s.pkg.ImportPath, began, left, rec.Func.Inputs))
		}
		for _, w := range why {
			d.note(w)
		}
	}
}

// note adds to what of a function was not recorded, once.
func (d *driven) note(what string) {
	if !slices.Contains(d.partly, what) {
		d.partly = append(d.partly, what)
	}
}

func (r *runner) of(id int) *driven {
	if r.found[id] == nil {
		r.found[id] = &driven{took: make(map[int]bool)}
	}
	return r.found[id]
}

// takePairs merges what the pairs of one binary showed. The binary that drove
// more is believed about the rest; differences of all of them count.
func (d *driven) takePairs(now model.Driven) {
	if now.Inputs > 0 || now.Pairs > 0 {
		d.seen = true
	}
	was := d.Driven
	if now.Pairs < was.Pairs || was.Func != "" && now.Pairs == 0 {
		was, now = now, was
	}
	d.Driven = now
	d.Calls += was.Calls
	d.takeJudged(was.Judged)
	d.addDifferences(was.Differences)
}

// takeJudged adds what else was seen of the judging benchmarks. Each runs in one
// package; of two runs, the one that compared more is believed.
func (d *driven) takeJudged(more []model.Judged) {
	d.Judged = slices.Clone(d.Judged)
	for _, m := range more {
		at := slices.IndexFunc(d.Judged, func(x model.Judged) bool { return x.Benchmark == m.Benchmark })
		switch {
		case at < 0:
			d.Judged = append(d.Judged, m)
		case d.Judged[at].Inputs < m.Inputs:
			d.Judged[at] = m
		}
	}
}

func (d *driven) addDifferences(more []model.Difference) {
	for _, m := range more {
		at := slices.IndexFunc(d.Differences, func(x model.Difference) bool { return x.Kind == m.Kind && x.Where == m.Where })
		if at >= 0 {
			d.Differences[at].Times += m.Times
			continue
		}
		d.Differences = append(d.Differences, m)
	}
}

// baseRaces begins the reason why calls at the same time were not compared, where the
// base's race.
const baseRaces = "the base does not allow it"

// takeBase takes in whether the base may be called at the same time.
func (d *driven) takeBase(calls int, detail, reason string) {
	switch {
	case d.baseConcurrent && detail != "" && d.races(): // it only took longer to see
		d.baseConcurrent, d.Concurrent, d.NoConcurrent = false, false, baseRaces+", now and then: "+detail
		d.Differences = slices.DeleteFunc(d.Differences, isConcurrent)
	case d.baseConcurrent:
	case detail != "":
		d.NoConcurrent = baseRaces + ": " + detail
	case calls == 0:
		d.NoConcurrent = cmp.Or(reason, "nothing was called")
	default:
		d.baseConcurrent, d.NoConcurrent = true, ""
	}
}

func (d *driven) takeCandidate(calls int, detail, reason, input string) {
	switch {
	case detail != "":
		d.Concurrent = true
		d.addDifferences([]model.Difference{{
			Kind: model.DiffConcurrent, Where: "calls at the same time", Base: "as one after the other", Candidate: detail, Input: input, Times: 1,
		}})
	case calls > 0:
		d.Concurrent = true
	case !d.Concurrent:
		d.NoConcurrent = reason
	}
}

// died takes in that a process died while it drove a function, and chooses what
// the next one leaves out.
func (r *runner) died(s *session, at spot, e ended) {
	if at.ID >= len(r.subjects) {
		return
	}
	d := r.of(at.ID)
	why := e.cause(r.memory(s.job))
	if s.mode == modePairs && !(e.inCandidate(at.ID) && !(at.heavy && e.outOfMemory())) && r.without(s, at, e, why) {
		return
	}
	s.skip = append(s.skip, at.ID)
	switch {
	case s.mode == modeBase && d.races():
		d.takeBase(0, "calls at the same time end the process: "+why, "")
	case s.mode == modeBase && d.baseConcurrent: // beside others, which is not asked of the candidate then
	case s.mode == modeBase:
		d.NoConcurrent = "calls of the base at the same time end the process: " + why
	case s.mode == modeCandidate && e.late: // a call that hangs is found by the driver
		d.NoConcurrent = "the time did not suffice for the candidate"
	case s.mode == modeCandidate:
		d.Concurrent = true
		d.addDifferences([]model.Difference{{
			Kind: model.DiffConcurrent, Where: "calls at the same time", Base: "return", Candidate: why, Times: 1,
		}})
	case e.inCandidate(at.ID):
		// The base is called first, and has returned.
		d.seen = true
		d.addDifferences([]model.Difference{{
			Kind: model.DiffPanic, Where: "the process", Base: "returns", Candidate: "ends the process: " + why, Times: 1,
		}})
		r.dead[at.ID] = why
	default:
		why = fmt.Sprintf("the process ended while it was driven (%s): %s", at, why)
		r.dead[at.ID] = why
		if d.seen {
			d.Uncompared = append(d.Uncompared, why)
		}
	}
}

// without makes the next process leave out the input that one died of, and the
// phase after the second. It reports false where the process died since its time
// was over.
func (r *runner) without(s *session, at spot, e ended, why string) bool {
	switch {
	case e.late:
		return false
	case s.died[at.whole()]:
		s.avoid = append(s.avoid, at.whole())
		r.of(at.ID).note(fmt.Sprintf("the rest of the phase %q: more than one of its inputs ends the process", at.Phase))
	default:
		s.avoid, s.died[at.whole()] = append(s.avoid, at.one()), true
		r.of(at.ID).note(fmt.Sprintf("one input (%s): the process ends in it: %s", at, why))
	}
	return true
}

// takeState keeps the larger of two sights of a state.
func (r *runner) takeState(s model.State) {
	was, ok := r.state[s.Name]
	if !ok {
		r.state[s.Name] = s
		return
	}
	was.Retained = max(was.Retained, s.Retained)
	was.Instances = max(was.Instances, s.Instances)
	was.Grows = was.Grows || s.Grows
	was.Detail = cmp.Or(was.Detail, s.Detail)
	r.state[s.Name] = was
}

// allStates returns the state that the source shows with what driving showed.
func (r *runner) allStates() []model.State {
	var out []model.State
	for _, d := range r.states {
		s := d.State
		if seen, ok := r.state[s.Name]; ok {
			s.Retained, s.Instances, s.Grows, s.Detail = seen.Retained, seen.Instances, seen.Grows, seen.Detail
			s.Bound = cmp.Or(s.Bound, seen.Bound)
		}
		out = append(out, s)
	}
	return out
}

// say notes what holds for every function, once.
func (r *runner) say(what string) {
	if !slices.Contains(r.said, what) {
		r.said = append(r.said, what)
	}
}

func (r *runner) functions() []model.Driven {
	out := r.Functions()
	for id := range out {
		d, ok := r.found[id]
		if !ok || !d.seen {
			out[id].Skipped = cmp.Or(out[id].Skipped, r.dead[id], r.unseen(d))
			if ok {
				out[id].Judged = d.Judged
			}
			continue
		}
		at, name := out[id].At, out[id].Func
		out[id] = d.Driven
		out[id].At, out[id].Func = at, name
		if out[id].Pairs == 0 && out[id].OK() {
			out[id].Skipped = strings.Join(append([]string{"none of its calls could be compared"}, d.Uncompared...), "; ")
		}
		if out[id].OK() {
			r.subjects[id].deleted(&out[id], d.took)
		}
		sorted.By(out[id].Differences, func(a, b model.Difference) int { return cmp.Compare(b.Times, a.Times) })
		if out[id].Pairs < r.cfg.Pairs {
			out[id].Uncompared = append(out[id].Uncompared, fmt.Sprintf("only %d of %d pairs of calls were compared", out[id].Pairs, r.cfg.Pairs))
		}
		out[id].Uncompared = slices.Concat(out[id].Uncompared, d.partly, r.said)
	}
	return r.fold(out)
}

// notCalled is what package pawldrive says about a function without calls.
const notCalled = "no test and no benchmark calls it"

// noTests is why nothing was recorded where there is nothing that could be.
const noTests = "there are no tests or benchmarks to record its inputs"

// Uncalled reports whether a function was not driven because no test or
// benchmark calls it: one that does would let it be driven.
func Uncalled(d model.Driven) bool { return d.Skipped == notCalled || d.Skipped == noTests }

// unseen says why nothing drove a function that could have been driven. That
// nothing calls it is only known where all tests have run.
func (r *runner) unseen(d *driven) string {
	called := d != nil && d.Skipped != "" && d.Skipped != notCalled
	switch {
	case called:
		return d.Skipped
	case len(r.cfg.Tests) == 0:
		return noTests
	case len(r.said) > 0 && len(r.ended) == 0:
		return r.said[0]
	case slices.Contains(slices.Collect(maps.Values(r.late)), true):
		return "the time did not suffice for all tests and benchmarks, and those that ran do not call it"
	case len(r.said) > 0:
		return "no test and no benchmark that ran calls it, and " + r.said[0]
	}
	return notCalled
}
