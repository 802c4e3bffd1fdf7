package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

const (
	shownLines  = 3    // hot lines of a module
	shownCauses = 20   // causes of nothing
	leastShare  = 0.02 // of a line that counts as hot
	// What a module needs to count as won, of one benchmark.
	wonCPU, wonAllocs = 0.05, 0.10
)

// An entry is a module of the corpus with its result, nil where it was not run.
type entry struct {
	subject
	*result
}

func (l *lab) entries(all []subject) (out []entry, err error) {
	for _, s := range all {
		r, err := l.load(s)
		if err != nil {
			return nil, err
		}
		out = append(out, entry{s, r})
	}
	return out, nil
}

// tables writes all but the diffs.
func tables(out io.Writer, all []entry) error {
	var looked, only []entry
	for _, e := range all {
		if e.Looked {
			looked = append(looked, e)
		} else {
			only = append(only, e)
		}
	}
	p := printer{w: out}
	p.line("### How it was run\n\n%s", circumstances(all))
	p.line("\n### The corpus\n\n| module | programs | package | half | benchmarks |\n|---|--:|---|---|---|")
	for _, e := range all {
		s := e.subject
		p.row(s.Module+" "+s.Version, s.Programs, s.Package, half(s.Looked), strings.NewReplacer("^", "", "$", "", "\\", "", "|", ", ", "Benchmark", "").Replace(s.Bench))
	}
	p.line("\n### Looked at: ideas and what became of them\n\n| module | benchmarks | hot lines | ideas | tried | kept | why not |\n|---|--:|--:|--:|--:|--:|---|")
	for _, e := range looked {
		p.ideas(e)
	}
	p.line("\n### Looked at: hot lines\n\n| module | line | function | CPU | allocs | cause | idea |\n|---|---|---|--:|--:|---|---|")
	for _, e := range looked {
		p.hot(e)
	}
	p.line("\n### Looked at: causes of “nothing”\n\nThe shares are summed over the benchmarks; each benchmark is 100 %%.\n\n| cause | why nothing | CPU | allocs | modules |\n|---|---|--:|--:|---|")
	for _, c := range causes(looked)[:min(shownCauses, len(causes(looked)))] {
		p.row(c.cause, c.why, percent(c.cpu), percent(c.allocs), strings.Join(slices.Sorted(maps.Keys(c.modules)), ", "))
	}
	p.line("\n### Looked at: wins\n")
	p.wins(looked)
	p.line("\n### Only run: wins\n")
	p.wins(only)
	return p.err
}

func half(looked bool) string {
	if looked {
		return "looked at"
	}
	return "only run"
}

// circumstances says under which budget and load the modules were run.
func circumstances(all []entry) string {
	budgets, done, failed := map[string]bool{}, 0, 0
	lo, hi := 0.0, 0.0
	for _, e := range all {
		if e.result == nil {
			continue
		}
		done++
		budgets[fmt.Sprintf("%.0f s", e.Budget)] = true
		if e.Run == nil {
			failed++
			continue
		}
		if lo == 0 || e.Run.Env.Load < lo {
			lo = e.Run.Env.Load
		}
		hi = max(hi, e.Run.Env.Load)
	}
	return fmt.Sprintf("%d of %d modules, and %d of them could not be run; budget %s; load average when a run began %.1f to %.1f.",
		done, len(all), failed, strings.Join(slices.Sorted(maps.Keys(budgets)), ", "), lo, hi)
}

// A printer writes Markdown and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if _, err := fmt.Fprintf(p.w, format+"\n", args...); p.err == nil {
		p.err = err
	}
}

