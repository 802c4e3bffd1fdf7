package report

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{nanoseconds(0), "0 ns"},
		{nanoseconds(0.31), "0.31 ns"},
		{nanoseconds(9.996), "10.0 ns"},
		{nanoseconds(999.4), "999 ns"},
		{nanoseconds(999.6), "1.00 µs"},
		{nanoseconds(50512), "50.5 µs"},
		{nanoseconds(1.5e6), "1.50 ms"},
		{nanoseconds(90e9), "90.0 s"},
		{nanoseconds(math.NaN()), "?"},
		{size(0), "0 B"},
		{size(2), "2 B"},
		{size(1.52), "1.52 B"},
		{size(1023), "1023 B"},
		{size(1024), "1.00 KiB"},
		{size(73790), "72.1 KiB"},
		{size(-65580), "−64.0 KiB"},
		{size(3 << 30), "3.00 GiB"},
		{count(5), "5"},
		{count(0.97), "0.97"},
		{count(0.0004), "0"},
		{count(-2), "−2"},
		{change(-0.465), "−46.5 %"},
		{change(0.021), "+2.1 %"},
		{change(-0.0004), "0.0 %"},
		{change(11.5), "+1150 %"},
		{change(math.Inf(1)), "+∞ %"},
		{change(-math.MaxFloat64), "−∞ %"},
		{change(math.NaN()), "? %"},
		{ratio(-1), "−100 %"},
		{ratio(-0.042), "−4.2 %"},
		{ratio(0.5), "+50 %"},
		{bounds(model.Verdict{Lo: -0.213, Hi: -0.179}), "[−21.3, −17.9] %"},
		{bounds(model.Verdict{Lo: -0.01, Hi: math.Inf(1)}), "[−1.0, open] %"},
		{share(0.2), "20 %"},
		{share(0.041), "4.1 %"},
		{share(0.0001), "< 0.1 %"},
		{share(0), "0 %"},
		{seconds(3.14), "3.1 s"},
		{seconds(262), "4 min 22 s"},
		{seconds(59.7), "1 min 0 s"},
		{seconds(3900), "1 h 5 min"},
		{about(7), "under 10 s"},
		{about(44), "about 50 s"},
		{about(58), "about 1 min"},
		{about(176), "about 3 min"},
		{about(5400), "about 1.5 h"},
		{amount(model.Allocs, 1), "1 alloc"},
		{amount(model.Allocs, 0.004), "0.004 allocs"},
		{symbol("github.com/lightningnetwork/lnd/brontide.(*Machine).WriteMessage"), "(*Machine).WriteMessage"},
		{symbol("main.main"), "main"},
		{symbol("memmove"), "memmove"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestWrapKeepsFiguresWhole(t *testing.T) {
	got := wrap("cpu −37.1 % [−38.9, −35.2] %, stock wall 51.2 µs and a/very/long/path/that/does/not/fit.go", 20)
	want := []string{"cpu −37.1 %", "[−38.9, −35.2] %,", "stock wall 51.2 µs", "and", "a/very/long/path/that/does/not/fit.go"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

func TestRowsFollowTheVerdict(t *testing.T) {
	// The judge's estimate comes from pairs and is not the ratio of the means.
	res := sampleRun().Results[0]
	res.Verdict.Metric, res.Verdict.Change = "wall/op", -0.4
	got := rows(res)
	if got[0].Interval != "" || got[1].Change != "−40.0 %" || !strings.HasPrefix(got[1].Interval, "[") {
		t.Errorf("rows %v", got)
	}
	res.Counts[1].Noisy = true
	if got := rows(res); got[3].Change != "" || got[3].Interval != "varies: no claim" {
		t.Errorf("something is claimed of a count that varies: %v", got[3])
	}
	res.Verdict.Answer = model.Undecided
	if got := headline(res); !strings.Contains(got, "undecided") || strings.Contains(got, "less") {
		t.Errorf("headline %q", got)
	}
}

func TestWarningsAreSaidOnce(t *testing.T) {
	r := sampleRun()
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
