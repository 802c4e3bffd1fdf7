package main

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/report/watched"
	"github.com/pawl-dev/pawl/internal/run/watch"
)

// report prints what was found, as JSON where that is asked for.
func report[T any](e *env, g *watching, found T, text func(io.Writer, T, sheet.Options) error) error {
	if g.json {
		return data.JSON(e.stdout, found)
	}
	return text(e.stdout, found, e.shown(g.color, g.verbose))
}

// judge compares a canary with its baseline.
func (g *watching) judge(ctx context.Context, e *env, operands []string) (int, error) {
	o := g.judged
	token, err := g.token(e)
	switch {
	case err != nil:
		return 0, err
	case g.canary == "" || g.baseline == "" || len(operands) > 0:
		return 0, usageError("a canary is judged by -canary NEW -baseline OLD, without other targets")
	case o.Window%time.Second != 0:
		return 0, usageError("-window %v is no whole number of seconds", o.Window)
	case 2*o.Tolerated >= o.MinEffect:
		return 0, usageError("-tolerate %g is not below half of -min-effect %g", o.Tolerated, o.MinEffect)
	}
	if o.For = g.For; o.For == 0 {
		o.For = 10 * time.Minute
	}
	if o.For < o.Window {
		return 0, usageError("-for %v is shorter than one -window, %v", o.For, o.Window)
	}
	if o.Canary, err = watch.ParseTarget(g.canary, e.dir, token); err != nil {
		return 0, err
	}
	if o.Baseline, err = watch.ParseTarget(g.baseline, e.dir, token); err != nil {
		return 0, err
	}
	o.Seed, o.Tool, o.Dir = seed(0), version(), e.dir
	o.Say = func(text string) { e.printf("pawl: %s\n", text) }
	c, err := watch.Canary(ctx, o)
	if err != nil {
		return 0, err
	}
	err = report(e, g, c, watched.Canary)
	switch {
	case ctx.Err() != nil:
		return exitFailed, err
	case c.Verdict == model.CanaryFail:
		return exitFindings, err
	case c.Verdict == model.CanaryUndecided:
		return exitUndecided, err
	}
	return exitOK, err
}

func (g *watching) costs(ctx context.Context, e *env, operands []string) (int, error) {
	if g.judged.Per == "" {
		return 0, usageError("-overhead needs -per COUNTER: what a unit of work costs is compared")
	}
	if err := g.check(e, operands); err != nil {
		return 0, err
	}
	if len(g.Targets) != 1 {
		return 0, usageError("-overhead is measured on one TARGET")
	}
	o := watch.OverheadOptions{Target: g.Targets[0], Per: g.judged.Per, Seconds: g.Seconds, Interval: g.Interval, For: g.For, Seed: seed(0), Tool: version()}
	o.For = cmp.Or(o.For, 10*time.Minute)
	o.Say = func(text string) { e.printf("pawl: %s\n", text) }
	found, err := watch.Overhead(ctx, o)
	if err != nil {
		return 0, err
	}
	err = report(e, g, found, watched.Overhead)
	switch {
	case ctx.Err() != nil:
		return exitFailed, err
	case !found.Bounded():
		return exitUndecided, err
	}
	return exitOK, err
}

// arrived says whether the gains of a run are there.
func (g *watching) arrived(ctx context.Context, e *env, operands []string) (int, error) {
	o := watch.ClaimOptions{Root: g.Root, Now: e.now(), Tool: version()}
	if g.claim == "" || len(operands) != 1 {
		return 0, usageError("write it as -claim RUN SERVICE: a run as pawl log names it, and one service that was watched")
	}
	o.Service = operands[0]
	var err error
	if g.deployed != "" {
		if o.Deployed, err = deployTime(g.deployed); err != nil {
			return 0, err
		}
	}
	st, err := openStore(ctx, e, "")
	if err != nil {
		return 0, err
	}
	if o.Run, err = st.Load(g.claim); err != nil {
		return 0, usageError("%v", err)
	}
	c, err := watch.Claim(ctx, o)
	if err != nil {
		return 0, err
	}
	err = report(e, g, c, watched.Claim)
	switch c.Verdict {
	case model.ClaimMissing:
		return exitFindings, err
	case model.ClaimUndecided:
		return exitUndecided, err
	}
	return exitOK, err
}

// deployTime reads a time of day here, or one with its zone.
func deployTime(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, nil
		}
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	return time.Time{}, usageError("-deployed %s is no time; write it as 2006-01-02T15:04", text)
}
