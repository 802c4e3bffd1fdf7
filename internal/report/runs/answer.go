package runs

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// An answer is how a run ended: what became of the question, and what to do next.
type answer struct {
	verdict string
	next    []figure.Step // the first is the most likely one
	style   sheet.Style
}

// answerOf says how a run ended: what was kept with its figures, or that nothing
// was and why.
func answerOf(r *model.Run) answer {
	a := answer{verdict: summary(r), style: sheet.Bold}
	if best := bestResult(r); best != "" && r.Kept() > 0 {
		a.verdict += " " + best
	}
	if left := stopped(r); left != "" {
		a.verdict += " " + left
	}
	a.next = nextSteps(r)
	return a
}

func bestResult(r *model.Run) string {
	results := slices.DeleteFunc(slices.Clone(r.Results), func(res model.Result) bool { return telling(res) == unknown })
	if len(results) == 0 {
		return ""
	}
	sorted.By(results, func(a, b model.Result) int { return telling(a) - telling(b) })
	var parts []string
	for _, res := range results[:min(len(results), mostHeadlines)] {
		if len(parts) > 0 && telling(res) == untold {
			break
		}
		t := strings.TrimSuffix(headline(res), inThis)
		if v := res.Verdict; v != nil && v.Answer == model.Undecided && figure.Known(*v) {
			t += " (" + figure.Change(v.Change) + " so far)"
		}
		parts = append(parts, t)
	}
	t := strings.Join(parts, "; ") + inThis + "."
	if n := len(results) - len(parts); n > 0 {
		t += " " + words.Plural(n, "other benchmark") + " below."
	}
	return t
}

// mostHeadlines is of how many benchmarks the answer speaks.
const mostHeadlines = 2

func stopped(r *model.Run) string {
	if r.Stopped == "" {
		return ""
	}
	return "Stopped early: " + r.Stopped + "."
}

// nextSteps are what to do now, the most likely first: take what was kept, go on
// where something is left, and look where nothing could be done.
func nextSteps(r *model.Run) []figure.Step {
	var out []figure.Step
	add := func(label, command string) {
		if command != "" {
			out = append(out, figure.Step{Label: label, Text: command, Command: true})
		}
	}
	if r.Kept() > 0 {
		add("Take it", r.Merge)
	}
	if r.Verb == "try" {
		for _, a := range r.Last() {
			add(meant(a.Needs), allowing(r.Args, a))
		}
	}
	open := slices.ContainsFunc(r.Last(), func(a model.Attempt) bool { return a.Outcome == model.Unsettled && !a.Unjudgeable() })
	final := slices.ContainsFunc(r.Results, undecided)
	switch {
	case r.Resume != "" && (open || final):
		add("Decide it", r.Resume)
	case r.Resume != "":
		add("Go on", r.Resume)
	case open: // all has been tried that there was time for
		more := func(flag string) []string { return []string{"-" + flag, figure.MoreTime(r.Args, flag)} }
		add("Decide it", figure.Again(r.Verb, r.Args, append(more("budget"), more("per-change")...)...))
	case final && r.Branch != "":
		add("Decide it", compareKept(r))
	}
	return out
}

// meant names what a user would let through, where one difference in behaviour is all.
func meant(needs []model.SuspicionKind) string {
	if len(needs) == 1 && needs[0].Lets() != "" {
		return "If " + needs[0].Lets() + " is meant"
	}
	return "If it is meant"
}

// allowing is the command that lets through what a change was refused for, "" where
// there is none.
func allowing(args []string, a model.Attempt) string {
	if a.Outcome.Kept() || len(a.Needs) == 0 {
		return ""
	}
	kinds := make([]string, len(a.Needs))
	for i, k := range a.Needs {
		kinds[i] = string(k)
	}
	return figure.Again("try", args, "-allow", strings.Join(kinds, ","))
}

// compareKept compares what the run began with and what it ended with once more, in
// the packages whose benchmarks are undecided.
func compareKept(r *model.Run) string {
	command := []string{"pawl", "compare"}
	if i := slices.Index(r.Args, "-C"); i >= 0 && i+1 < len(r.Args) {
		command = append(command, r.Args[i:i+2]...)
	}
	command = append(command, words.Commit(r.Head), r.Branch)
	for _, res := range r.Results {
		if p := res.Benchmark.Pkg; undecided(res) && !slices.Contains(command, p) {
			command = append(command, p)
		}
	}
	return figure.Shell(command...)
}

// undecided reports whether more time could still say something of a benchmark.
func undecided(r model.Result) bool {
	return r.Verdict != nil && r.Verdict.Answer == model.Undecided
}

// whereToLook is the sentence for a run that had nothing to try, or kept nothing.
func whereToLook(cs []cost) string {
	n := 0
	var first cost
	for _, c := range cs {
		if len(c.leads) > 0 && len(c.ideas()) == 0 {
			if n == 0 {
				first = c
			}
			n++
		}
	}
	if n == 0 {
		return ""
	}
	cpu, allocs := first.shares()
	of := cpu + " of the CPU time"
	if cpu == "" {
		of = allocs + " of the objects"
	}
	return "look first at " + first.place() + " (" + of + " of " + first.most.String() + "): leads below"
}

// idea is a change that was tried, in one line: what was measured, or why it was not
// kept.
func idea(a model.Attempt) string {
	var parts []string
	if len(a.Verdicts) > 0 && figure.Known(a.Verdicts[0]) {
		v := a.Verdicts[0]
		parts = append(parts, figure.MetricShort(v.Metric)+" "+figure.Change(v.Change))
	}
	for _, c := range a.Counts {
		if c.Metric == "allocs/op" && (c.Fell() || c.Rose()) {
			parts = append(parts, words.Count(c.Before)+" → "+words.Count(c.After)+" allocs")
			break
		}
	}
	switch {
	case a.Outcome == model.KeptUncompared:
		return string(a.Outcome) + ": " + strings.Join(parts, ", ")
	case a.Outcome.Kept() && len(parts) > 0:
		return strings.Join(parts, ", ")
	case a.Outcome == model.Unsettled && len(a.Verdicts) > 0 && figure.Known(a.Verdicts[0]): // else something else than the time is open
		return "undecided: " + strings.Join(parts, ", ")
	case a.Outcome == model.Unsettled:
		return "undecided: " + a.Reason
	case len(parts) > 0 && strings.HasPrefix(a.Reason, "slower"):
		return strings.Join(parts, ", ")
	}
	return outcome(a, false)
}

// settled are the benchmarks where there is nothing to say but that nothing
// changed, by family.
func settled(rs []model.Result) (said, same []model.Result) {
	for _, res := range rs {
		moved := slices.ContainsFunc(res.Counts, func(c model.Exact) bool { return c.Metric != "retained-B" && !c.Equal() && !c.Noisy })
		if res.Verdict != nil && res.Verdict.Answer == model.NoEffect && !moved {
			same = append(same, res)
		} else {
			said = append(said, res)
		}
	}
	return said, same
}

// namesOf are the families of benchmarks with how many sub-benchmarks each stands
// for, where that is more than one.
func namesOf(rs []model.Result) []string {
	var bs []model.Benchmark
	n := map[string]int{}
	for _, res := range rs {
		bs = append(bs, res.Benchmark)
		n[families([]model.Benchmark{res.Benchmark})[0]]++
	}
	out := families(bs)
	for i, name := range out {
		if n[name] > 1 {
			out[i] = name + " (" + strconv.Itoa(n[name]) + ")"
		}
	}
	return out
}
