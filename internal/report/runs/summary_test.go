package runs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
)

func TestSymbol(t *testing.T) {
	for name, want := range map[string]string{
		"github.com/lightningnetwork/lnd/brontide.(*Machine).WriteMessage": "(*Machine).WriteMessage", "main.main": "main", "memmove": "memmove",
	} {
		if got := symbol(name); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRowsFollowTheVerdict(t *testing.T) {
	// The judge's estimate comes from pairs and is not the ratio of the means.
	res := specimen.Run().Results[0]
	res.Verdict.Metric, res.Verdict.Change = "wall/op", -0.4
	got := figure.Rows(res)
	if got[0].Interval != "" || got[1].Change != "−40.0 %" || !strings.HasPrefix(got[1].Interval, "[") {
		t.Errorf("rows %v", got)
	}
	res.Counts[1].Noisy = true
	if got := figure.Rows(res); got[3].Change != "" || got[3].Interval != "varies: no claim" {
		t.Errorf("something is claimed of a count that varies: %v", got[3])
	}
	res.Verdict.Answer = model.Undecided
	if got := headline(res); !strings.Contains(got, "undecided") || strings.Contains(got, "less") {
		t.Errorf("headline %q", got)
	}
}

// Wall time has its range, or there is no row of it.
func TestRowsOfWallTime(t *testing.T) {
	wall := func(res model.Result) *figure.Row {
		for _, w := range figure.Rows(res) {
			if w.Label == "wall/op" {
				return &w
			}
		}
		return nil
	}
	res := specimen.Run().Results[0]
	if w := wall(res); w == nil || w.Change != "" || w.Interval != "−47.2 to −42.6 % in 5 pairs" {
		t.Errorf("of stock runs: %+v", w)
	}
	res.Solo = nil
	if w := wall(res); w != nil {
		t.Errorf("without stock runs: %+v", w)
	}
	res.Verdict = nil
	if w := wall(res); w == nil || w.Change != "" {
		t.Errorf("of files of results: %+v", w)
	}
	noisy := &model.Solo{Procs: 2, WallBefore: []float64{100, 100, 100}, WallAfter: []float64{82, 135, 98}}
	if got, want := figure.Solo(noisy), "wall time −18.0 to +35.0 % in 3 pairs, GOMAXPROCS 2: no clear difference"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An end that is not known is never a number.
func TestOpenEndsAreNoNumbers(t *testing.T) {
	v := model.Verdict{Metric: "cpu/op", Answer: model.Undecided, Change: -0.065, Lo: -1, Hi: 1e6, Level: 0.95, Units: 5}
	for name, text := range map[string]string{
		"trailer": tight(v), "bounds": figure.Bounds(v), "after": figure.BoundsAfter(v, figure.Units(v)), "figures": figures(model.Attempt{Verdicts: []model.Verdict{v}}, false),
	} {
		if strings.Contains(text, "100") || !strings.Contains(text, "open") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestWarningsAreSaidOnce(t *testing.T) {
	r := specimen.Run()
	w := model.Warning{Seen: "the load was 17"}
	r.Attempts[0].Warnings = []model.Warning{w}
	r.Attempts[1].Verdicts[0].Warnings = []model.Warning{w}
	r.Results[0].Verdict.Warnings = []model.Warning{w, r.Warnings[0]}
	if got := warnings(r); len(got) != 2 {
		t.Errorf("%d warnings: %v", len(got), got)
	}
}

func TestCommandIsQuoted(t *testing.T) {
	r := &model.Run{Verb: "try", Args: []string{"-bench", "Write|Read's", "./...", ""}}
	if got, want := command(r), `pawl try -bench 'Write|Read'\''s' ./... ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What was counted of a benchmark heads the report where the time did not suffice to compare it, before one that is undecided.
// That its CPU time is not known is said.
func TestHeadlineWithoutAComparison(t *testing.T) {
	counted := model.Result{Benchmark: model.Benchmark{Name: "Receive"}, Counts: []model.Exact{{Metric: "allocs/op", Before: 6, After: 5}}}
	open := model.Result{Benchmark: model.Benchmark{Name: "Send"}, Verdict: &model.Verdict{Answer: model.Undecided}}
	silent := model.Result{Benchmark: model.Benchmark{Name: "Idle"}}
	r := &model.Run{Results: []model.Result{silent, open, counted}}
	want := "Receive: 6 → 5 allocs/op, CPU time not compared, in this benchmark. 1 other benchmark below."
	if diff := cmp.Diff(want, bestResult(r)); diff != "" {
		t.Error(diff)
	}
	if got := bestResult(&model.Run{Results: []model.Result{silent}}); got != "" {
		t.Errorf("of what was not looked at: %q", got)
	}
}
