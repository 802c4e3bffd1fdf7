package report

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// skippedMax is how many targets that will not be tried the plan spells out.
const skippedMax = 8

// Plan writes what costs, in the order in which it would be gone about, with
// the compiler's words, what will be tried or why nothing will, and the price.
// It is what `pawl find -bench` prints, and what optimize prints before its
// first edit.
func Plan(w io.Writer, r *model.Run, o Options) error {
	s := &sheet{o: o}
	ps := prospects(r)
	for i, b := range benchmarks(ps) {
		if i > 0 {
			s.blank()
		}
		s.para(bold, "", "What costs in "+b.String()+", in this benchmark:")
		s.prospects(slices.DeleteFunc(slices.Clone(ps), func(p model.Prospect) bool { return p.Target.Benchmark != b }))
	}
	s.unexplained(r.Unexplained)
	s.warnings(warnings(r))
	if s.b.Len() > 0 {
		s.blank()
	}
	s.para(bold, "", price(r, ps))
	return s.flush(w)
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

func (s *sheet) prospects(ps []model.Prospect) {
	shown, more := shorten(ps)
	head := []cell{left(""), right("share"), left("per op"), right("saves at most"), right(""), left("")}
	for i := range head {
		head[i].style = dim
	}
	table := [][]cell{head}
	for _, p := range shown {
		t := p.Target
		own, cpu := ceiling(t)
		table = append(table, []cell{left(t.ID), right(share(t.Share)).in(bold), left(perOp(t)), right(own), right(cpu), left(place(t))})
	}
	below := !s.fits(table)
	if below {
		for i := range table {
			table[i] = table[i][:len(table[i])-1]
		}
	}
	// The table is laid out as a whole, so that columns align, and then taken
	// apart again for the explanations between its rows.
	lay := &sheet{o: s.o}
	lay.table("", table)
	for i, line := range strings.Split(strings.TrimSuffix(lay.b.String(), "\n"), "\n") {
		s.b.WriteString(line + "\n")
		if i > 0 {
			s.prospect(shown[i-1], below)
		}
	}
	if more > 0 {
		s.para(dim, "", "and "+number(more, "target")+" more that nothing will be tried on; -json lists them")
	}
}

// fits reports whether a table's rows are within the width.
func (s *sheet) fits(rows [][]cell) bool { return s.spread(rows) <= s.o.width() }

// spread is how many columns a table takes.
func (s *sheet) spread(rows [][]cell) int {
	total := -s.gap()
	for _, w := range s.measure(rows) {
		if w > 0 {
			total += w + s.gap()
		}
	}
	return total
}

// shorten leaves out what will not be tried beyond the first few, and returns
// how many it left out.
func shorten(ps []model.Prospect) (shown []model.Prospect, more int) {
	skips := 0
	for _, p := range ps {
		if p.Skip != "" {
			skips++
		}
		if p.Skip != "" && skips > skippedMax {
			more++
			continue
		}
		shown = append(shown, p)
	}
	return shown, more
}

func (s *sheet) prospect(p model.Prospect, below bool) {
	if below {
		s.para(normal, "    ", place(p.Target))
	}
	if p.Target.Reason.Text != "" {
		s.para(normal, "    ", p.Target.Reason.Text)
	}
	switch {
	case p.Skip != "":
		s.para(dim, "  · ", "left alone: "+p.Skip)
	case p.Title != "":
		s.mark(green, "  → ", normal, p.Title)
		s.retains("    ", p.Retains)
	}
}

// retains says what a change keeps allocated, beside what it wins.
func (s *sheet) retains(indent, text string) {
	if text != "" {
		s.para(dim, indent, "stays allocated: "+text)
	}
}

func perOp(t model.Target) string {
	s := amount(t.Resource, t.PerOp)
	if t.Resource == model.Allocs && t.Bytes > 0 {
		s += ", " + size(t.Bytes)
	}
	return s
}

// ceiling is the most that can be saved at a target: of its own resource, and
// of CPU time.
func ceiling(t model.Target) (own, cpu string) {
	switch t.Resource {
	case model.CPU:
		return share(t.Ceiling) + " of cpu", ""
	case model.Mutex:
		return share(t.Ceiling) + " of the time", ""
	}
	own = share(t.Ceiling) + " of " + string(t.Resource)
	if t.CPUShare > 0 {
		cpu = share(t.CPUShare) + " of cpu"
	}
	return own, cpu
}

// price is what the plan costs and what the machine can see.
func price(r *model.Run, ps []model.Prospect) string {
	n, cost, known := 0, 0.0, true
	for _, p := range ps {
		if p.Skip != "" {
			continue
		}
		n++
		noise, ok := noiseOf(r, p.Target.Benchmark)
		cost, known = cost+noise.Seconds, known && ok
	}
	t := "Nothing to try"
	if n > 0 {
		t = number(n, "candidate")
		if known && cost > 0 {
			t += ", " + about(cost)
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
func sees(r *model.Run) string { return seesIn(r.Noise) }

func seesIn(noise []model.Noise) string {
	switch n := len(noise); {
	case n == 0:
		return ""
	case n == 1:
		return share(noise[0].Sees) + " or more"
	case n <= 3:
		var parts []string
		for _, x := range noise {
			parts = append(parts, share(x.Sees)+" or more in "+x.Benchmark.String())
		}
		return strings.Join(parts, ", ")
	default:
		lo, hi := noise[0].Sees, noise[0].Sees
		for _, x := range noise {
			lo, hi = min(lo, x.Sees), max(hi, x.Sees)
		}
		return share(lo) + " or more in the quietest of " + strconv.Itoa(n) + " benchmarks, " + share(hi) + " in the noisiest"
	}
}
