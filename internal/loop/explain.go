package loop

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/escape"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
	"github.com/pawl-dev/pawl/internal/propose"
	"github.com/pawl-dev/pawl/internal/rank"
	"github.com/pawl-dev/pawl/internal/store"
)

// Explain says what costs on the version as it is now, why, and what could be
// tried: it sets Targets, Unexplained and Prospects of the Run.
func (s *Session) Explain(ctx context.Context) ([]model.Change, error) {
	v := s.now
	for _, p := range s.Run.Plans {
		if _, ok := v.costs[p.Benchmark]; ok {
			continue // the version before had the same
		}
		if err := s.profile(ctx, v, p); err != nil {
			return nil, err
		}
	}
	s.hotLines = v.lines()
	if v.notes == nil { // the guard has asked for those of a kept change
		s.stage("reading the compiler's notes", "")
		if err := s.takeNotes(ctx, v); err != nil {
			return nil, err
		}
	}
	s.stage("looking for changes", "")
	var err error
	v.prog, err = propose.Load(ctx, propose.Config{
		Dir: s.snap.ModuleDir, Root: s.snap.Dir, Env: s.go_.Env(), Patterns: s.deps,
	})
	if err != nil {
		return nil, err
	}
	if err := s.findings(ctx, v); err != nil {
		return nil, err
	}
	s.Run.Targets, s.Run.Unexplained = s.targets(v)
	changes, prospects := s.propose(v)
	s.Run.Prospects = prospects
	s.quote(v, changes)
	if v == s.orig {
		s.price()
	}
	return changes, s.rec.Save(*s.Run)
}

// price adds to what a change costs in duets what it costs besides: building,
// profiles and notes take about as long again as they took so far. How long
// the tests take is not known yet.
func (s *Session) price() {
	besides := time.Since(s.start).Seconds() / float64(len(s.Run.Plans))
	for i := range s.Run.Noise {
		s.Run.Noise[i].Seconds += besides
	}
}

// lines returns the lines of the module that the profiles show.
func (v *version) lines() map[model.Pos]bool {
	lines := make(map[model.Pos]bool)
	for _, c := range v.costs {
		for _, cost := range slices.Concat(c.allocs, c.cpu) {
			for _, f := range cost.Stack {
				if f.Module {
					lines[f.Pos()] = true
				}
			}
		}
	}
	return lines
}

// profile takes the profiles of one benchmark on one version, both kinds at a
// time: what they say are shares and counts, not times.
func (s *Session) profile(ctx context.Context, v *version, p model.Plan) error {
	bm := p.Benchmark
	s.stage("profiling", bm.String())
	c := costs{}
	var cpuRest []model.Unexplained
	var cpuErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		cpuRest, cpuErr = s.cpuCosts(ctx, v, p, &c)
	}()
	rest, err := s.allocCosts(ctx, v, p, &c)
	<-done
	if err = cmp.Or(err, cpuErr); err != nil {
		return err
	}
	c.unexplained = append(rest, cpuRest...)
	if err := s.lockCosts(ctx, v, p, &c); err != nil { // alone: other work would change who waits
		return err
	}
	v.costs[bm] = c
	return nil
}

// takeProfile takes one profile and reads it.
func (s *Session) takeProfile(ctx context.Context, v *version, b *bench.Binary, p model.Plan, kind string) (*profile.Profile, profile.Options, error) {
	opt := profile.Options{
		Root: s.snap.Dir, ModuleDir: s.snap.ModuleDir, ModulePath: s.Run.Module, ModCache: s.go_.Vars["GOMODCACHE"],
	}
	name := fmt.Sprintf("%s.%s.%s", store.SetName(p.Benchmark), v.name, kind)
	if b.Race {
		name += "-race"
	}
	file, err := s.rec.Profile(name + ".pprof")
	if err != nil {
		return nil, opt, err
	}
	var n int64 // as many as the kind needs
	if kind == bench.CPUProfile {
		n = bench.CPUProfileN(p, s.cpuProfileGoal())
	}
	var prof bench.Profiled
	err = patiently(ctx, func() (err error) {
		prof, err = s.suite.Profile(ctx, b, p, kind, file, n)
		return err
	})
	if err != nil {
		return nil, opt, err
	}
	opt.N = prof.N
	read, err := profile.ReadFile(prof.File)
	return read, opt, err
}

// Bounds of the CPU time in one CPU profile, and the share of the budget that
// those of all benchmarks may take. A place with a tenth of the time has ten
// samples in a second of profile, give or take three, which puts places in
// another order from run to run; in five seconds it has fifty, give or take
// seven.
const (
	minCPUProfile   = time.Second
	maxCPUProfile   = 5 * time.Second
	cpuProfileShare = 0.03
)

