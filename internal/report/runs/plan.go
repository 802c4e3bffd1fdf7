package runs

import (
	"io"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Plan writes what optimize would do, before any edit: how many changes it would try
// and what that costs, and where the time goes, with what would be tried there or may
// help. It is what `pawl find -bench` prints.
func Plan(w io.Writer, r *model.Run, o sheet.Options) error {
	s := sheet.New(o)
	s.Para(sheet.Bold, "", Price(r, 0))
	for _, l := range r.Likenesses {
		s.Para(sheet.Dim, "", l.Benchmark.String()+" and production are "+figure.Alike(l.Likeness)+".")
	}
	addCosts(s, r, costs(r))
	s.Warnings(warnings(r))
	return s.Flush(w)
}

// prospects returns the plan, and where there is none yet the bare targets.
func prospects(r *model.Run) []model.Prospect {
	if len(r.Prospects) > 0 {
		return r.Prospects
	}
	var ps []model.Prospect
	for _, t := range r.Targets {
		ps = append(ps, model.Prospect{Target: t, Skip: t.Skipped})
	}
	return ps
}

func benchmarks(ps []model.Prospect) []model.Benchmark {
	var bs []model.Benchmark
	for _, p := range ps {
		if !slices.Contains(bs, p.Target.Benchmark) {
			bs = append(bs, p.Target.Benchmark)
		}
	}
	return bs
}

// addRetains says what a change keeps allocated, beside what it wins.
func addRetains(s *sheet.Sheet, indent, text string) {
	if text != "" {
		s.Para(sheet.Dim, indent, "stays allocated: "+text)
	}
}

func perOp(t model.Target) string {
	s := figure.Amount(t.Resource, t.PerOp)
	if t.Resource == model.Allocs && t.Bytes > 0 {
		s += ", " + words.Bytes(t.Bytes)
	}
	return s
}

// ceiling is the most that can be saved at a target: of its own resource, and
// of CPU time.
func ceiling(t model.Target) (own, cpu string) {
	switch t.Resource {
	case model.CPU:
		return figure.Share(t.Ceiling) + " of cpu", ""
	case model.Mutex:
		return figure.Share(t.Ceiling) + " of the time", ""
	}
	own = figure.Share(t.Ceiling) + " of " + string(t.Resource)
	if t.CPUShare > 0 {
		cpu = figure.Share(t.CPUShare) + " of cpu"
	}
	return own, cpu
}

// Price is what the plan of a run costs and what the machine can see, in a sentence. It says
// what is done where that is more than is left of the budget; 0 where nobody asks.
func Price(r *model.Run, left time.Duration) string {
	n, cost, known := 0, 0.0, true
	for _, p := range prospects(r) {
		if p.Skip != "" {
			continue
		}
		n++
		noise, ok := noiseOf(r, p.Target.Benchmark)
		cost, known = cost+noise.Seconds, known && ok
	}
	t := "Nothing to try"
	if r.Stopped != "" {
		t += " in what there was time for"
	}
	if n > 0 {
		t = words.Plural(n, "idea") + " to try"
		if known && cost > 0 {
			t += ", " + words.About(cost)
		}
		if left > 0 && known && cost > left.Seconds() {
			t += ", and " + words.Seconds(left.Round(time.Second).Seconds()) + " of -budget are left: begins with the most promising"
		}
	}
	if sees := sees(r); sees != "" {
		t += "; this machine sees differences of " + sees
	}
	return t + "."
}

func noiseOf(r *model.Run, b model.Benchmark) (model.Noise, bool) {
	for _, n := range r.Noise {
		if n.Benchmark == b {
			return n, true
		}
	}
	return model.Noise{}, false
}

// sees is the smallest difference that can be told apart from noise, for each
// benchmark where there are few, and else the range.
// Where the time sufficed for no benchmark, nothing is said.
func sees(r *model.Run) string {
	return figure.Sees(slices.DeleteFunc(slices.Clone(r.Noise), model.Noise.Blind))
}
