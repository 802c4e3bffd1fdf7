package runs

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/words"
)

// symbol shortens a symbol to what a reader of the file needs:
// example.com/a/b.(*T).Method is (*T).Method.
func symbol(name string) string {
	short := name[strings.LastIndexByte(name, '/')+1:]
	if _, after, ok := strings.Cut(short, "."); ok && after != "" {
		return after
	}
	return short
}

// headline says what became of one benchmark, or just names it when nothing was
// compared.
func headline(r model.Result) string {
	var parts []string
	for _, c := range r.Counts {
		if c.Metric == "allocs/op" && (c.Fell() || c.Rose()) {
			parts = append(parts, words.Count(c.Before)+" → "+words.Count(c.After)+" allocs/op")
		}
	}
	if v := r.Verdict; v != nil && v.Answer == model.Undecided {
		parts = append(parts, figure.Answer(*v)) // what is known stands first
	} else if v != nil {
		parts = slices.Insert(parts, 0, figure.Answer(*v))
	}
	if len(parts) == 0 {
		return r.Benchmark.String() + " as it is" + inThis
	}
	if r.Verdict == nil {
		parts = append(parts, "CPU time not compared")
	}
	return r.Benchmark.String() + ": " + strings.Join(parts, ", ") + inThis
}

// inThis ends a claim: it holds where it was measured.
const inThis = ", in this benchmark"

func summary(r *model.Run) string {
	kept, tried := r.Kept(), len(r.Last())
	switch {
	case r.Verb == "try" && tried == 1:
		return summaryOfTry(r.Attempts[0])
	case tried == 0 && r.Unended():
		return "Nothing kept so far: the run has not come to its end."
	case tried == 0 && r.Stopped != "":
		return "Nothing kept: nothing was tried before the run ended."
	case tried == 0 && len(costs(r)) > 0:
		return "Nothing kept: no change that pawl knows fits " + fits(len(costs(r))) + "."
	case tried == 0:
		return "Nothing kept: no line was found that costs."
	case kept == 0:
		return "Nothing kept: " + words.Plural(tried, "change") + " tried" + refuted(r) + Besides(r) + "."
	case kept == tried && kept == 1:
		return "1 change tried and kept" + Besides(r) + "."
	}
	return strconv.Itoa(kept) + " of " + words.Plural(tried, "change") + " kept" + Besides(r) + "."
}

func fits(lines int) string {
	if lines == 1 {
		return "the line that costs"
	}
	return "any of the " + strconv.Itoa(lines) + " lines that cost"
}

// refuted counts why changes were not kept, by the first thing that spoke against
// each.
func refuted(r *model.Run) string {
	guard, slower, little := 0, 0, 0
	for _, a := range r.Last() {
		failed := func(c model.Check) bool { return !c.OK && c.Skipped == "" }
		switch {
		case a.Outcome != model.RolledBack:
		case slices.ContainsFunc(a.Checks, failed) || len(a.Verdicts) == 0:
			guard++
		case a.Verdicts[0].Answer == model.Slower:
			slower++
		default:
			little++
		}
	}
	t := ""
	add := func(n int, what string) {
		if n > 0 {
			t += ", " + strconv.Itoa(n) + " " + what
		}
	}
	add(slower, "slower")
	add(little, "without a gain worth having")
	add(guard, "refused")
	return t
}

// Besides counts the outcomes that are neither a plain yes nor a no.
func Besides(r *model.Run) string {
	blind, open := 0, 0
	for _, a := range r.Last() {
		switch a.Outcome {
		case model.KeptUncompared:
			blind++
		case model.Unsettled:
			open++
		}
	}
	t := ""
	if blind > 0 {
		t += ", " + strconv.Itoa(blind) + " not compared"
	}
	if open > 0 {
		t += ", " + strconv.Itoa(open) + " undecided"
	}
	return t
}

// figures is what was measured about an attempt at its target benchmark,
// beside the reason that the loop gives.
func figures(a model.Attempt, many bool) string {
	var parts []string
	if len(a.Verdicts) > 0 {
		v := a.Verdicts[0]
		name := ""
		if many {
			name = v.Benchmark.String() + " "
		}
		parts = append(parts, name+figure.Estimate(v))
	}
	return strings.Join(parts, ", ")
}

// severalBenchmarks reports whether the attempts aimed at more than one
// benchmark, so that figures have to name theirs.
func severalBenchmarks(attempts []model.Attempt) bool {
	var first model.Benchmark
	for _, a := range attempts {
		b, ok := aim(a)
		if ok && first != (model.Benchmark{}) && b != first {
			return true
		}
		if ok {
			first = b
		}
	}
	return false
}

// warnings collects the warnings of a run and of all that it holds, each once, and
// those with the same cause and remedy as one.
func warnings(r *model.Run) []model.Warning {
	var out []model.Warning
	seen := map[string]bool{}
	add := func(ws []model.Warning) {
		for _, w := range ws {
			if seen[w.Seen] {
				continue
			}
			seen[w.Seen] = true
			alike := func(x model.Warning) bool { return x.Cause == w.Cause && x.Try == w.Try && w.Cause+w.Try != "" }
			if i := slices.IndexFunc(out, alike); i >= 0 {
				out[i].Seen += "; " + w.Seen
				continue
			}
			out = append(out, w)
		}
	}
	add(r.Warnings)
	for _, p := range r.Plans {
		add(p.Warnings)
	}
	for _, a := range r.Attempts {
		add(a.Warnings)
		for _, v := range a.Verdicts {
			add(v.Warnings)
		}
	}
	for _, res := range r.Results {
		if res.Verdict != nil {
			add(res.Verdict.Warnings)
		}
	}
	return out
}