// cpuProfileGoal returns how much CPU time a benchmark's CPU profile is to hold.
func (s *Session) cpuProfileGoal() time.Duration {
	share := time.Duration(cpuProfileShare * float64(s.opt.Budget) / float64(max(len(s.Run.Plans), 1)))
	return min(max(share, minCPUProfile), maxCPUProfile)
}

// cpuCosts reads where a benchmark spends its time, and the share of it that
// the garbage collector takes, into c, and returns what no line accounts for.
func (s *Session) cpuCosts(ctx context.Context, v *version, p model.Plan, c *costs) (rest []model.Unexplained, err error) {
	prof, opt, err := s.takeProfile(ctx, v, v.bins[p.Benchmark.Pkg], p, "cpu")
	if err != nil {
		return nil, err
	}
	c.cpuProfile = prof
	opt.Total = v.stats[p.Benchmark].CPUNs
	if c.cpu, rest, err = prof.Costs(p.Benchmark, model.CPU, opt); err != nil {
		return nil, err
	}
	c.gcShare, err = prof.GCShare(p.Benchmark, opt)
	return rest, err
}

// memCosts reads where a benchmark allocates in one build into c, and returns
// what no line accounts for.
func (s *Session) memCosts(ctx context.Context, v *version, b *bench.Binary, p model.Plan, c *costs) (rest []model.Unexplained, err error) {
	prof, opt, err := s.takeProfile(ctx, v, b, p, "mem")
	if err != nil {
		return nil, err
	}
	opt.Total = v.stats[p.Benchmark].Allocs
	c.memProfile, c.memN = prof, opt.N
	c.allocs, rest, err = prof.Costs(p.Benchmark, model.Allocs, opt)
	return rest, err
}

// allocCosts reads where a benchmark allocates into c, and returns what no line
// accounts for. The heap profile leaves out
// most allocations below 16 bytes, which share a block; where its sum is short
// of allocs/op, a profile of a race-enabled build, in which they do not, fills
// the gap.
func (s *Session) allocCosts(ctx context.Context, v *version, p model.Plan, c *costs) (rest []model.Unexplained, err error) {
	bm := p.Benchmark
	want := v.stats[bm].Allocs
	rest, err = s.memCosts(ctx, v, v.bins[bm.Pkg], p, c)
	if err != nil || sum(c.allocs) >= want-profile.TinyGap || s.go_.Vars["CGO_ENABLED"] != "1" {
		return rest, err
	}
	s.stage("finding tiny allocations", bm.String())
	race, err := s.raceBinary(ctx, v, s.pkgs[bm.Pkg])
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // no race detector for this platform, or no C compiler: the gap is named instead
		return rest, nil
	}
	var tiny costs
	_, err = s.memCosts(ctx, v, race, p, &tiny)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		s.warn(model.Warning{Seen: "no profile of " + bm.String() + " under the race detector", Cause: err.Error(), Try: "tiny allocations are named as unexplained"})
		return rest, nil
	}
	all, more := profile.AddTiny(c.allocs, tiny.allocs, want)
	c.allocs = all
	return append(rest, more...), nil
}

func sum(costs []model.Cost) float64 {
	var total float64
	for _, c := range costs {
		total += c.PerOp
	}
	return total
}

// takeNotes asks the compiler about the packages that the profiles show, those
// of dependencies included where something is allocated in them.
func (s *Session) takeNotes(ctx context.Context, v *version) error {
	v.patterns = s.pkgNames()
	for _, p := range s.Run.Plans {
		c := v.costs[p.Benchmark]
		for _, pkg := range escape.Packages(slices.Concat(c.allocs, c.cpu), false) {
			if !slices.Contains(v.patterns, pkg) {
				v.patterns = append(v.patterns, pkg)
			}
		}
	}
	return s.take(ctx, v)
}

// take takes the notes of v, whose patterns are set.
func (s *Session) take(ctx context.Context, v *version) error {
	var err error
	v.notes, err = escape.Take(ctx, s.go_, escape.Config{
		Dir: filepath.Join(s.stand.Scratch, "notes"), Root: s.snap.Dir, Patterns: v.patterns, Pkgs: s.pkgNames(),
	})
	return err
}

