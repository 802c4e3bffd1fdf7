package compare

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A listing finds the benchmarks of both sides, and counts what they allocate.
type listing struct {
	*session
	trial *trial.Trial
}

// match pairs the benchmarks of both sides by name, and records those that
// need no measuring or cannot be measured: unchanged, on one side only, failed
// on one side. The others are returned in order.
func (l listing) match(ctx context.Context, base, cand *version) ([]match, error) {
	paths := slices.Sorted(maps.Keys(base.builds))
	for _, p := range cand.found.Names() {
		if base.builds[p] == nil {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	var out []match
	for _, path := range paths {
		ms, err := l.matchPackage(ctx, base.builds[path], cand.builds[path])
		if err != nil {
			return nil, err
		}
		out = append(out, ms...)
	}
	return out, nil
}

func (l listing) matchPackage(ctx context.Context, base, cand *build) ([]match, error) {
	switch {
	case cand == nil:
		l.oneSide(base, model.OneSided, "the package has no benchmarks in the candidate")
		return nil, nil
	case base == nil:
		l.oneSide(cand, model.OneSided, "the package has no benchmarks in the base")
		return nil, nil
	case base.late, cand.late:
		l.oneSide(base, model.Open, l.lateBuild())
		return nil, nil
	case base.failed != nil:
		l.oneSide(base, model.OneSided, "the package does not build in the base: "+words.FirstError(said(base.failed)))
		return nil, nil
	case cand.failed != nil:
		l.oneSide(base, model.Failed, "the package does not build in the candidate: "+words.FirstError(said(cand.failed)))
		return nil, nil
	}
	l.listed(base, cand)
	changed := l.screen(base, cand)
	if len(changed) == 0 {
		return nil, nil
	}
	return l.pairs(ctx, [2]*build{base, cand}, functionPattern(changed, l.opt.Bench), changed)
}

// pairs lists the benchmarks that a pattern selects on both sides, counts what they
// allocate, and records those that are not on both. changed is as screen has it.
func (l listing) pairs(ctx context.Context, sides [2]*build, pattern string, changed map[string]*model.CodeDiff) ([]match, error) {
	l.stage("finding benchmarks", sides[0].pkg.ImportPath)
	var found [2][]model.Benchmark
	var failed [2][]bench.Failure
	limit := l.listLimit() // one for both sides
	for i, arm := range []model.Arm{model.Base, model.Candidate} {
		var err error
		if found[i], failed[i], err = sides[i].suite.Benchmarks(ctx, sides[i].bin, pattern, limit); err != nil {
			return nil, fmt.Errorf("finding the %s's benchmarks in %s: %w", arm, sides[i].bin.Pkg, err)
		}
	}
	if err := l.listAgain(ctx, sides, &found, &failed); err != nil {
		return nil, err
	}
	census, err := l.census(ctx, sides, pattern)
	if err != nil {
		return nil, err
	}
	var out []match
	for _, bm := range found[0] {
		if slices.Contains(found[1], bm) {
			m := match{bm: bm, base: sides[0], cand: sides[1], code: changed[function(bm)], census: census[bm]}
			m.source, m.unpinned = identity(m.base, m.cand, function(bm))
			out = append(out, m)
		}
	}
	l.unmatched(found[0], found[1], failed[0], failed[1])
	return out, nil
}

// censusShare is the part of what is left that one process of a census may take.
const censusShare = 5

// census counts what the benchmarks of a package allocate. Those that it has no
// time for are counted one by one later.
func (l listing) census(ctx context.Context, sides [2]*build, pattern string) (map[model.Benchmark]trial.Counted, error) {
	l.stage("counting allocations", sides[0].pkg.ImportPath)
	return trial.Census{
		Suites: [2]trial.CensusTaker{sides[0].suite, sides[1].suite}, Bins: [2]*bench.Binary{sides[0].bin, sides[1].bin},
		Pattern: pattern, Limit: l.left() / censusShare,
	}.Count(ctx)
}

// listed says which benchmark functions only one side's test files have. Those
// that are new are not run. Those that are gone run on both sides where the
// candidate was built with the base's test files.
func (l listing) listed(base, cand *build) {
	b, c := functions(base, l.opt.Bench), functions(cand, l.opt.Bench)
	for _, f := range c {
		if !slices.Contains(b, f) {
			l.cmp.Benchmarks = append(l.cmp.Benchmarks, model.Compared{
				Benchmark: model.Benchmark{Pkg: base.pkg.ImportPath, Name: f}, Standing: model.OneSided, Why: "only in the candidate",
			})
		}
	}
	gone := slices.DeleteFunc(slices.Clone(b), func(f string) bool { return slices.Contains(c, f) })
	if len(gone) > 0 && cand.pinned {
		l.warn(model.Warning{
			Seen:  "the candidate does not have " + strings.Join(gone, ", ") + " of " + base.pkg.ImportPath + " any more",
			Cause: "deleted or renamed; the base's version runs on both sides",
			Try:   "see that what it measured is still measured",
		})
	}
}

// listAgain runs the benchmarks that failed on one side alone, on both sides,
// until they come to a result or it is clear that they do not: those that failed
// by chance are found then.
func (l listing) listAgain(ctx context.Context, sides [2]*build, found *[2][]model.Benchmark, failed *[2][]bench.Failure) error {
	for side, other := range []int{1, 0} {
		var left []bench.Failure
		for _, f := range failed[side] {
			alone := !f.Late && !f.Skipped && slices.Contains(found[other], f.Benchmark)
			if !alone || l.trial.Again(f.Benchmark, false, func() error { return l.listOne(ctx, sides, f.Benchmark) }) != nil {
				left = append(left, f)
				continue
			}
			found[side] = append(found[side], f.Benchmark)
			l.warn(model.Warning{
				Seen:  f.Benchmark.String() + " failed at first on one side, and passed when both were run again: it " + f.Why,
				Cause: words.FirstLine(f.Output),
				Try:   "go test -count=20 -run '^$' -bench '" + f.Benchmark.Regexp() + "' " + f.Benchmark.Pkg + ", before and after",
			})
		}
		failed[side] = left
		l.trial.Unsteady() // said here
	}
	return ctx.Err()
}

// listLimit is how long the benchmarks of one package may be listed.
func (l listing) listLimit() time.Duration {
	return min(l.opt.Timeout, max(l.left()/listShare, leastMeasure))
}

// listOne runs one iteration of a benchmark on both sides.
func (l listing) listOne(ctx context.Context, sides [2]*build, bm model.Benchmark) error {
	for i, arm := range []model.Arm{model.Base, model.Candidate} {
		found, failed, err := sides[i].suite.Benchmarks(ctx, sides[i].bin, bm.Regexp(), l.listLimit())
		if err != nil {
			return err
		}
		for _, f := range failed {
			f.Arm = arm
			return &f
		}
		if !slices.Contains(found, bm) {
			return fmt.Errorf("%s is not found on the %s any more", bm, arm)
		}
	}
	return nil
}

// screen leaves out the benchmark functions whose code is the same on both
// sides and records them. What remains comes with what differs; nil where that
// is not known.
func (l listing) screen(base, cand *build) map[string]*model.CodeDiff {
	changed := make(map[string]*model.CodeDiff)
	same := base.bin.Hash == cand.bin.Hash && l.opt.Screen
	var left []model.Compared
	var notes []string
	for _, f := range functions(base, l.opt.Bench) {
		notes = slices.Concat(notes, base.ids[f].Notes, cand.ids[f].Notes)
		row := model.Compared{Benchmark: model.Benchmark{Pkg: base.pkg.ImportPath, Name: f}, Standing: model.Unchanged}
		row.Source, _ = identity(base, cand, f)
		switch {
		case same:
			row.Why = "the binaries are the same"
			l.cmp.Benchmarks, left = append(l.cmp.Benchmarks, row), append(left, row)
			continue
		case base.code == nil || cand.code == nil:
			changed[f] = nil
			continue
		}
		d := cand.code.Changed(base.code, f)
		if len(d.Changed) > 0 {
			changed[f] = &d
			continue
		}
		row.Code, row.Why = &d, fmt.Sprintf("none of the %d functions that it reaches changed", d.Reached)
		l.cmp.Benchmarks, left = append(l.cmp.Benchmarks, row), append(left, row)
	}
	if w, ok := unread(base.pkg.ImportPath, left); ok {
		l.warn(w)
	}
	if slices.Sort(notes); len(notes) > 0 {
		l.warn(model.Warning{
			Seen:  "data of " + base.pkg.ImportPath + " may differ unseen: " + strings.Join(slices.Compact(notes), "; "),
			Cause: "it is too large, or cannot be read",
			Try:   "git diff of these files, where a benchmark reads them",
		})
	}
	if err := errors.Join(base.noCode, cand.noCode); err != nil && l.opt.Screen && gorelease.Warn(l.cmp.Env.GoVersion) == nil {
		l.warn(model.Warning{Seen: "all benchmarks of " + base.pkg.ImportPath + " are measured", Cause: "whether their code changed cannot be told: " + words.FirstLine(err.Error())})
	}
	return changed
}

// unread warns of what the candidate has changed for benchmarks that are left out
// since their code is the same: files of testdata that they may read, or the
// benchmarks themselves. Both sides have the base's.
func unread(pkg string, left []model.Compared) (model.Warning, bool) {
	var differs []string
	for _, row := range left {
		if row.Source != nil {
			differs = append(differs, row.Source.Differs...)
		}
	}
	if len(differs) == 0 {
		return model.Warning{}, false
	}
	slices.Sort(differs)
	differs = slices.Compact(differs)
	return model.Warning{
		Seen:  fmt.Sprintf("differs in %s, and was not measured: %s", pkg, strings.Join(differs, ", ")),
		Cause: "both sides have the base's test files and testdata, and the other code is the same",
		Try:   "run the benchmarks on each commit by hand, or compare two binaries of go test -c",
	}, true
}

// functions lists the benchmark functions of a package that a -bench pattern
// can select.
func functions(b *build, pattern string) []string {
	top, err := regexp.Compile(gocmd.TopOf(pattern))
	if err != nil {
		return nil
	}
	var out []string
	for _, src := range b.tests {
		for _, f := range testbed.Functions(src) {
			if top.MatchString(f) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	slices.Sort(out)
	return out
}

// functionPattern selects these functions, and below them what the user's
// pattern selects: below each what its alternatives for it do.
func functionPattern(fs map[string]*model.CodeDiff, user string) string {
	names := slices.Sorted(maps.Keys(fs))
	var out []string
	for _, alternative := range gocmd.SplitPattern(user, '|') {
		levels := gocmd.SplitPattern(alternative, '/')
		top, err := regexp.Compile(levels[0])
		if err != nil {
			continue // it selects nothing
		}
		mine := slices.DeleteFunc(slices.Clone(names), func(f string) bool { return !top.MatchString(f) })
		if len(mine) > 0 {
			levels[0] = "^(" + strings.Join(mine, "|") + ")$"
			out = append(out, strings.Join(levels, "/"))
		}
	}
	return strings.Join(out, "|")
}

func function(bm model.Benchmark) string {
	f, _, _ := strings.Cut(bm.Name, "/")
	return f
}

// identity says whether a benchmark is the same program on both sides; nil when
// it is. Files of testdata are the base's for both, whatever the candidate has.
func identity(base, cand *build, f string) (src *model.Source, unpinned bool) {
	b, bok := base.ids[f]
	c, cok := cand.ids[f]
	if !bok || !cok || b.Hash == c.Hash {
		return nil, false
	}
	sameCode := maps.Equal(b.Decls, c.Decls)
	return &model.Source{
		Base: b.Hash, Candidate: c.Hash, Pinned: cand.pinned || sameCode, Differs: b.Diff(c),
	}, !cand.pinned && !sameCode
}

// unmatched records the benchmarks that only one side has, or that fail on one
// side only. What fails on both is a warning, and one whose time was over on one
// side is undecided: nothing is known of it.
func (l listing) unmatched(b, c []model.Benchmark, bfailed, cfailed []bench.Failure) {
	all := slices.Concat(b, c)
	for _, f := range slices.Concat(bfailed, cfailed) {
		all = append(all, f.Benchmark)
	}
	var skipped []string
	for i, bm := range all {
		if slices.Contains(all[:i], bm) {
			continue
		}
		standing, why := model.Open, ""
		inBase, inCand := slices.Contains(b, bm), slices.Contains(c, bm)
		switch fb, fc := failure(bfailed, bm), failure(cfailed, bm); {
		case inBase && inCand && fb == nil && fc == nil:
		case fb != nil && fb.Late:
			why = lateOn(model.Base, fb)
		case fc != nil && fc.Late && fb == nil:
			why = lateOn(model.Candidate, fc)
		case fb != nil && fc != nil && !fb.Skipped:
			l.warn(model.Warning{Seen: bm.Name + " fails on both sides: it " + fb.Why, Cause: words.FirstLine(fb.Output), Try: "go test -run '^$' -bench '" + bm.Regexp() + "' " + bm.Pkg})
		case fb != nil && fc != nil && fc.Skipped:
			skipped = append(skipped, bm.Name)
		case fc != nil && (inBase || fb != nil):
			standing, why = model.Failed, "on the candidate: "+fc.Error()
		case inBase && cut(cfailed):
			why = "not looked at on the candidate: " + notListed
		case inBase:
			standing, why = model.OneSided, "only in the base"
		case inCand && fb != nil:
			standing, why = model.OneSided, "it fails on the base: "+fb.Error()
		case inCand && cut(bfailed):
			why = "not looked at on the base: " + notListed
		case inCand:
			standing, why = model.OneSided, "only in the candidate"
		}
		if why != "" {
			l.cmp.Benchmarks = append(l.cmp.Benchmarks, model.Compared{Benchmark: bm, Standing: standing, Why: why})
		}
	}
	if len(skipped) > 0 {
		l.warn(model.Warning{Seen: "skipped by themselves on both sides, and not compared: " + words.Some(skipped, 5)})
	}
}

// failure returns that of a benchmark; nil where it has none.
func failure(fs []bench.Failure, bm model.Benchmark) *bench.Failure {
	if i := slices.IndexFunc(fs, func(f bench.Failure) bool { return f.Benchmark == bm }); i >= 0 {
		return &fs[i]
	}
	return nil
}

// notListed is why a benchmark that one side has was not looked for on the other.
const notListed = "the time for listing was over before; a larger -budget, or fewer benchmarks by -bench"

// cut reports whether a listing ended before all benchmarks had their turn.
func cut(failed []bench.Failure) bool {
	return slices.ContainsFunc(failed, func(f bench.Failure) bool { return f.Last })
}

// lateOn reports that the time of a benchmark was over on one side.
func lateOn(side model.Arm, f *bench.Failure) string {
	return "on the " + string(side) + ": it " + f.Why + "; a larger -budget, or other benchmarks by -bench"
}

// oneSide records all benchmark functions of a package that cannot be compared.
func (l listing) oneSide(b *build, st model.Standing, why string) {
	for _, f := range functions(b, l.opt.Bench) {
		l.cmp.Benchmarks = append(l.cmp.Benchmarks, model.Compared{Benchmark: model.Benchmark{Pkg: b.pkg.ImportPath, Name: f}, Standing: st, Why: why})
	}
}

// pool makes what links both sides of the matches again, one for each package. Where that
// cannot be done there is none.
func pool(matches []match) {
	pkgs := make(map[*build]bool)
	for _, m := range matches {
		pkgs[m.cand] = true
	}
	most := verdict.Looks
	if len(pkgs) > mostPooled {
		most = 0
	}
	for _, m := range matches {
		if m.cand.pool == nil && m.base.linker != nil && m.cand.linker != nil {
			m.cand.pool = trial.NewLinkPool(trial.NewLinkPair(m.base.linker, m.cand.linker), most)
		}
	}
}

// mostPooled is for how many packages links are kept: for each there are four more test
// binaries on the disk.
const mostPooled = 8

// links are fresh links of a match beyond those that an answer so far rests on; nil
// where there can be none.
func (m match) links(known *trial.Found) trial.Links {
	next := 0
	if known.Linked {
		next = known.Samples[len(known.Samples)-1][0].Link
	}
	if m.cand.pool == nil {
		return nil
	}
	return m.cand.pool.Draw(next)
}
