package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// gateEffect is the effect of the regression that a gate is to find, and of the
// power beside the equals.
const gateEffect = 0.05

// An item is one comparison that is to be made.
type item struct {
	verb   string
	sub    subject
	effect float64
	rep    int
	equal  bool // with benchstat at equal CPU time beside it
	usual  bool // with benchstat at 10 × 1 s beside it
}

func (it item) key() string {
	return fmt.Sprintf("%s/%s/%g/%d", it.verb, it.sub.name, it.effect, it.rep)
}

// seed draws from the campaign's seed one of the item's own.
func (it item) seed(campaign uint64) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(it.key()) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return (h ^ campaign*0x9e3779b97f4a7c15) >> 20
}

// deal deals n comparisons of an effect out to the subjects, round by round.
func deal(verb string, list []subject, effect float64, n, equal, usual int) []item {
	every := func(round, n int) bool { return n > 0 && round%n == 0 }
	var out []item
	for i := range n {
		round := i / len(list)
		out = append(out, item{
			verb: verb, sub: list[i%len(list)], effect: effect, rep: round,
			equal: every(round, equal), usual: every(round, usual),
		})
	}
	return out
}

// mix puts the items of b evenly between those of a.
func mix(a, b []item) []item {
	out := make([]item, 0, len(a)+len(b))
	for i, it := range a {
		for j := range b {
			if j*len(a)/len(b) == i {
				out = append(out, b[j])
			}
		}
		out = append(out, it)
	}
	return out
}

func runAA(ctx context.Context, s *settings) error {
	list, err := chosen(s.subjects)
	if err != nil {
		return err
	}
	power := deal("power", list, gateEffect, s.power, s.equal, 0)
	return s.campaign(ctx, mix(deal("aa", list, 0, s.n, s.equal, s.usual), power), s.sources)
}

func runSame(ctx context.Context, s *settings) error { return s.arms(ctx, "same", s.prebuilt) }

func runDifferent(ctx context.Context, s *settings) error {
	return s.arms(ctx, "different", s.sources)
}

func (s *settings) arms(ctx context.Context, verb string, do compareFunc) error {
	list, err := chosen(s.subjects)
	if err != nil {
		return err
	}
	var items []item
	for _, text := range strings.Split(s.effects, ",") {
		e, err := strconv.ParseFloat(text, 64)
		if err != nil || !slices.Contains(effects, e/100) {
			return fmt.Errorf("-effects: %q is no effect that is calibrated", text)
		}
		items = mix(deal(verb, list, e/100, s.n, s.equal, s.usual), items)
	}
	return s.campaign(ctx, items, do)
}

func overheadFlags(f *flag.FlagSet, s *settings) {
	measureFlags(f, s)
	load := f.Lookup("load")
	load.DefValue, s.load = "none", "none"
	f.IntVar(&s.n, "n", 6, "comparisons")
}

func runOverhead(ctx context.Context, s *settings) error {
	list, err := chosen(s.subjects)
	if err != nil {
		return err
	}
	return s.campaign(ctx, deal("overhead", list, 0, s.n, 0, 0), s.prebuilt)
}

// A compareFunc makes one comparison and fills in the record.
type compareFunc func(context.Context, *neighbour, item, *Record) error

// campaign makes the comparisons that are not made yet, under the load. One
// that fails is said, and is left for the next run.
func (s *settings) campaign(ctx context.Context, items []item, do compareFunc) (err error) {
	if s.pawl, err = s.buildPawl(ctx); err != nil {
		return err
	}
	j, err := openJournal(s.results)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	n, err := startLoad(s.load, s.seed+uint64(len(j.all)))
	if err != nil {
		return err
	}
	defer n.stop()
	failed := 0
	for i, it := range items {
		if j.done[it.key()] {
			continue
		}
		r := Record{Key: it.key(), Verb: it.verb, Subject: it.sub.name, Effect: it.effect, Seed: it.seed(s.seed), Load: n.spec}
		if it.effect > 0 {
			if r.Steps, _, err = steps(j.all, it.sub.name, it.effect); err != nil {
				return err
			}
		}
		err := do(ctx, n, it, &r)
		if dead := n.alive(); dead != nil && ctx.Err() == nil {
			return fmt.Errorf("%s does not count: %w; the same command goes on", it.key(), dead)
		}
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted; the same command goes on")
		case err != nil:
			failed++
			s.printf("%d of %d, %s: %v", i+1, len(items), it.key(), err)
		default:
			if err := j.add(r); err != nil {
				return err
			}
			s.printf("%d of %d, %s", i+1, len(items), line(r))
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d comparisons failed and are not counted; the same command tries them again", failed)
	}
	return nil
}