// targets ranks what costs on v.
func (s *Session) targets(v *version) ([]model.Target, []model.Unexplained) {
	in := rank.Input{
		Allocs: make(map[model.Benchmark][]model.Cost), CPU: make(map[model.Benchmark][]model.Cost),
		GCShare: make(map[model.Benchmark]float64), Stats: v.stats, Notes: v.notes,
		Locks: make(map[model.Benchmark][]model.Cost), Scaling: make(map[model.Benchmark]model.Scaling),
		Source: s.source,
	}
	for _, p := range s.Run.Plans { // in their order, which that of Unexplained follows
		bm := p.Benchmark
		c, ok := v.costs[bm]
		if !ok {
			continue
		}
		in.Allocs[bm], in.CPU[bm], in.GCShare[bm] = c.allocs, c.cpu, c.gcShare
		in.Locks[bm] = c.locks
		if c.scaling != nil {
			in.Scaling[bm] = *c.scaling
		}
		in.Unexplained = append(in.Unexplained, c.unexplained...)
	}
	return rank.Targets(in)
}

// source reads a file by the name that frames have: relative to the root of
// the tree, or absolute outside it.
func (s *Session) source(file string) ([]byte, error) {
	if filepath.IsAbs(file) {
		return os.ReadFile(file)
	}
	return os.ReadFile(s.snap.Path(file))
}

// propose turns targets into changes, each once however many targets it
// serves, and into the plan's prospects.
func (s *Session) propose(v *version) ([]model.Change, []model.Prospect) {
	var changes []model.Change
	var prospects []model.Prospect
	index := make(map[string]int)
	s.fresh = make(map[string]model.Change)
	for i, t := range s.Run.Targets {
		found, refused := v.prog.Changes(t)
		fixes, more := v.prog.Fixes(v.findings, t)
		found, refused = append(found, fixes...), append(refused, more...)
		var skip []string
		for _, r := range refused {
			skip = append(skip, r.Kind+": "+r.Why)
		}
		listed := false
		for _, c := range found {
			s.remember(c, t)
			if s.tried[c.ID] {
				continue
			}
			if j, ok := index[c.ID]; ok {
				changes[j].Targets = append(changes[j].Targets, t)
				listed = true
				continue
			}
			if why := s.pointless(c, t); why != "" {
				skip = append(skip, why)
				continue
			}
			c.Targets = []model.Target{t}
			index[c.ID] = len(changes)
			changes = append(changes, c)
			prospects = append(prospects, model.Prospect{Target: t, Kind: c.Kind, Title: c.Title, Retains: c.Retains})
			listed = true
		}
		if !listed {
			if len(skip) == 0 {
				skip = []string{"no transformation fits"}
			}
			s.Run.Targets[i].Skipped = strings.Join(skip, "; ")
			prospects = append(prospects, model.Prospect{Target: t, Skip: s.Run.Targets[i].Skipped})
		}
	}
	byRank(changes, s.Run.Targets)
	return changes, prospects
}

// remember notes a change as it would be made now, whether or not it was tried
// on an earlier state.
func (s *Session) remember(c model.Change, t model.Target) {
	c.Targets = append(slices.Clone(s.fresh[c.ID].Targets), t)
	s.fresh[c.ID] = c
}

// byRank sorts changes by the first target of the statement that theirs stand
// on: what else there is to do there is tried before less is looked for
// elsewhere.
func byRank(changes []model.Change, targets []model.Target) {
	type place struct {
		bm   model.Benchmark
		rank int
	}
	first := make(map[place]int)
	for i, t := range slices.Backward(targets) {
		first[place{t.Benchmark, t.Rank}] = i
	}
	of := func(c model.Change) int { return first[place{c.Targets[0].Benchmark, c.Targets[0].Rank}] }
	slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(of(a), of(b)) })
}

// worthAllocs is the share of a benchmark's allocations below which a change
// is not tried for their sake.
const worthAllocs = 0.01

// pointless says why a change is not tried although it could be made.
func (s *Session) pointless(c model.Change, t model.Target) string {
	if a, ok := s.stand.Store.Refuted(c.ID, s.Run.Env.GoVersion); ok && !s.opt.Retry {
		return fmt.Sprintf("refuted on %s: %s (-retry tries it again)", a.Time.Format("2006-01-02"), a.Reason)
	}
	if d := c.Inlines; d != nil {
		if text, can := s.now.notes.CanInline(*d); can || !strings.HasPrefix(text, "function too complex") {
			return fmt.Sprintf("%s: %s is not too complex to be inlined (%s)", c.Kind, d.Name, text)
		}
	}
	n := s.noise(t.Benchmark)
	if t.Share < worthAllocs && t.CPUShare < n.Sees {
		return fmt.Sprintf("at most %.1f %% of CPU time could be gained, and this machine sees %.1f %%", 100*t.CPUShare, 100*n.Sees)
	}
	return ""
}
