package report

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/model"
)

// clean makes one line of text that others wrote and takes out what a terminal
// would obey: control characters, and the marks that turn the direction of
// writing, which can make a line of code read as another.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r':
			return ' '
		case hidden(r):
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// hidden reports whether r is a control character or turns the direction of
// writing.
func hidden(r rune) bool {
	return unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// symbol shortens a symbol to what a reader of the file needs:
// example.com/a/b.(*T).Method is (*T).Method.
func symbol(name string) string {
	short := name[strings.LastIndexByte(name, '/')+1:]
	if _, after, ok := strings.Cut(short, "."); ok && after != "" {
		return after
	}
	return short
}

// place is where a target is, in a line.
func place(t model.Target) string {
	s := t.At.File + ":" + strconv.Itoa(t.At.Line)
	if t.Func != "" {
		s += "  " + symbol(t.Func)
	}
	return s
}

// answer is a verdict in words, without its figures' units of measure left to
// guess: "46.5 % less CPU time".
func answer(v model.Verdict) string {
	metric := metricName(v.Metric)
	size := strings.TrimLeft(percent(v.Change), "+"+minus) + " %"
	switch v.Answer {
	case model.Faster:
		return size + " less " + metric
	case model.Slower:
		return size + " more " + metric
	case model.NoEffect:
		return "no worthwhile effect on " + metric
	}
	return metric + " undecided"
}

// units is what a verdict rests on: duets, pairs of fresh links, or pairs of
// slices where the two sides took turns.
func units(v model.Verdict) string {
	if v.Links {
		return number(v.Units, "link")
	}
	if v.Metric == "wall/op" {
		return number(v.Units, "pair")
	}
	return number(v.Units, "duet")
}

// headline says what became of one benchmark, or just names it when nothing was
// compared.
func headline(r model.Result) string {
	var parts []string
	if r.Verdict != nil {
		parts = append(parts, answer(*r.Verdict))
	}
	for _, c := range r.Counts {
		if c.Metric == "allocs/op" && (c.Fell() || c.Rose()) {
			parts = append(parts, count(c.Before)+" → "+count(c.After)+" allocs/op")
		}
	}
	if len(parts) == 0 {
		return r.Benchmark.String() + " as it is, in this benchmark"
	}
	return r.Benchmark.String() + ": " + strings.Join(parts, ", ") + ", in this benchmark"
}

// summary says how a run ended, in one sentence.
func summary(r *model.Run) string {
	kept, tried := r.Kept(), len(r.Attempts)
	switch {
	case tried == 0 && r.Stopped != "":
		return "Nothing tried before the run ended."
	case tried == 0 && len(skipped(r)) > 0:
		return "Nothing to try: every target was left alone, for the reason given."
	case tried == 0:
		return "Nothing to try: no target was found."
	case kept == 0: // which is no word on what is undecided
		return "Nothing kept: " + number(tried, "change") + " tried."
	case kept == tried && kept == 1:
		return "1 change tried and kept."
	}
	return strconv.Itoa(kept) + " of " + number(tried, "change") + " kept."
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
		parts = append(parts, name+metricShort(v.Metric)+" "+change(v.Change)+" "+bounds(v))
	}
	if a.Solo != nil {
		parts = append(parts, "stock wall "+change(a.Solo.WallChange))
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

// skipped groups what will not be tried by the reason why, in the order of
// first appearance. Prospects and targets often name the same line: it counts
// once.
func skipped(r *model.Run) []group {
	var groups []group
	at := map[string]int{}
	seen := map[string]bool{}
	add := func(t model.Target, why string) {
		key := t.ID + "\x00" + t.At.String() + "\x00" + string(t.Resource)
		if why == "" || seen[key] {
			return
		}
		seen[key] = true
		i, ok := at[why]
		if !ok {
			i = len(groups)
			at[why] = i
			groups = append(groups, group{why: why})
		}
		groups[i].places = append(groups[i].places, path.Base(t.At.File)+":"+strconv.Itoa(t.At.Line))
	}
	for _, p := range r.Prospects {
		add(p.Target, p.Skip)
	}
	for _, t := range r.Targets {
		add(t, t.Skipped)
	}
	return groups
}

// A group is targets that are left alone for the same reason.
type group struct {
	why    string
	places []string
}

// warnings collects the warnings of a run and of all that it holds, each once.
func warnings(r *model.Run) []model.Warning {
	var out []model.Warning
	seen := map[string]bool{}
	add := func(ws []model.Warning) {
		for _, w := range ws {
			if !seen[w.Seen] {
				seen[w.Seen] = true
				out = append(out, w)
			}
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
