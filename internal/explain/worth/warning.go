package worth

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/words"
)

const (
	fewSamples = 1000 // below which shares of a percent cannot be told
	manyCut    = 0.01
	manyBench  = 0.5
	shortest   = 10 // seconds
)

// warnings say what weakens the share.
func (p *Production) warnings(prof *profile.Profile, typ string, f found, part profile.Part) []model.Warning {
	var out []model.Warning
	add := func(seen, cause, try string) {
		out = append(out, model.Warning{Seen: seen, Cause: cause, Try: try})
	}
	traits, err := prof.Traits(typ)
	if err != nil {
		return nil // Part has read it already
	}
	switch {
	case part.Of == 0:
		add(p.file()+" has no samples", "nothing ran while it was taken", "take it under typical load")
	case part.In == 0 && traits.Nameless > 0.5:
		add(fmt.Sprintf("%s of %s has no function names", percent(traits.Nameless), p.file()), "the program was not built by Go, or its names were not resolved", "take the profile with runtime/pprof or net/http/pprof")
	case part.In == 0 && f.pkgs:
		add(fmt.Sprintf("none of %s samples of %s is in a changed function, though others of their packages are there", words.Grouped(part.Of), p.file()), "production does not run them, or hardly", "choose a target by this profile (-profile)")
	case part.In == 0:
		add(fmt.Sprintf("none of %s samples of %s is in the packages of the changed functions", words.Grouped(part.Of), p.file()), "production does not run them, hardly, or under another import path", "give a profile of a program that uses them")
	case part.Of < fewSamples:
		add(fmt.Sprintf("%s has %s samples: the share may be between %s and %s", p.file(), words.Grouped(part.Of), percent(part.Lo), percent(part.Hi)), "it is short, or the program was idle", "take 30 seconds or more under typical load, on several hosts")
	}
	for _, pkg := range slices.Sorted(maps.Keys(f.others)) {
		switch f.others[pkg] {
		case byVersion:
			add("production runs another major version: "+pkg, "", "its share is taken for that of this one")
		case byFork:
			add("production runs what looks like a fork: "+pkg, "", "its share is taken for that of this package")
		}
	}
	if traits.Bench > manyBench {
		add(fmt.Sprintf("%s of %s is below testing.(*B).runN", percent(traits.Bench), p.file()), "it is the profile of a benchmark, not of production", "give one of a running service")
	}
	if traits.Cut > manyCut {
		add(fmt.Sprintf("%s of the stacks in %s may be cut off", percent(traits.Cut), p.file()), "they are as deep as the profiler looks", "the share may be more than it seems")
	}
	if s := prof.Seconds(); typ == "cpu" && s > 0 && s < shortest {
		add(fmt.Sprintf("%s covers %.1f s", p.file(), s), "what runs now and then may be missing, or be caught by chance", "take 30 seconds or more under typical load")
	}
	return out
}

// percent formats a share: two digits that count.
func percent(x float64) string { return digits(100*x) + " %" }

// digits formats x, which is not negative, with two significant digits and
// neither an exponent nor a zero at the end.
func digits(x float64) string {
	places := 4
	for _, least := range []float64{0.00095, 0.0095, 0.095, 9.95} {
		if x >= least && places > 0 {
			places--
		}
	}
	if x > 0 && x < 0.0001 {
		return "0.0001" // and less
	}
	s := fmt.Sprintf("%.*f", places, x)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
