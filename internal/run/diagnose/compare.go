package diagnose

import (
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/diagnose"
	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// compared reports whether profiles are to be compared.
func (o *Options) compared() bool { return len(o.Base) > 0 }

// sides looks, before anything is run or read, whether both sides of a
// comparison have profiles. The error is one of usage.
func (w *work) sides() error {
	if !w.compared() {
		return nil
	}
	trace := func(t string) bool { return target.IsTraceURL(t) || !target.IsURL(t) && isTrace(w.file(t)) }
	for _, t := range w.Base {
		switch {
		case trace(t):
			return testbed.Usagef("-base %s is an execution trace, and profiles are compared: name profiles", Public(t))
		case isMetrics(t):
			return testbed.Usagef("-base %s is a page of metrics, and profiles are compared: name profiles", Public(t))
		}
	}
	for _, t := range w.Targets {
		if !trace(t) && !isMetrics(t) {
			return nil
		}
	}
	return testbed.Usage("-base compares profiles, and there are none beside it: name the newer ones as targets")
}

// division returns what figures are divided by. The error is one of usage.
func (o *Options) division() (diagnose.Per, error) {
	var per diagnose.Per
	switch {
	case !o.compared() && (o.Ops != "" || o.Per != "share"):
		return per, testbed.Usage("-ops and -per are for -base OLD, which compares profiles")
	case o.Ops != "" && o.Per == "second":
		return per, testbed.Usage("-ops and -per second are two ways to divide: give one of them")
	case o.Ops == "":
		per.Second = o.Per == "second"
		return per, nil
	}
	old, now, _ := strings.Cut(o.Ops, ",")
	var err1, err2 error
	per.BaseOps, err1 = strconv.ParseFloat(old, 64)
	per.NowOps, err2 = strconv.ParseFloat(now, 64)
	if err1 != nil || err2 != nil || !diagnose.Countable(per.BaseOps) || !diagnose.Countable(per.NowOps) {
		return per, testbed.Usagef("-ops %s: two numbers above zero, as in -ops 120000,118000", o.Ops)
	}
	return per, nil
}

// diagnosis looks at profiles; with -base it says what grew between those of
// one process, and compares the others.
func (w *work) diagnosis(base, now []profile.Source) (*model.Diagnosis, error) {
	if !w.compared() {
		return diagnose.Diagnose(now, w.look)
	}
	d := &model.Diagnosis{Schema: model.SchemaVersion, Profiles: []model.Symptoms{}}
	var err error
	if d.Growth, base, now, err = diagnose.Grown(base, now, w.look); err != nil {
		return nil, err
	}
	if len(d.Growth) > 0 && len(base)+len(now) == 0 {
		w.undivided(d)
		return d, nil
	}
	d.Compared, d.Warnings, err = diagnose.Compare(base, now, w.look)
	w.undivided(d)
	return d, err
}

// undivided says that growth is not divided by what was asked for.
func (w *work) undivided(d *model.Diagnosis) {
	if len(d.Growth) > 0 && (w.Ops != "" || w.Per != "share") {
		d.Warnings = append(d.Warnings, model.Warning{
			Seen:  "-ops and -per do not change what is said of growth",
			Cause: "the profiles are of one process, whose live memory or goroutines are compared",
		})
	}
}
