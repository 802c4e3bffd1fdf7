package runs

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// prospect is a target on a line that nothing is tried on.
func prospectAt(line int, bench string, r model.Resource, share, cpu float64) model.Prospect {
	return model.Prospect{Skip: "no transformation fits", Target: model.Target{
		Benchmark: model.Benchmark{Pkg: "m", Name: "Benchmark" + bench}, Resource: r, At: model.Pos{File: "a.go", Line: line}, Func: "m.F", Share: share, CPUShare: cpu,
		Reason: model.Reason{Kind: model.ReasonHot, Text: "20.0 % of the CPU time, in the loop at a.go:1"},
		Leads:  []model.Lead{{Kind: model.LeadPractice, Try: "a table"}, {Kind: model.LeadPractice, Try: bench}},
	}}
}

// A line is one cost, whatever it costs and in however many benchmarks; the costliest
// stands first.
func TestCostsAreMergedByLine(t *testing.T) {
	r := &model.Run{Verb: "optimize", Prospects: []model.Prospect{
		prospectAt(7, "A/x", model.CPU, 0.2, 0.2), prospectAt(9, "A/x", model.CPU, 0.5, 0.5), prospectAt(7, "A/y", model.Allocs, 0.8, 0.1),
		prospectAt(7, "B", model.CPU, 0.3, 0.3), prospectAt(8, "B", model.Mutex, 0.9, 0),
	}}
	cs := costs(r)
	var lines []int
	for _, c := range cs {
		lines = append(lines, c.at.Line)
	}
	if !slices.Equal(lines, []int{8, 9, 7}) {
		t.Fatalf("lines %v", lines)
	}
	c := cs[2]
	if cpu, allocs := c.shares(); cpu != "30 %" || allocs != "80 %" {
		t.Errorf("shares %s, %s", cpu, allocs)
	}
	if c.in() != "A and 1 more" || c.most.Name != "BenchmarkB" || len(c.leads) != mostLeads || c.why() != "in the loop at a.go:1" {
		t.Errorf("in %q, most in %v, %d leads, because %q", c.in(), c.most, len(c.leads), c.why())
	}
	if cpu, _ := cs[0].shares(); cpu != "90 % waiting" {
		t.Errorf("a lock has %q", cpu)
	}
	if got := whereToLook(cs); !strings.Contains(got, "a.go:8 ") {
		t.Errorf("look first at %q", got)
	}
}

// What was profiled after a change has that version's lines.
func TestCostAfterAChange(t *testing.T) {
	later := prospectAt(7, "B", model.CPU, 0.1, 0.1)
	later.Target.After = 1
	cs := costs(&model.Run{Verb: "optimize", Prospects: []model.Prospect{prospectAt(7, "A", model.CPU, 0.2, 0.2), later}})
	if len(cs) != 2 || cs[0].place() != "a.go:7" || cs[1].place() != "a.go:7 with 1 change" {
		t.Errorf("%+v", cs)
	}
}

// That next to nothing can be gained in a small part of a line is not said of the line.
func TestSkipsOfALine(t *testing.T) {
	small := prospectAt(7, "A", model.Allocs, 0.0001, 0)
	small.Skip = "at most 0.0 % of CPU time could be gained"
	r := &model.Run{Verb: "optimize", Prospects: []model.Prospect{prospectAt(7, "A", model.CPU, 0.2, 0.2), small}}
	if got := costs(r)[0].skips(); !slices.Equal(got, []string{"no transformation fits"}) {
		t.Errorf("%q", got)
	}
	r.Prospects = r.Prospects[1:]
	if got := costs(r)[0].skips(); !slices.Equal(got, []string{small.Skip}) {
		t.Errorf("alone: %q", got)
	}
}

// A reason stands once, with all lines that it is the reason for.
func TestLeftAloneOnce(t *testing.T) {
	r := &model.Run{Verb: "optimize", Prospects: []model.Prospect{
		prospectAt(7, "A", model.CPU, 0.5, 0.5), prospectAt(8, "A", model.CPU, 0.3, 0.3), prospectAt(9, "A", model.CPU, 0.2, 0.2),
	}}
	r.Prospects[1].Skip = "another reason"
	got := specimen.Written(t, func(b *bytes.Buffer) error { return Story(b, r, sheet.Options{Width: 200, Verbose: true}) })
	if n := strings.Count(got, "no transformation fits"); n != 1 || !strings.Contains(got, "left alone: no transformation fits; likewise at a.go:9\n") {
		t.Errorf("%d times:\n%s", n, got)
	}
	if !strings.Contains(got, "left alone: another reason\n") {
		t.Errorf("another reason is missing:\n%s", got)
	}
}

// What is said of an idea is one line, and never that nothing speaks against it where
// something does.
func TestIdeaInALine(t *testing.T) {
	all := specimen.Outcomes()
	for i, want := range []string{"cpu −20.0 %", "kept, not compared: cpu −20.0 %", "undecided: cpu −20.9 %", "cpu +2.0 %"} {
		if got := idea(all[i]); got != want {
			t.Errorf("%s: %q, want %q", all[i].Outcome, got, want)
		}
	}
	refused := model.Attempt{Outcome: model.RolledBack, Reason: "vet: x"}
	if got := idea(refused); got != "vet: x" {
		t.Errorf("%q", got)
	}
	flaky := model.Attempt{Outcome: model.Unsettled, Reason: "tests: x", Counts: []model.Exact{{Metric: "allocs/op", Before: 1}}}
	if got := idea(flaky); got != "undecided: tests: x" {
		t.Errorf("%q", got)
	}
}

// What is open comes with the command that decides it, and what was kept with the one
// that takes it.
func TestNextSteps(t *testing.T) {
	open := model.Attempt{Outcome: model.Unsettled}
	kept := model.Attempt{Outcome: model.Kept}
	for _, c := range []struct {
		run  model.Run
		want string
	}{
		{model.Run{Verb: "try", Args: []string{"-budget", "3m", "x.patch"}, Attempts: []model.Attempt{open}}, "Decide it: pawl try -budget 6m -per-change 1m x.patch"},
		{model.Run{Verb: "try", Attempts: []model.Attempt{{Outcome: model.Unsettled, Reason: model.NotCovered + ": no benchmark"}}}, ""},
		{model.Run{Verb: "try", Attempts: []model.Attempt{{Outcome: model.Unsettled, Reason: model.SameCode}}}, ""},
		{model.Run{Verb: "optimize", Attempts: []model.Attempt{open}, Resume: "pawl optimize -resume"}, "Decide it: pawl optimize -resume"},
		{model.Run{Verb: "optimize", Attempts: []model.Attempt{kept}, Resume: "R", Merge: "git merge b"}, "Take it: git merge b; Go on: R"},
		{model.Run{Verb: "optimize", Args: []string{"-C", "x", "-budget", "5m", "./a"}, Head: "4c737d3f0a1bff", Branch: "pawl/1", Attempts: []model.Attempt{kept}, Merge: "M",
			Results: []model.Result{{Benchmark: model.Benchmark{Pkg: "m/a"}, Verdict: &model.Verdict{Answer: model.Undecided}}}}, "Take it: M; Decide it: pawl compare -C x 4c737d3f0a1b pawl/1 m/a"},
		{model.Run{Verb: "optimize"}, ""},
	} {
		var got []string
		for _, st := range nextSteps(&c.run) {
			got = append(got, st.Label+": "+st.Text)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
