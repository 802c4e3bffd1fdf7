package experiments

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// tried is a run with all that may be shown of one.
func tried() *model.Tuning {
	verdict := func(change float64) *model.Verdict {
		return &model.Verdict{Change: change, Lo: change - 0.01, Hi: change + 0.01, Units: 30}
	}
	return &model.Tuning{
		Quota: &model.Quota{CPUs: 0.5, Memory: 64 << 20}, Now: "-pgo=app/default.pgo",
		Subjects: []model.TuningSubject{{
			Benchmark: &model.Benchmark{Pkg: "example.com/m", Name: "BenchmarkTree"}, PeakRSS: 1 << 20, Advice: "Set GOGC=200.",
			Likeness: &model.Likeness{Alike: 0.34, Lo: 0.3, Hi: 0.38, Covered: 0.6},
			Trials: []model.Tried{
				{Setting: "GOGC=200", Verdict: verdict(-0.05), PeakRSS: 2 << 20, Standing: model.Improved, Frontier: true},
				{Setting: "GOGC=50", Verdict: verdict(0.08), PeakRSS: 1 << 19, Standing: model.Regressed, Price: []string{"costs <more>"}, Throttled: [2]float64{0.1, 0.25}},
				{Setting: "-pgo", Standing: model.Open, Price: []string{"costs <more>"}, Build: &model.BuildTime{Ratio: 1.375, Least: 1.3, Most: 1.5, Pairs: 3, Before: 4e9, After: 5.5e9}},
			},
		}},
		PGO: []model.PGO{
			{Main: "example.com/m/app", File: "app/default.pgo", Stale: "nothing maps", Fresh: model.Freshness{Gone: []model.Gone{{Func: "m.Sum", Share: 1}}}, Fresher: []string{"pawl", "tune", "-pgo", "a b"}},
			{Main: "example.com/m/tool", File: "tool/default.pgo", Commit: "0123456789abcdef", Branch: "pawl/x", Brought: []string{"a.go:1:2: inlining call to f"}},
		},
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, tried(), sheet.Options{Width: 200}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"It and production are 34.0 % alike [30.0 %, 38.0 %], with 60.0 % of production's CPU time covered.",
		"It is stale: nothing maps.", "100.0 % m.Sum is not there", "measure it: pawl tune -pgo 'a b'", "git merge pawl/x", "devirtualises 1 call",
		"a control group of its own, with the time of 0.5 CPUs and 64.0 MiB of memory.", "built with -pgo=app/default.pgo.", "throttled", "+37.5 %",
		"GOGC=50, -pgo: costs <more>.", "a build takes 1.38 times the CPU time [1.30, 1.50] in 3 pairs", "Stale: 1 of 2 profiles for the compiler. A setting",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// The page has a dot for each setting, no column without a value, and what others wrote
// only as text.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, tried()); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if n := strings.Count(page, "<circle"); n != 3 {
		t.Errorf("%d dots", n)
	}
	for want, there := range map[string]bool{
		"<th>size</th>": false, "<th>GC</th>": false, "<td>10 % → 25 %</td>": true, "<th>build</th>": true, "the time of 0.5 CPUs": true, "costs &lt;more&gt;": true, "app/default.pgo of example.com/m/app": true, "inlining call to f": true,
	} {
		if strings.Contains(page, want) != there {
			t.Errorf("%q: %v is wrong", want, !there)
		}
	}
}

func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := SARIF(&b, tried()); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Count(s, `"ruleId": "pgo"`) != 1 || !strings.Contains(s, `"uri": "app/default.pgo"`) {
		t.Error(s)
	}
}

func TestAnswer(t *testing.T) {
	x := tried()
	x.Subjects = nil
	if got := answer(x); got != "Stale: 1 of 2 profiles for the compiler." {
		t.Error(got)
	}
}
