package state

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// Where not all tests end in their time with the race detector, the quickest are run, for
// half of it. A package that was not reached is left out, and a new one is run whole.
func TestSampleRace(t *testing.T) {
	var warned []model.Warning
	m := &Module{RaceTime: 10 * time.Second, Warn: func(w model.Warning) { warned = append(warned, w) }}
	tested := func(pkg string) guard.Tested { return guard.Tested{Pkg: gocmd.Package{ImportPath: pkg}} }
	ts := &Tests{name: RaceCheck, bins: []guard.Tested{tested("a"), tested("b")}}
	if m.sampleRace(ts, [][]guard.Passed{nil, nil}) || m.Only != nil {
		t.Error("a sample of nothing")
	}
	ran := []guard.Passed{{Name: "TestSlow", Took: 4 * time.Second}, {Name: "TestQuick", Took: time.Second}, {Name: "TestQuicker"}}
	if !m.sampleRace(ts, [][]guard.Passed{ran, nil}) || len(warned) != 1 {
		t.Error("no sample, or no word on it")
	}
	want := map[string][]string{"a": {"TestQuicker", "TestQuick", "TestSlow"}, "b": nil}
	if diff := cmp.Diff(want, m.Only[RaceCheck]); diff != "" {
		t.Error(diff)
	}
	ts.bins = append(ts.bins, tested("c"))
	got := m.sampled(ts)
	if len(got) != 2 || len(got[0].Only) != 3 || got[1].Pkg.ImportPath != "c" || got[1].Only != nil {
		t.Errorf("%+v", got)
	}
}

// Which tests will end with the race detector is told by what they took without: those that compute take five times as long at
// least, those that wait do not.
func TestForesee(t *testing.T) {
	ran := [][]guard.Passed{{{Name: "TestA", Took: time.Second}, {Name: "TestSlow", Took: 20 * time.Second}, {Name: "TestB", Took: time.Second}}}
	for _, tt := range []struct {
		name    string
		seconds float64
		cpu     time.Duration
		want    []string
	}{
		{"computes", 22, 22 * time.Second, []string{"TestA"}},
		{"waits", 22, 0, []string{"TestA", "TestB"}},
		{"computes and is quick", 1.9, 1900 * time.Millisecond, nil},
		{"waits and is quick", 9, 0, nil},
	} {
		m := &Module{RaceTime: 10 * time.Second, Warn: func(w model.Warning) { t.Errorf("%s: %s before anything ran", tt.name, w.Seen) }}
		ts := &Tests{name: testCheck, bins: []guard.Tested{{Pkg: gocmd.Package{ImportPath: "a"}}}}
		m.foresee(ts, model.Check{OK: true, Seconds: tt.seconds}, ran, tt.cpu)
		if diff := cmp.Diff(tt.want, m.Only[RaceCheck]["a"]); diff != "" || m.foreseen != len(tt.want) {
			t.Errorf("%s: %s", tt.name, diff)
		}
		// Where the race detector cannot be used, nothing is looked for in a sample.
		if _, _, err := m.raceOnce(t.Context(), &Tests{decided: &model.Check{Skipped: "no C compiler"}}, nil); err != nil {
			t.Error(err)
		}
	}
}

// What a change shows of the race detector beside the next one is known to that: the race detector finds it where that is no
// matter of synchronisation.
func TestNoRaceBeside(t *testing.T) {
	m := &Module{Warn: func(model.Warning) {}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.raceFails(model.Check{})
	}()
	if tests, err := m.New("c1").BuildTests(t.Context(), nil, true); err != nil || len(tests.bins) > 0 {
		t.Errorf("%+v, %v", tests, err)
	}
	<-done
	tests, err := m.New("c2").BuildTests(t.Context(), nil, true)
	if err != nil || tests.decided == nil || tests.decided.Skipped != "the base fails under it already" {
		t.Errorf("%+v, %v", tests, err)
	}
}
