package main

import (
	"context"
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

func (t *targets) Set(v string) error {
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
	fs.StringVar(&c.per, "per", "share", "with -base: `what` figures are divided by: share (of the profile) or second")
}

// wanted reports whether profiles are to be compared.
func (c *comparing) wanted() bool { return len(c.base) > 0 }

// division returns what figures are divided by. The error is one of usage.
func (c *comparing) division() (diagnose.Per, error) {
	var per diagnose.Per
	switch {
	case !c.wanted() && (c.ops != "" || c.per != "share"):
		return per, usageError("-ops and -per are for -base OLD, which compares profiles")
	case c.per != "share" && c.per != "second":
		return per, usageError("-per %s: none of share, second", c.per)
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

// diagnosis looks at profiles; with -base, it reads those of the base and
// compares.
func (c *comparing) diagnosis(ctx context.Context, e *env, now []diagnose.Source, seconds int, o diagnose.Options) (*model.Diagnosis, error) {
	if !c.wanted() {
		return diagnose.Diagnose(now, o)
	}
	base, err := readTargets(ctx, e, c.base, seconds)
	if err != nil {
		return nil, err
	}
	d := &model.Diagnosis{Schema: model.SchemaVersion, Profiles: []model.Symptoms{}}
	d.Compared, d.Warnings, err = diagnose.Compare(base, now, o)
	return d, err
}
