package trial

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// A Preparation says how a benchmark of the base is made ready to be compared.
type Preparation struct {
	Suite     *bench.Suite
	Base      *bench.Binary
	Benchmark model.Benchmark
	Within    time.Duration // for the calibration; 0: no limit
	// Rules and Budget are those of the comparison that is to follow, for what
	// the warm-up says about it. No budget means no warm-up.
	Rules  judge.Rules
	Budget time.Duration
}

// Prepared is a benchmark of the base that is ready to be compared.
type Prepared struct {
	Plan model.Plan
	// Noise, Units and Half are those of a warm-up: base against base, and one
	// unit of half the iterations, for verdict.Slope.
	Noise *model.Noise
	Units [][2]model.Sample
	Half  [2]model.Sample
}

// Prepare calibrates a benchmark, compares its base with itself, and calls stage
// with the name of each step. The plan comes also with the error of a warm-up.
func (t *Trial) Prepare(ctx context.Context, p Preparation, stage func(string)) (Prepared, error) {
	stage("calibrating")
	var out Prepared
	var err error
	if out.Plan, err = p.Suite.Calibrate(ctx, p.Base, p.Benchmark, p.Within); err != nil || p.Budget <= 0 {
		return out, err
	}
	stage("A/A warm-up")
	n, pairs, err := t.WarmUp(ctx, out.Plan, p.Base, p.Rules, p.Budget)
	if err != nil {
		return out, err
	}
	last := len(pairs) - 1
	out.Noise, out.Units, out.Half = &n, pairs[:last], pairs[last]
	return out, nil
}

// A Comparison is a question about two builds with all that belongs to its
// answer.
type Comparison struct {
	Question
	// Counts are what Counts said, with its units in Question.Prior. Where they
	// are nil it is asked, with CountAlpha as the error rate of each trend; 1
	// where nothing rests on one, and 0 where it is not asked for.
	Counts     []model.Exact
	CountAlpha float64
	// Narrow, where it is set, may ask less once the counts are known.
	Narrow func(r verdict.Rules, counts []model.Exact) verdict.Rules
	// Fresh puts the question to fresh links from the start; see AskOnLinks.
	Fresh bool
	// First ends the comparison with its first stage, on one link of each side:
	// where verdict.NeedsLinks, the answer is not yet one about the sources.
	First bool
	// Known is what Count, or this very comparison so far, has found: it goes on
	// from there, so that the units are one sequence.
	Known *Found
}

// Found is what a comparison found.
type Found struct {
	Answer
	Plan    model.Plan // as the samples of the answer were taken
	Counts  []model.Exact
	Counted [][2]model.Sample // the units of the counts
	// Before and After are the medians of both sides; nil without samples.
	Before, After *model.Stats
}

// Compare asks one question from counts to answer: it counts, fits the plan to
// a candidate that takes far longer, and puts the question to the judge. With
// Rules.OwnLayout that is about the two binaries, and about their sources
// otherwise. What was found so far comes with any error.
func (t *Trial) Compare(ctx context.Context, c Comparison, watch func(Progress)) (Found, error) {
	f, err := t.begin(ctx, c)
	if err != nil {
		return f, err
	}
	c.Plan, c.Prior, f.Samples = f.Plan, f.Samples, nil
	if c.Narrow != nil {
		c.Rules = c.Narrow(c.Rules, f.Counts)
	}
	switch {
	case c.Fresh:
		f.Answer, err = t.AskOnLinks(ctx, c.Question, watch)
	case c.First, c.Rules.OwnLayout:
		f.Answer, err = t.Ask(ctx, c.Question, watch)
	case c.Known != nil && c.Known.Linked:
		f.Answer, err = t.moreLinks(ctx, c.Question, c.Known.Answer, watch)
	default:
		f.Answer, err = t.judge(ctx, c.Question, watch)
	}
	if onLinks := !c.Fresh && !c.First && !c.Rules.OwnLayout; onLinks && err == nil {
		err = t.besideDefault(ctx, c.Question, &f.Answer)
	}
	if len(f.Samples) > 0 {
		st := verdict.Figures(f.Plan.Mode, f.Samples, f.Counts)
		f.Before, f.After = &st[0], &st[1]
	}
	return f, err
}

// Count is the beginning of a comparison: it counts allocations, with alpha as
// the error rate of each trend, and fits the plan to a candidate that takes far
// longer. Samples of what it found are the first units of the answer.
func (t *Trial) Count(ctx context.Context, p model.Plan, base, cand *bench.Binary, alpha float64) (Found, error) {
	return t.begin(ctx, Comparison{Question: Question{Plan: p, Base: base, Cand: cand}, CountAlpha: alpha})
}

// begin returns what is known of a comparison before it is put to the judge.
func (t *Trial) begin(ctx context.Context, c Comparison) (f Found, err error) {
	if c.Known != nil {
		f.Plan, f.Counts, f.Counted, f.Samples = c.Known.Plan, c.Known.Counts, c.Known.Counted, c.Known.Samples
		return f, nil
	}
	f.Plan, f.Counts = c.Plan, c.Counts
	if c.Counts == nil {
		if f.Counts, c.Prior, err = t.Counts(ctx, c.Plan, c.Base, c.Cand, c.CountAlpha); err != nil {
			return f, err
		}
	}
	f.Counted = c.Prior
	f.Plan, f.Samples = fit(c.Plan, c.Prior)
	return f, nil
}
