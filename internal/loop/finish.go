package loop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
	"github.com/pawl-dev/pawl/internal/scrub"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/trial"
	"github.com/pawl-dev/pawl/judge"
)

// Finish measures original and final afresh against each other, and writes
// what the user needs to check the claim, to take it or to drop it. The
// estimates that changes were kept by are not added up: each was looked at
// because it was large, and together they promise too much.
func (s *Session) Finish(ctx context.Context) error {
	for _, p := range s.Run.Plans {
		r, err := s.result(ctx, p)
		switch {
		case ctx.Err() != nil:
			s.Run.Stopped = "interrupted"
			r = s.soFar(p.Benchmark)
		case err != nil: // what was kept is on the branch, and the user must learn of it
			r = s.soFar(p.Benchmark)
			s.warn(model.Warning{
				Seen:  "original and final could not be compared in " + p.Benchmark.String() + ": its figures are those by which each change was kept",
				Cause: err.Error(), Try: "run the benchmark on both, or the replay script",
			})
		}
		s.Run.Results = append(s.Run.Results, r)
	}
	for _, u := range s.trial.Unsteady() {
		s.warn(u.Warning())
	}
	s.profileFinal(ctx)
	s.Run.Split = s.stand.Meter.Split(time.Now())
	if err := s.instructions(); err != nil {
		return err
	}
	return s.stop(ctx)
}

// soFar is a result without the comparison of original and final.
func (s *Session) soFar(bm model.Benchmark) model.Result {
	r := model.Result{Benchmark: bm, Before: s.orig.stats[bm]}
	if s.now != s.orig {
		r.After = s.now.stats[bm]
	}
	return r
}

// End ends a run that only looked.
func (s *Session) End(ctx context.Context) error {
	s.Run.Split = s.stand.Meter.Split(time.Now())
	return s.stop(ctx)
}

// Page writes the run's HTML page.
func (s *Session) Page() error {
	path := filepath.Join(s.rec.Dir, "report.html")
	s.Run.Report = path
	clean, n := scrub.Value(s.scrub, *s.Run)
	if n > 0 {
		clean.Warnings = append(clean.Warnings, scrub.Note("the report", n))
	}
	raw, err := s.raw(&clean)
	if err != nil {
		return err
	}
	whole, steps, err := s.flames()
	if err != nil { // a page without them is better than none
		clean.Warnings = append(clean.Warnings, model.Warning{Seen: "the page has no flame graphs", Cause: err.Error(), Try: "go tool pprof, with the profiles in the folder of the run"})
	}
	_, err = s.rec.Report(func(w io.Writer) error {
		return report.HTML(w, &clean, report.Extra{
			Excerpts: s.excerpts(), Tried: s.quotes, MinEffect: s.rules(1).MinEffect, Flames: whole, Steps: steps, Raw: raw,
		})
	})
	if err != nil {
		return err
	}
	return s.rec.Save(*s.Run)
}

// raw returns what the page offers to take along: the run as the page knows it,
// and the samples.
func (s *Session) raw(clean *model.Run) ([]report.Raw, error) {
	run, err := report.RawJSON("run.json", "All that this page says, and more, for programs.", filepath.Join(s.rec.Dir, "run.json"), clean)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(s.rec.Dir, "samples")
	files, err := rawFiles(dir)
	if err != nil || len(files) == 0 {
		return []report.Raw{run}, err
	}
	samples, err := report.Archive("samples.zip", "Every sample, as benchmark results that benchstat reads: a file for each side of each comparison.", dir, files, s.Run.Started)
	return []report.Raw{run, samples}, err
}

// mostRaw is how much of the samples is packed: a page with more is too large
// in any case.
const mostRaw = 16 << 20

// rawFiles reads the files of a folder; none where it is not there, or where
// they are too large for any page.
func rawFiles(dir string) ([]report.Raw, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the samples: %w", err)
	}
	var out []report.Raw
	total := 0
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading the samples: %w", err)
		}
		if total += len(data); total > mostRaw {
			return nil, nil
		}
		out = append(out, report.Raw{Name: e.Name(), Data: data})
	}
	return out, nil
}

// stop ends the record of the run; it works with a cancelled context too.
func (s *Session) stop(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(
		s.rec.Save(*s.Run),
		s.journal(ctx, store.Event{Kind: store.Final, Results: s.Run.Results}),
		s.journal(ctx, store.Event{Kind: store.Stop, Text: s.Run.Stopped}),
	)
}

// finalUnits is how many units the comparison of original and final takes at
// the least, pairs of fresh links as a rule: its figure is the one that is
// quoted.
const finalUnits = 10

