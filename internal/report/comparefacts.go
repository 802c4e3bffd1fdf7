package report

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// comparisonFacts says what was compared, what is promised of the answer, and
// what it was found on.
func comparisonFacts(c *model.Comparison) []fact {
	var out []fact
	add := func(label, text string) {
		if text != "" {
			out = append(out, fact{label, text})
		}
	}
	add("base", sideText(c.Base, c.Candidate))
	add("candidate", sideText(c.Candidate, c.Base))
	add("module", c.Module)
	add("promised", promise(c))
	add("sees", seen(c))
	add("go", strings.TrimSpace(c.Env.GoVersion+" "+strings.Trim(c.Env.GOOS+"/"+c.Env.GOARCH, "/")))
	add("machine", machine(c.Env))
	add("settings", settings(c.Env.Settings))
	if !c.Started.IsZero() {
		add("started", c.Started.Format(stamp+" MST"))
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
		parts = append(parts, shortCommit(s.Commit))
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
		parts = append(parts, settings(own))
	}
	return strings.Join(parts, ", ")
}

// shortCommit is as much of a hash as git itself shows in large repositories.
func shortCommit(hash string) string { return hash[:min(len(hash), 12)] }

// promise is the error rate, and what counts.
func promise(c *model.Comparison) string {
	var parts []string
	if c.Alpha > 0 {
		parts = append(parts, "all claims together: α "+chosen(c.Alpha))
	}
	if c.MinEffect > 0 {
		parts = append(parts, "what counts is a slowdown by "+chosen(c.MinEffect)+" or more")
	}
	return strings.Join(parts, "; ")
}

// seen is what the machine can tell apart: the smallest difference where base
// was compared with base, and the noise of the comparison itself.
func seen(c *model.Comparison) string {
	var noise []model.Noise
	lo, hi, unit := 0.0, 0.0, ""
	take := func(sd float64, of string) {
		if sd <= 0 || open(sd) {
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
		case b.Noise == nil || open(b.Noise.Sees) || b.Noise.Sees <= 0:
		case b.Noise.Sees >= 1:
			blind++
		default:
			noise = append(noise, *b.Noise)
		}
		if b.Verdict != nil {
			take(b.Verdict.NoiseSD, unitNoun(unitsOf(c, b)))
		}
	}
	if l := c.Load; l != nil {
		if l.Noise != nil && l.Noise.Sees > 0 && l.Noise.Sees < 1 {
			noise = append(noise, *l.Noise)
		}
		if len(l.Metrics) > 0 {
			take(l.Metrics[0].Verdict.NoiseSD, "pair")
		}
	}
	var parts []string
	if s := seesIn(noise); s != "" {
		parts = append(parts, "differences of "+s)
	}
	if blind > 0 {
		parts = append(parts, "nothing in "+number(blind, "benchmark")+", for lack of time")
	}
	switch {
	case hi == 0:
	case share(lo) == share(hi):
		parts = append(parts, "noise of one "+unit+" "+share(hi))
	default:
		parts = append(parts, fmt.Sprintf("noise of one %s %s to %s", unit, share(lo), share(hi)))
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
func comparisonSteps(c *model.Comparison) []step {
	var out []step
	if c.Dir != "" {
		out = append(out, step{"folder", c.Dir, false})
	}
	for i, name := range c.Samples {
		label := "samples"
		if i > 0 {
			label = ""
		}
		out = append(out, step{label, name, false})
	}
	if len(c.Samples) == 2 {
		out = append(out, step{"benchstat", shell("benchstat", c.Samples[0], c.Samples[1]), true})
	}
	if c.Verb != "" {
		out = append(out, step{"again", shell(append([]string{"pawl", c.Verb}, c.Args...)...), true})
	}
	return out
}

// cost is what the comparison took.
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
	if c.Split.Total > 0 && !open(c.Split.Total) {
		var parts []string
		for _, p := range split(c.Split) {
			if p.seconds > 0 {
				parts = append(parts, share(p.seconds/c.Split.Total)+" "+p.name)
			}
		}
		t = "Took " + seconds(c.Split.Total) + ": " + strings.Join(parts, ", ") + "."
	}
	if cpu > 0 && !open(cpu) {
		t = strings.TrimSpace(t + " In " + what + ": " + three(cpu) + " CPU seconds.")
	}
	return t
}