func (p *printer) row(cells ...string) {
	for i, c := range cells {
		cells[i] = cmp.Or(strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`, "_", `\_`).Replace(c), "–")
	}
	p.line("| %s |", strings.Join(cells, " | "))
}

func percent(x float64) string {
	if x < 0.005 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

func (p *printer) ideas(e entry) {
	switch {
	case e.result == nil:
		p.row(e.name(), "", "", "", "", "", "not run")
		return
	case e.Run == nil:
		p.row(e.name(), "", "", "", "", "", "could not be run: "+firstLine(e.Failed))
		return
	}
	var why []string
	for _, a := range e.Run.Last() {
		if !a.Outcome.Kept() {
			why = append(why, a.Change.Kind+": "+firstLine(a.Reason))
		}
	}
	if left := strings.Count(e.result.Bench, "|") + 1 - len(e.Run.Plans); left > 0 {
		why = append(why, fmt.Sprintf("%d benchmarks left out for want of time", left))
	}
	untried := 0
	for _, x := range e.Run.Prospects {
		if x.Kind != "" && x.Skip == "" {
			untried++
		}
	}
	tried := len(e.Run.Last())
	if e.Run.Stopped != "" {
		why = append(why, e.Run.Stopped)
	}
	p.row(e.name(), fmt.Sprint(len(e.Run.Plans)), fmt.Sprint(len(lines(e))), fmt.Sprint(max(tried, untried)), fmt.Sprint(tried), fmt.Sprint(e.Run.Kept()), strings.Join(why, "; "))
}

// hot reports whether a line costs enough to be shown. More than all that an
// operation costs is set-up, which the profile has and the operation has not.
func hot(t model.Target) bool { return t.Share >= leastShare && t.Share <= 1 }

// A hotLine is a line of a module, with its largest shares in any benchmark.
type hotLine struct {
	at, fn, cause, idea string
	cpu, allocs         float64
}

func lines(e entry) []*hotLine {
	byPlace := map[model.Pos]*hotLine{}
	for _, t := range e.Run.Targets {
		if !hot(t) {
			continue
		}
		at := model.Pos{File: t.At.File, Line: t.At.Line}
		h := byPlace[at]
		if h == nil {
			h = &hotLine{at: fmt.Sprintf("%s:%d", t.At.File, t.At.Line), fn: function(t.Func), cause: string(t.Reason.Kind)}
			byPlace[at] = h
		}
		if t.Skipped == "" {
			h.idea = "yes"
		}
		if t.Resource == model.Allocs {
			h.allocs = max(h.allocs, t.Share)
		} else {
			h.cpu = max(h.cpu, t.Share)
		}
	}
	return slices.SortedFunc(maps.Values(byPlace), func(a, b *hotLine) int {
		return cmp.Or(cmp.Compare(b.cpu+b.allocs, a.cpu+a.allocs), strings.Compare(a.at, b.at))
	})
}

// function is a symbol without the path of its package.
func function(symbol string) string { return symbol[strings.LastIndex(symbol, "/")+1:] }

func (p *printer) hot(e entry) {
	if e.result == nil || e.Run == nil {
		return
	}
	all := lines(e)
	for _, h := range all[:min(shownLines, len(all))] {
		p.row(e.name(), h.at, h.fn, percent(h.cpu), percent(h.allocs), h.cause, cmp.Or(h.idea, "none"))
	}
}

// A cause is why lines cost and nothing was tried there.
type cause struct {
	cause, why  string
	cpu, allocs float64
	modules     map[string]bool
}

// causeOf is the reason of a target, with the package that is called where the cost
// is below that call.
func causeOf(t model.Target) string {
	kind := string(t.Reason.Kind)
	if t.Reason.Kind != model.ReasonLibrary && t.Reason.Kind != model.ReasonOutside && !slices.Contains(t.Reason.Also, model.ReasonLibrary) {
		return kind
	}
	if i := slices.IndexFunc(t.Stack, func(f model.Frame) bool { return f.Module }); i > 0 {
		pkg, _, _ := strings.Cut(function(t.Stack[i-1].Func), ".")
		return kind + " in " + pkg
	}
	return kind
}

// causes returns the causes of nothing, by the cost behind them.
func causes(all []entry) []*cause {
	by := map[[2]string]*cause{}
	for _, e := range all {
		if e.result == nil || e.Run == nil {
			continue
		}
		for _, t := range e.Run.Targets {
			if t.Skipped == "" || !hot(t) {
				continue
			}
			why := t.Skipped
			if kind, _, ok := strings.Cut(why, ": "); ok && !strings.Contains(kind, " ") {
				why = "refused by " + kind
			}
			key := [2]string{causeOf(t), why}
			c := by[key]
			if c == nil {
				c = &cause{cause: key[0], why: why, modules: map[string]bool{}}
				by[key] = c
			}
			c.modules[e.name()] = true
			if t.Resource == model.Allocs {
				c.allocs += t.Share
			} else {
				c.cpu += t.Share
			}
		}
	}
	return slices.SortedFunc(maps.Values(by), func(a, b *cause) int {
		return cmp.Or(cmp.Compare(b.cpu+b.allocs, a.cpu+a.allocs), strings.Compare(a.cause+a.why, b.cause+b.why))
	})
}

func (p *printer) wins(all []entry) {
	p.line("| module | kept | benchmark | CPU | allocs/op |\n|---|--:|---|--:|--:|")
	won, run := 0, 0
	for _, e := range all {
		switch {
		case e.result == nil:
			p.row(e.name(), "not run", "", "", "")
			continue
		case e.Run == nil:
			p.row(e.name(), "could not be run: "+firstLine(e.Failed), "", "", "")
			continue
		}
		run++
		gain := false
		for _, r := range e.Run.Results {
			cpu, allocs := gains(r)
			if e.Run.Kept() > 0 && (cpu != 0 || allocs != 0) {
				p.row(e.name(), fmt.Sprint(e.Run.Kept()), r.Benchmark.String(), signed(cpu), fmt.Sprintf("%.4g → %.4g", r.Before.Allocs, r.After.Allocs))
				gain = gain || cpu >= wonCPU || allocs >= wonAllocs
			}
		}
		if gain {
			won++
		}
		if e.Run.Kept() == 0 {
			p.row(e.name(), "nothing", "", "", "")
		}
	}
	p.line("\n%d of %d modules have a benchmark with at least %.0f %% less CPU time or %.0f %% fewer allocations.", won, run, 100*wonCPU, 100*wonAllocs)
	p.commits(all)
}

// gains returns what a benchmark gained, as parts of what it cost: of CPU time as
// far as it is proven, of allocations where the counts are exact.
func gains(r model.Result) (cpu, allocs float64) {
	if v := r.Verdict; v != nil && v.Answer == model.Faster {
		cpu = -v.Change
	}
	for _, c := range r.Counts {
		if c.Metric == "allocs/op" && !c.Noisy && c.Before > 0 {
			allocs = 1 - c.After/c.Before
		}
	}
	return cpu, allocs
}

func signed(gain float64) string {
	if gain == 0 {
		return ""
	}
	return fmt.Sprintf("%+.0f %%", -100*gain)
}

// commits writes a line for each kept change. Its diff goes to a file of its module's, see diffs.
func (p *printer) commits(all []entry) {
	for _, e := range all {
		if len(e.kept()) > 0 {
			p.line("\n[%s](wins/%[1]s.diff):\n", e.name())
		}
		for _, a := range e.kept() {
			p.line("* %s (%s)", a.Change.Title, a.Reason)
		}
	}
}

func (e entry) kept() []model.Attempt {
	if e.result == nil || e.Run == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.Run.Attempts), func(a model.Attempt) bool { return !a.Outcome.Kept() })
}

// diffs writes what was kept into directory dir, a file a module, as git apply takes it.
func diffs(dir string, all []entry) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, e := range all {
		var text strings.Builder
		for _, a := range e.kept() {
			fmt.Fprintf(&text, "%s (%s)\n\n%s\n", a.Change.Title, a.Reason, a.Diff)
		}
		if text.Len() == 0 {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, e.name()+".diff"), []byte(text.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}