// result compares original and final in one benchmark.
func (s *Session) result(ctx context.Context, p model.Plan) (model.Result, error) {
	bm := p.Benchmark
	r := model.Result{Benchmark: bm, Before: s.orig.stats[bm]}
	if s.now == s.orig {
		return r, ctx.Err()
	}
	if s.now.bins[bm.Pkg].Hash == s.orig.bins[bm.Pkg].Hash {
		return r, ctx.Err()
	}
	s.stage("original against final", bm.String())
	rules := judge.RegressRules()
	rules.Alpha = s.opt.Alpha / float64(len(s.Run.Plans))
	q := trial.Question{
		Plan: p, Base: s.orig.bins[bm.Pkg], Cand: s.now.bins[bm.Pkg], Rules: rules,
		MinUnits: finalUnits, Budget: s.opt.PerChange,
	}
	if base, cand := s.orig.linkers[bm.Pkg], s.now.linkers[bm.Pkg]; base != nil && cand != nil {
		q.Links = trial.LinkPair{Base: base, Cand: cand}
	}
	a, err := s.trial.AskOnLinks(ctx, q, func(pr trial.Progress) { s.detail(duetText(bm, pr)) })
	if err != nil {
		return r, err
	}
	if err := s.saveSamples(bm, "final", a.Samples); err != nil {
		return r, err
	}
	r.Verdict = &a.Verdict
	r.Before, r.After = stats(a.Samples, 0), stats(a.Samples, 1)
	if r.Counts, _, err = s.trial.Counts(ctx, p, s.orig.bins[bm.Pkg], s.now.bins[bm.Pkg], 1); err != nil {
		return r, err
	}
	for _, c := range r.Counts {
		switch {
		case c.Noisy:
		case c.Metric == "allocs/op":
			r.Before.Allocs, r.After.Allocs = c.Before, c.After
		case c.Metric == "B/op":
			r.Before.Bytes, r.After.Bytes = c.Before, c.After
		}
	}
	return r, s.complete(ctx, p, &r)
}

// complete adds to a result what duets cannot tell: wall time under stock
// conditions, and the heap that the loop keeps.
func (s *Session) complete(ctx context.Context, p model.Plan, r *model.Result) error {
	bm := p.Benchmark
	base, err := s.stock(ctx, s.orig, bm.Pkg)
	if err != nil {
		return err
	}
	final, err := s.stock(ctx, s.now, bm.Pkg)
	if err != nil {
		return err
	}
	solo, _, err := s.pairs(ctx, base, final, bm, finalRuns)
	if err != nil {
		return err
	}
	r.Solo = &solo
	r.Before.WallNs, r.After.WallNs = trial.Median(solo.WallBefore), trial.Median(solo.WallAfter)
	return s.retained(ctx, r, p)
}

// retained measures what the loop keeps, before and after.
func (s *Session) retained(ctx context.Context, r *model.Result, p model.Plan) error {
	var err error
	if r.Before.Retained, err = s.keeps(ctx, s.orig, p); err == nil {
		r.After.Retained, err = s.keeps(ctx, s.now, p)
	}
	if errors.Is(err, bench.ErrFewMarks) {
		s.warn(model.Warning{Seen: "what " + r.Benchmark.String() + " keeps in memory is not known: " + err.Error()})
		return nil
	}
	return err
}

// instructions writes how to check, take or drop what was kept.
func (s *Session) instructions() error {
	if s.Run.Kept() == 0 {
		return nil
	}
	s.Run.Branch, s.Run.Patches = s.keep.Branch(), s.keep.Patches()
	script := filepath.Join(s.rec.Dir, replayName)
	if err := os.WriteFile(script, []byte(s.replayScript()), 0o700); err != nil {
		return fmt.Errorf("writing the replay script: %w", err)
	}
	s.Run.Replay = "sh " + s.shown(script)
	s.Run.Merge, s.Run.Drop = s.keep.Merge(), s.keep.Drop()
	if why := s.keep.Why(); why != "" {
		s.warn(model.Warning{Seen: "kept changes are patches, not commits", Cause: why})
	}
	return s.rec.Save(*s.Run)
}

// shown returns a path the way the user, who stands in the folder that pawl
// was started in, would write it.
func (s *Session) shown(path string) string {
	if rel, err := filepath.Rel(s.opt.From, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// keeps measures what a benchmark of v keeps between its iterations, in bytes.
func (s *Session) keeps(ctx context.Context, v *version, p model.Plan) (bytes float64, err error) {
	err = patiently(ctx, func() (err error) {
		bytes, err = s.suite.Retained(ctx, v.bins[p.Benchmark.Pkg], p)
		return err
	})
	return bytes, err
}
