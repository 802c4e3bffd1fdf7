package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

func runTable(_ context.Context, s *settings) error {
	records, err := readRecords(s.results)
	if err != nil {
		return err
	}
	fmt.Fprint(s.stdout, tables(records))
	return nil
}

// tables prints everything that the records say as Markdown.
func tables(records []Record) string {
	var b strings.Builder
	effectTable(&b, records)
	equalsTable(&b, records)
	for _, verb := range []string{"same", "different"} {
		foundTable(&b, records, verb)
	}
	gateTable(&b, records)
	overheadTable(&b, records)
	loadLine(&b, records)
	return b.String()
}

func head(b *strings.Builder, title string, columns ...string) {
	fmt.Fprintf(b, "\n**%s**\n\n| %s |\n|%s\n", title, strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
}

func row(b *strings.Builder, cells ...string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }

func effectTable(b *strings.Builder, records []Record) {
	opened := false
	for _, r := range records {
		if r.Verb != "calibrate" {
			continue
		}
		if !opened {
			head(b, "Injected effects, as long runs of duets define them", "benchmark", "ns/op", "nominal", "steps", "measured [95 %]", "duets", "sd of one")
			opened = true
		}
		m := r.Measured
		row(b, r.Subject, fmt.Sprintf("%.4g", m.PerOp), percent(r.Effect), fmt.Sprint(r.Steps),
			fmt.Sprintf("%+.2f %% [%+.2f, %+.2f]", 100*m.Change, 100*m.Lo, 100*m.Hi), fmt.Sprint(m.Duets), fmt.Sprintf("%.1f %%", 100*m.SD))
	}
}

func percent(x float64) string { return fmt.Sprintf("%g %%", round(100*x, 2)) }

// A tally is the outcome of some comparisons. Up is slower, down is faster.
type tally struct {
	claims, found, faster, open, linked count // pawl's
	equal, equalUp, equalDown           count // benchstat's, at equal CPU time
	usual, usualUp, usualDown           count // benchstat's, at 10 × 1 s
	seconds, walls                      []float64
	cpu, equalCPU, usualCPU             []float64
}

func tallied(records []Record, keep func(Record) bool) tally {
	var t tally
	for _, r := range records {
		if !keep(r) || len(r.Pawl) != 1 {
			continue
		}
		j := r.Pawl[0]
		t.claims.add(j.claims())
		t.found.add(j.found())
		t.faster.add(j.Standing == "improved" || j.Answer == "faster")
		t.open.add(j.Standing == "undecided")
		t.linked.add(len(j.Links) > 0)
		t.seconds, t.walls = append(t.seconds, j.Seconds), append(t.walls, r.Run.Wall)
		t.cpu = append(t.cpu, j.CPU)
		if e := r.Equal; e != nil {
			t.equal.add(e.claims() != 0)
			t.equalUp.add(e.claims() > 0)
			t.equalDown.add(e.claims() < 0)
			t.equalCPU = append(t.equalCPU, e.CPU)
		}
		if u := r.Usual; u != nil {
			t.usual.add(u.claims() != 0)
			t.usualUp.add(u.claims() > 0)
			t.usualDown.add(u.claims() < 0)
			t.usualCPU = append(t.usualCPU, u.CPU)
		}
	}
	return t
}

func equalsTable(b *strings.Builder, records []Record) {
	aa := func(r Record) bool { return r.Verb == "aa" }
	if !slices.ContainsFunc(records, aa) {
		return
	}
	head(b, "Equals: wrong claims", "benchmark", "pawl", "undecided", "came to fresh links", "benchstat, equal CPU time", "benchstat, 10 × 1 s")
	for _, name := range names(records, aa) {
		t := tallied(records, func(r Record) bool { return aa(r) && r.Subject == name })
		row(b, name, plain(t.claims), plain(t.open), plain(t.linked), plain(t.equal), plain(t.usual))
	}
	t := tallied(records, aa)
	row(b, "**all**", t.claims.String(), t.open.String(), t.linked.String(), t.equal.String(), t.usual.String())
	fmt.Fprintf(b, "\nA tool with an error rate of 5 %% makes up to %d wrong claims in %d comparisons, in 95 campaigns of 100.\n", bound(t.claims.n, 0.05), t.claims.n)
	fmt.Fprintf(b, "CPU time of a comparison, mean: pawl %.1f s, benchstat %.1f s, 10 × 1 s %.1f s.\n", mean(t.cpu), mean(t.equalCPU), mean(t.usualCPU))
	if p := tallied(records, func(r Record) bool { return r.Verb == "power" }); p.found.n > 0 {
		fmt.Fprintf(b, "Power in the same campaign, an injected %s in another source: pawl %s, benchstat at equal CPU time %s.\n", percent(gateEffect), p.found, p.equalUp)
	}
}

func plain(c count) string {
	if c.n == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", c.k, c.n)
}

func mean(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// names returns the subjects of the records that are kept, in the order of
// their first one.
func names(records []Record, keep func(Record) bool) []string {
	var out []string
	for _, r := range records {
		if keep(r) && !slices.Contains(out, r.Subject) {
			out = append(out, r.Subject)
		}
	}
	return out
}

// foundTable prints how often an injected effect was found. The comparisons
// that show the power beside the equals are of different sources too.
func foundTable(b *strings.Builder, records []Record, verb string) {
	of := func(r Record) bool { return r.Verb == verb || verb == "different" && r.Verb == "power" }
	if !slices.ContainsFunc(records, of) {
		return
	}
	title := "One source, injected effect"
	if verb == "different" {
		title = "Two sources, injected effect, fresh links"
	}
	head(b, title, "effect", "benchmark", "pawl finds it", "says faster (wrong)", "undecided", "median s (90th)", "with builds, median s", "CPU s, mean",
		"benchstat at equal CPU time: slower", "faster (wrong)", "CPU s, mean", "10 × 1 s: slower", "faster (wrong)")
	for _, e := range effects {
		at := func(r Record) bool { return of(r) && r.Effect == e }
		for _, name := range names(records, at) {
			t := tallied(records, func(r Record) bool { return at(r) && r.Subject == name })
			row(b, append([]string{percent(e), name}, t.cells(plain)...)...)
		}
		if t := tallied(records, at); t.found.n > 0 {
			row(b, append([]string{"**" + percent(e) + "**", "**all**"}, t.cells(count.String)...)...)
		}
	}
}

func (t tally) cells(show func(count) string) []string {
	return []string{
		show(t.found), plain(t.faster), plain(t.open), fmt.Sprintf("%.1f (%.1f)", median(t.seconds), quantile(t.seconds, 0.9)), fmt.Sprintf("%.1f", median(t.walls)), fmt.Sprintf("%.1f", mean(t.cpu)),
		show(t.equalUp), plain(t.equalDown), fmt.Sprintf("%.1f", mean(t.equalCPU)), show(t.usualUp), plain(t.usualDown),
	}
}

func gateTable(b *strings.Builder, records []Record) {
	gate := func(r Record) bool { return r.Verb == "gate" }
	if !slices.ContainsFunc(records, gate) {
		return
	}
	head(b, "Gates", "change", "exit 0", "exit 1", "exit 4", "benchmarks alarmed", "benchmarks undecided", "the slower one found", "median s")
	for _, e := range []float64{0, gateEffect} {
		var codes [5]count
		var alarms, open, hit count
		var walls []float64
		for _, r := range records {
			if !gate(r) || r.Effect != e {
				continue
			}
			for code := range codes {
				codes[code].add(r.Run.Code == code)
			}
			walls = append(walls, r.Run.Wall)
			for _, j := range r.Pawl {
				if e > 0 && j.Bench == gated.bench {
					hit.add(j.Standing == "regressed")
					continue
				}
				alarms.add(j.Standing == "regressed")
				open.add(j.Standing == "undecided")
			}
		}
		if len(walls) == 0 {
			continue
		}
		change := "none that counts"
		if e > 0 {
			change = "one benchmark slower by " + percent(e)
		}
		row(b, change, codes[0].String(), codes[1].String(), codes[4].String(), plain(alarms), plain(open), plain(hit), fmt.Sprintf("%.0f", median(walls)))
	}
}

func overheadTable(b *strings.Builder, records []Record) {
	opened := false
	for _, verb := range []string{"overhead", "same"} {
		var shares []float64
		load := ""
		for _, r := range records {
			if r.Verb == verb && r.Run != nil && r.Run.Wall > 0 {
				shares = append(shares, 1-r.Run.Measure/r.Run.Wall)
				load = r.Load
			}
		}
		if len(shares) == 0 {
			continue
		}
		if !opened {
			head(b, "Wall time of a comparison of test binaries outside benchmark processes", "load", "comparisons", "median", "largest")
			opened = true
		}
		row(b, load, fmt.Sprint(len(shares)), fmt.Sprintf("%.1f %%", 100*median(shares)), fmt.Sprintf("%.1f %%", 100*slices.Max(shares)))
	}
}

// loadLine says what load was on.
func loadLine(b *strings.Builder, records []Record) {
	var taken, stalled []float64
	for _, r := range records {
		if r.Run != nil && r.Load != "none" && r.Load != "" {
			taken, stalled = append(taken, r.Run.Conditions.Taken), append(stalled, r.Run.Conditions.Stalled)
		}
	}
	if len(taken) > 0 {
		fmt.Fprintf(b, "\nThe load took %.2f CPUs (median; %.2f to %.2f); some process waited for a CPU in %.0f %% of the time (median).\n",
			median(taken), quantile(taken, 0.05), quantile(taken, 0.95), 100*median(stalled))
	}
}
