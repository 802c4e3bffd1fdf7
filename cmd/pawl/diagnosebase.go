package main

import (
	"errors"
	"flag"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/model"
)

// A comparing holds the flags of diagnose -base.
type comparing struct {
	base targets
	ops  string
	per  string
}

// targets is a flag that may be given several times, or with commas.
type targets []string

func (t *targets) String() string { return strings.Join(*t, ",") }

// public returns the targets without passwords.
func (t targets) public() []string {
	var out []string
	for _, target := range t {
		out = append(out, public(target))
	}
	return out
}

func (t *targets) Set(v string) error {
	if strings.Trim(v, ",") == "" {
		return errors.New("it names nothing: is a variable of the shell not set?")
	}
	for part := range strings.SplitSeq(v, ",") {
		if part != "" {
			*t = append(*t, part)
		}
	}
	return nil
}

func (c *comparing) register(fs *flag.FlagSet) {
	fs.Var(&c.base, "base", "`profiles` of the program before: say what costs more and what less since; several with commas, or the flag again")
	fs.StringVar(&c.ops, "ops", "", "with -base: how many operations, `OLD,NEW`, the profiles of each side cover; figures are then per operation, and not shares")
	c.per = "share"
	fs.Var(choice{&c.per, []string{"share", "second"}}, "per", "with -base: `what` figures are divided by: share (of the profile) or second")
}

// wanted reports whether profiles are to be compared.
func (c *comparing) wanted() bool { return len(c.base) > 0 }

// sides looks, before anything is run or read, whether both sides of a
// comparison have profiles. The error is one of usage.
func (c *comparing) sides(e *env, now []string) error {
	if !c.wanted() {
		return nil
	}
	trace := func(t string) bool { return diagnose.IsTraceURL(t) || !diagnose.IsURL(t) && isTrace(within(e.dir, t)) }
	for _, t := range c.base {
		switch {
		case trace(t):
			return usageError("-base %s is an execution trace, and profiles are compared: name profiles", public(t))
		case isMetrics(t):
			return usageError("-base %s is a page of metrics, and profiles are compared: name profiles", public(t))
		}
	}
	for _, t := range now {
		if !trace(t) && !isMetrics(t) {
			return nil
		}
	}
	return usageError("-base compares profiles, and there are none beside it: name the newer ones as targets")
}

// division returns what figures are divided by. The error is one of usage.
func (c *comparing) division() (diagnose.Per, error) {
	var per diagnose.Per
	switch {
	case !c.wanted() && (c.ops != "" || c.per != "share"):
		return per, usageError("-ops and -per are for -base OLD, which compares profiles")
	case c.ops != "" && c.per == "second":
		return per, usageError("-ops and -per second are two ways to divide: give one of them")
	case c.ops == "":
		per.Second = c.per == "second"
		return per, nil
	}
	old, now, _ := strings.Cut(c.ops, ",")
	var err1, err2 error
	per.BaseOps, err1 = strconv.ParseFloat(old, 64)
	per.NowOps, err2 = strconv.ParseFloat(now, 64)
	if err1 != nil || err2 != nil || !count(per.BaseOps) || !count(per.NowOps) {
		return per, usageError("-ops %s: two numbers above zero, as in -ops 120000,118000", c.ops)
	}
	return per, nil
}

// count reports whether x can be a number of operations.
func count(x float64) bool { return x > 0 && x <= 1e18 }

// diagnosis looks at profiles; with -base it says what grew between those of
// one process, and compares the others.
func (c *comparing) diagnosis(base, now []diagnose.Source, o diagnose.Options) (*model.Diagnosis, error) {
	if !c.wanted() {
		return diagnose.Diagnose(now, o)
	}
	d := &model.Diagnosis{Schema: model.SchemaVersion, Profiles: []model.Symptoms{}}
	var err error
	if d.Growth, base, now, err = diagnose.Grown(base, now, o); err != nil {
		return nil, err
	}
	if len(d.Growth) > 0 && len(base)+len(now) == 0 {
		c.undivided(d)
		return d, nil
	}
	d.Compared, d.Warnings, err = diagnose.Compare(base, now, o)
	c.undivided(d)
	return d, err
}

// undivided says that growth is not divided by what was asked for.
func (c *comparing) undivided(d *model.Diagnosis) {
	if len(d.Growth) > 0 && (c.ops != "" || c.per != "share") {
		d.Warnings = append(d.Warnings, model.Warning{
			Seen:  "-ops and -per do not change what is said of growth",
			Cause: "the profiles are of one process, whose live memory or goroutines are compared",
		})
	}
}
