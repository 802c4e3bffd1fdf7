package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/words"
)

// comparisonFacts says what was compared, what is promised of the answer, and
// what it was found on.
func comparisonFacts(c *model.Comparison) []figure.Fact {
	var out []figure.Fact
	add := func(label, text string) {
		if text != "" {
			out = append(out, figure.Fact{Label: label, Text: text})
		}
	}
	add("base", sideText(c.Base, c.Candidate))
	add("candidate", sideText(c.Candidate, c.Base))
	add("module", c.Module)
	add("promised", promise(c))
	add("sees", seen(c))
	add("go", strings.TrimSpace(c.Env.GoVersion+" "+strings.Trim(c.Env.GOOS+"/"+c.Env.GOARCH, "/")))
	add("machine", figure.Machine(c.Env))
	add("settings", figure.Settings(c.Env.Settings))
	if !c.Started.IsZero() {
		add("started", c.Started.Format(figure.Stamp+" MST"))
	}
	add("pawl", c.Tool)
	return out
}

// sideText is one side: its name, commit and Go version, and those of its
// settings that the other one does not have.
func sideText(s, other model.Side) string {
	var parts []string
	if s.Name != "" {
		parts = append(parts, s.Name)
	}
	if s.Kind != "" && string(s.Kind) != s.Name && s.Kind != model.SideRef {
		parts = append(parts, string(s.Kind))
	}
	if s.Commit != "" && s.Commit != s.Name {
		parts = append(parts, words.Commit(s.Commit))
	}
	if s.GoVersion != "" {
		parts = append(parts, s.GoVersion)
	}
	own := make(map[string]string)
	for k, v := range s.Settings {
		if theirs, ok := other.Settings[k]; !ok || theirs != v {
			own[k] = v
		}
	}
	if len(own) > 0 {
		parts = append(parts, figure.Settings(own))
	}
	return strings.Join(parts, ", ")
}

// promise is the error rate, and what counts.
func promise(c *model.Comparison) string {
	var parts []string
	if c.Alpha > 0 {
		parts = append(parts, "all claims together: α "+figure.Chosen(c.Alpha))
	}
	if c.MinEffect > 0 {
		parts = append(parts, "what counts is a slowdown by "+figure.Chosen(c.MinEffect)+" or more")
	}
	return strings.Join(parts, "; ")
}

// seen is what the machine can tell apart: the smallest difference at the noise of
// one link of each side, and the noise of the comparison itself.
func seen(c *model.Comparison) string {
	var noise []model.Noise
	lo, hi, unit := 0.0, 0.0, ""
	take := func(sd float64, of string) {
		if sd <= 0 || words.Unbounded(sd) {
			return
		}
		if hi == 0 || sd < lo {
			lo = sd
		}
		hi = max(hi, sd)
		if unit != "" && unit != of {
			of = "unit"
		}
		unit = of
	}
	blind := 0 // benchmarks whose time was too short to see anything
	for _, b := range c.Benchmarks {
		switch {
		case b.Noise == nil || words.Unbounded(b.Noise.Sees) || b.Noise.Sees <= 0:
		case b.Noise.Blind():
			blind++
		default:
			noise = append(noise, *b.Noise)
		}
		if b.Verdict != nil {
			take(b.Verdict.NoiseSD, unitNoun(unitsOf(c, b)))
		}
	}
	if l := c.Load; l != nil {
		if l.Noise != nil && l.Noise.Sees > 0 && !l.Noise.Blind() {
			noise = append(noise, *l.Noise)
		}
		if len(l.Metrics) > 0 {
			take(l.Metrics[0].Verdict.NoiseSD, "pair")
		}
	}
	var parts []string
	if s := figure.Sees(noise); s != "" {
		parts = append(parts, "differences of "+s)
	}
	if blind > 0 {
		parts = append(parts, "nothing in "+words.Plural(blind, "benchmark")+", for lack of time")
	}
	switch {
	case hi == 0:
	case figure.Share(lo) == figure.Share(hi):
		parts = append(parts, "noise of one "+unit+" "+figure.Share(hi))
	default:
		parts = append(parts, fmt.Sprintf("noise of one %s %s to %s", unit, figure.Share(lo), figure.Share(hi)))
	}
	return strings.Join(parts, "; ")
}

// unitNoun is "duet" of "24 duets".
func unitNoun(units string) string {
	_, noun, _ := strings.Cut(units, " ")
	if noun == "" {
		return "unit"
	}
	return strings.TrimSuffix(noun, "s")
}

// comparisonSteps says where the samples are and how to see it again.
func comparisonSteps(c *model.Comparison) []figure.Step {
	var out []figure.Step
	if c.Dir != "" {
		out = append(out, figure.Step{Label: "directory", Text: c.Dir, Command: false})
	}
	for i, name := range c.Samples {
		label := "samples"
		if i > 0 {
			label = ""
		}
		out = append(out, figure.Step{Label: label, Text: name, Command: false})
	}
	if len(c.Samples) >= 2 {
		out = append(out, figure.Step{Label: "benchstat", Text: figure.Shell("benchstat", c.Samples[0], c.Samples[1]), Command: true})
	}
	if c.Verb != "" {
		out = append(out, figure.Step{Label: "again", Text: figure.Shell(append([]string{"pawl", c.Verb}, c.Args...)...), Command: true})
	}
	return out
}

func cost(c *model.Comparison) string {
	cpu := 0.0
	for _, b := range c.Benchmarks {
		cpu += b.CPU
	}
	what := "the benchmarks"
	if c.Load != nil {
		for _, r := range c.Load.Runs {
			cpu += (r.Base.CPUNs + r.Candidate.CPUNs) / 1e9
		}
		what = "the programs"
	}
	t := ""
	if c.Split.Total > 0 && !words.Unbounded(c.Split.Total) {
		var parts []string
		for _, p := range figure.Split(c.Split) {
			if p.Seconds > 0 {
				parts = append(parts, figure.Share(p.Seconds/c.Split.Total)+" "+p.Name)
			}
		}
		t = "Took " + words.Seconds(c.Split.Total) + ": " + strings.Join(parts, ", ") + "."
	}
	if cpu > 0 && !words.Unbounded(cpu) {
		t = strings.TrimSpace(t + " In " + what + ": " + words.Three(cpu) + " CPU seconds.")
	}
	return t
}

// decide is the command that goes on with what is undecided: the same again, with
// twice the budget for these benchmarks alone. "" where nothing is, or where more time
// would not help.
func decide(c *model.Comparison) string {
	if c.Verb == "" {
		return ""
	}
	time := []string{"-budget", figure.MoreTime(c.Args, "budget")}
	if c.Load != nil {
		if c.Load.Standing != model.Open {
			return ""
		}
		return figure.Again(c.Verb, c.Args, time...)
	}
	var names []string
	for _, b := range c.Benchmarks {
		differs := b.Source != nil && len(b.Source.Differs) > 0 && !b.Source.Pinned // each side runs its own: time does not help
		name, _, _ := strings.Cut(strings.TrimPrefix(b.Benchmark.Name, "Benchmark"), "/")
		if b.Standing == model.Open && !differs && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || c.Base.Kind == model.SideSamples {
		return ""
	}
	pattern := "Benchmark" + names[0]
	if len(names) > 1 {
		pattern = "Benchmark(" + strings.Join(names, "|") + ")"
	}
	return figure.Again(c.Verb, c.Args, append(time, "-bench", "^"+pattern+"$")...)
}