// line says in one line how a comparison ended.
func line(r Record) string {
	var b strings.Builder
	b.WriteString(r.Key)
	if len(r.Pawl) == 1 {
		j := r.Pawl[0]
		fmt.Fprintf(&b, ": pawl %s %+.1f %%, %d duets, %d links, %.1f s, %.1f CPU s", j.Standing, 100*j.Change, len(j.Duets), len(j.Links), j.Seconds, j.CPU)
	} else {
		fmt.Fprintf(&b, ": pawl exits with %d after %.0f s", r.Run.Code, r.Run.Wall)
	}
	for _, st := range []*StatRun{r.Equal, r.Usual} {
		if st != nil {
			fmt.Fprintf(&b, "; benchstat p=%.3f %+.1f %%, %.1f CPU s", st.P, 100*st.Delta, st.CPU)
		}
	}
	if r.Run != nil {
		fmt.Fprintf(&b, "; the load took %.1f CPUs", r.Run.Conditions.Taken)
	}
	return b.String()
}

// sources compares two tags: the base, and a variant with a function that is
// never called and the steps.
func (s *settings) sources(ctx context.Context, n *neighbour, it item, r *Record) error {
	m, err := s.module(ctx, it.sub)
	if err != nil {
		return err
	}
	tag, err := s.variant(ctx, m, r.Seed, r.Steps)
	if err != nil {
		return err
	}
	base, cand, err := s.binaries(ctx, m, tag)
	if err != nil {
		return err
	}
	bm := m.benchmark()
	return s.bothTools(ctx, n, m, it, r, base, cand, m.dir,
		"compare", "-json", "-q", "-screen=false", "-per-benchmark", s.perBenchmark, "-bench", bm.Regexp(), "base", tag, m.pattern())
}

// prebuilt compares two copies of one test binary that differ by the number of
// steps.
func (s *settings) prebuilt(ctx context.Context, n *neighbour, it item, r *Record) error {
	m, err := s.module(ctx, it.sub)
	if err != nil {
		return err
	}
	built := filepath.Join(s.work, "binaries", m.name+"-base.test")
	if _, err := os.Stat(built); err != nil {
		if err := m.checkout(ctx, "base"); err != nil {
			return err
		}
		if err := s.testBinary(ctx, m, built); err != nil {
			return err
		}
	}
	var arms [2]string
	for i, k := range []int{0, r.Steps} {
		arms[i] = filepath.Join(s.work, "binaries", fmt.Sprintf("%s-arm%d.test", m.name, i))
		if err := stepBinary(arms[i], built, k); err != nil {
			return err
		}
	}
	bm := m.benchmark()
	return s.bothTools(ctx, n, m, it, r, arms[0], arms[1], m.directory(),
		"compare", "-json", "-q", "-screen=false", "-per-benchmark", s.perBenchmark, "-bench", bm.Regexp(), "-o", filepath.Join(s.work, "out"), arms[0], arms[1])
}

// bothTools runs pawl, and benchstat with what that took; and the usual
// benchstat before or after both.
func (s *settings) bothTools(ctx context.Context, n *neighbour, m module, it item, r *Record, base, cand, dir string, args ...string) error {
	bm := m.benchmark()
	usual := func() (err error) {
		r.Usual, err = s.statRun(ctx, n, m, bm, base, cand, "1s")
		return err
	}
	first := rand.New(rand.NewPCG(r.Seed, 3)).IntN(2) == 0
	if it.usual && first {
		if err := usual(); err != nil {
			return err
		}
		r.Usual.First = true
	}
	var err error
	if r.Run, r.Pawl, err = s.callPawl(ctx, n, dir, args...); err != nil {
		return err
	}
	if len(r.Pawl) != 1 || r.Pawl[0].Answer == "" {
		return fmt.Errorf("pawl has no verdict on %s: %+v", m.bench, r.Pawl)
	}
	if j := r.Pawl[0]; it.equal && j.PerOp > 0 && !s.alone {
		if r.Equal, err = s.statRun(ctx, n, m, bm, base, cand, equalIterations(j.CPU, j.PerOp)); err != nil {
			return err
		}
	}
	if it.usual && !first {
		return usual()
	}
	return nil
}
