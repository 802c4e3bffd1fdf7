package watch

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/model"
)

// A round that was due while pawl was away is a gap, also after a short time; one that
// was not due is none.
func TestAbsence(t *testing.T) {
	at := func(seconds float64) time.Time {
		return time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
	}
	to, err := ParseTarget("api=http://127.0.0.1:1", "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		last  ring.Capture
		begun float64
		gap   bool
	}{
		{"on time", ring.Capture{From: at(0), Until: at(10)}, 60.2, false},
		{"back before the next", ring.Capture{From: at(0), Until: at(10)}, 40, false},
		{"killed in a round, and back", ring.Capture{From: at(0), Until: at(10)}, 64, true},
		{"away for long", ring.Capture{From: at(0), Until: at(10)}, 7200, true},
		{"a slow round", ring.Capture{From: at(0), Until: at(85)}, 85.1, false},
		{"after a round that gave nothing", ring.Capture{From: at(0), Until: at(5), Gap: "EOF"}, 60, false},
		{"after a gap that went on", ring.Capture{From: at(-600), Until: at(0), Gap: "EOF"}, 59, false},
		{"away after a gap", ring.Capture{From: at(-600), Until: at(0), Gap: "EOF"}, 62, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := ring.Open(t.TempDir(), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if err := r.Add(tt.last, nil); err != nil {
				t.Fatal(err)
			}
			w := &watcher{o: Options{Interval: time.Minute, Say: func(string) {}}, t: to, r: r, said: map[string]bool{}}
			if err := w.absence(at(tt.begun)); err != nil {
				t.Fatal(err)
			}
			all := r.Captures()
			if got := all[len(all)-1]; (len(all) == 2) != tt.gap || tt.gap && !(got.From.Equal(tt.last.Until) && got.Until.Equal(at(tt.begun))) {
				t.Errorf("%+v", all)
			}
		})
	}
}

// Another start of the program is noticed by its counters, or by its build.
func TestFollow(t *testing.T) {
	before := ring.Capture{Run: 3, Build: "a", Metrics: map[string]float64{allocatedBytes: 10}}
	for _, tt := range []struct {
		name string
		now  ring.Capture
		run  int
	}{
		{"goes on", ring.Capture{Build: "a", Metrics: map[string]float64{allocatedBytes: 12}}, 3},
		{"no profile of the CPU", ring.Capture{Metrics: map[string]float64{allocatedBytes: 12}}, 3},
		{"allocated less", ring.Capture{Build: "a", Metrics: map[string]float64{allocatedBytes: 9}}, 4},
		{"another build", ring.Capture{Build: "b", Metrics: map[string]float64{allocatedBytes: 12}}, 4},
		{"another instance", ring.Capture{Instance: "pod", Build: "b"}, 1},
	} {
		r, err := ring.Open(t.TempDir(), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Add(before, nil); err != nil {
			t.Fatal(err)
		}
		got := taken{Capture: tt.now}
		(&service{}).follow(&got, r)
		if got.Run != tt.run {
			t.Errorf("%s: start %d, not %d", tt.name, got.Run, tt.run)
		}
	}
}

// What a capture lacks is counted by its kind, with the last reason.
func TestMissing(t *testing.T) {
	w := summary("api", []ring.Capture{
		{Missing: map[string]string{cpuKind: "EOF", "metrics": "404"}},
		{Missing: map[string]string{"metrics": "404"}},
		{Missing: map[string]string{cpuKind: "connection reset", "metrics": "404"}},
	})
	want := []model.WatchedMiss{{Kind: "cpu", Captures: 2, Why: "connection reset"}, {Kind: "metrics", Captures: 3, Why: "404"}}
	if diff := cmp.Diff(want, w.Missing); diff != "" {
		t.Error(diff)
	}
	if slices.ContainsFunc(w.Gaps, func(g model.WatchGap) bool { return strings.Contains(g.Why, "EOF") }) {
		t.Error("a capture without one profile is no gap")
	}
}
