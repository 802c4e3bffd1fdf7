package state

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// NoRace returns why the race detector cannot be used; "" where it can. A change that is shown beside what is tried next may find
// that out.
func (m *Module) NoRace() string {
	if why := m.noRace.Load(); why != nil {
		return *why
	}
	return ""
}

// GiveUpRace notes why the race detector cannot be used.
func (m *Module) GiveUpRace(why string) { m.noRace.Store(&why) }

// RaceFirst runs tests with the race detector on a change, for RaceTime at most: then those that
// passed are all that is known. Most changes pass, so that base is only asked where one fails, in
// its package, and only if its binary is built where without is nil: else that is the context in
// which the go command sees the tree as base is. If it fails there, too, nothing is said against
// the change.
func (m *Module) RaceFirst(ctx context.Context, t *Tests, among []int, base *State, without context.Context) (model.Check, *guard.Failing, error) {
	c, bad, err := m.raceOnce(ctx, t, among)
	if err != nil || bad == nil || without == nil && !base.hasRaced(bad.Pkg) {
		return c, bad, err
	}
	if without != nil { // else the next change is what is shown
		m.Watch.Detail("race without the change")
	}
	before, err := base.buildTests(cmp.Or(without, ctx), []gocmd.Package{bad.Pkg}, true)
	if err != nil {
		return c, bad, err
	}
	was, failed, err := m.RunTests(ctx, before, among)
	if err != nil || failed == nil {
		return c, bad, err
	}
	m.raceFails(was)
	return model.Check{Name: t.name, Skipped: m.NoRace()}, nil, nil
}

// raceOnce runs tests with the race detector for RaceTime at most.
func (m *Module) raceOnce(ctx context.Context, t *Tests, among []int) (c model.Check, bad *guard.Failing, err error) {
	if t.decided == nil {
		m.sampledRace(m.foreseen)
		m.foreseen = 0
	}
	passed, _ := noting(t.bins)
	defer forget(t.bins)
	failed := make([][]string, len(t.bins))
	for i := range t.bins {
		t.bins[i].Failed = &failed[i]
	}
	over := true
	err = m.inRaceTime(ctx, func(ctx context.Context) (err error) {
		c, bad, err = m.RunTests(ctx, t, among)
		over = err != nil
		return err
	}, func() bool { return m.sampleRace(t, passed) })
	if err != nil || !over {
		return c, bad, err
	}
	for i, b := range t.bins { // the time was over, and what failed before that counts
		if len(failed[i]) > 0 {
			c := model.Check{Name: t.name, Detail: b.Pkg.ImportPath + ": --- FAIL: " + strings.Join(failed[i], ", ")}
			return c, &guard.Failing{Pkg: b.Pkg, Tests: failed[i]}, nil
		}
	}
	if why := m.NoRace(); why != "" {
		return model.Check{Name: t.name, Skipped: why}, nil, nil
	}
	return model.Check{Name: t.name, OK: true, Sample: len(slices.Concat(passed...))}, nil, nil
}

// raceFails notes that tests of the base fail under the race detector.
func (m *Module) raceFails(c model.Check) {
	m.GiveUpRace("the base fails under it already")
	m.Warn(model.Warning{Seen: "the base's tests fail under the race detector", Cause: c.Detail, Try: "fix that first; until then no change is checked for races"})
}

// inRaceTime does something with the race detector, as long as that may take. What does not end
// is not tried again, unless instead has another way.
func (m *Module) inRaceTime(ctx context.Context, do func(context.Context) error, instead func() bool) error {
	if m.RaceTime == 0 {
		return do(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, m.RaceTime)
	defer cancel()
	err := do(limited)
	if limited.Err() == nil || ctx.Err() != nil || err == nil {
		return err
	}
	if instead != nil && instead() {
		return nil
	}
	m.slowRace.Store(true)
	m.GiveUpRace(fmt.Sprintf("it takes longer than %s, the part of the budget that is for it", words.Seconds(m.RaceTime.Seconds())))
	m.Warn(model.Warning{
		Seen:  "no change is checked for races: " + m.NoRace(),
		Cause: "tests that take long, or a toolchain that is built for the race detector for the first time",
		Try:   "a larger -budget, -short, or go test -race on what is kept",
	})
	return nil
}

// sampleRace chooses the tests that are run with the race detector, where on the base
// not all of them ended in the time for it. It reports false where none passed.
func (m *Module) sampleRace(t *Tests, passed [][]guard.Passed) bool {
	return m.sampledRace(m.sample(RaceCheck, t, passed, m.RaceTime))
}

// raceSlows is how many times as much CPU time tests take with the race detector at least, by
// https://go.dev/doc/articles/race_detector#Runtime_Overheads.
const raceSlows = 5

// foresee chooses the tests that are run with the race detector where all of them cannot end in the time for it, by what
// c has shown of them without. In the order of the source a slow one may take all of it.
func (m *Module) foresee(t *Tests, c model.Check, passed [][]guard.Passed, cpu time.Duration) {
	slower := 1 + (raceSlows-1)*cpu.Seconds()/max(c.Seconds, 1e-3)
	if c.OK && m.RaceTime > 0 && m.Only[RaceCheck] == nil && c.Seconds*slower > m.RaceTime.Seconds() {
		m.foreseen = m.sample(RaceCheck, t, passed, time.Duration(float64(m.RaceTime)/slower))
	}
}

// sampledRace says that n tests are run with the race detector; it reports false where none is.
func (m *Module) sampledRace(n int) bool {
	if n == 0 {
		return false
	}
	m.Warn(model.Warning{
		Seen:  fmt.Sprintf("races are looked for in a sample: %s, the quickest", words.Plural(n, "test")),
		Cause: fmt.Sprintf("with the race detector not all end in %s, the part of the budget that is for it", words.Seconds(m.RaceTime.Seconds())),
		Try:   "a larger -budget, -short, or go test -race on what is kept",
	})
	return true
}
