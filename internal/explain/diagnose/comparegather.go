package diagnose

import (
	"fmt"
	"hash/maphash"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A book is what all profiles of a comparison show, by what is compared.
type book struct {
	kind     profile.Kind
	measure  measure
	o        Options
	matcher  *matcher
	profiles []account // those of the base first
	sides    [2]account
	subjects map[key]*subject
	rows     uint64 // stacks so far, of all profiles
	seed     maphash.Seed
	warnings []model.Warning
}

// An account is one profile, or one side.
type account struct {
	profile.Source
	weighing
	side    int // 0 base, 1 now
	seconds float64
	samples float64
	delay   float64
	starts  map[string]int
}

// An aspect is what of a stack is compared.
type aspect int

const (
	inclusive aspect = iota // a function, with all that it calls
	flat                    // a function's own part
	atLine                  // a line of the program, with all that it calls
	asSign                  // a signature
	inAll                   // all stacks
)

type key struct {
	aspect aspect
	place
}

// A subject is a set of stacks. Two subjects with the same stacks have the same
// hash and are one hypothesis.
type subject struct {
	key
	file  string
	tally []amount // by profile
	hash  uint64
	row   uint64 // the last that was counted

	p, inflation, df float64
	tested, claimed  bool // looked at; and different
}

type amount struct {
	in, squares float64 // values, and the squares of each sample's
	count       float64 // samples
	delay       float64 // of mutex and block profiles
	restless    float64 // values that the load of the machine has a part in
}

func (a *amount) add(b amount) {
	a.in, a.squares, a.count, a.delay = a.in+b.in, a.squares+b.squares, a.count+b.count, a.delay+b.delay
	a.restless += b.restless
}

// gather reads the profiles.
func gather(kind profile.Kind, m measure, base, now []profile.Source, o Options) (*book, error) {
	b := &book{kind: kind, measure: m, o: o, matcher: newMatcher(base, now), subjects: map[key]*subject{}, seed: maphash.MakeSeed()}
	for side, sources := range [][]profile.Source{base, now} {
		for _, s := range sources {
			b.profiles = append(b.profiles, account{Source: s, side: side, seconds: s.Profile.Seconds(), starts: s.Profile.Starts()})
		}
	}
	for i := range b.profiles {
		if err := b.read(i); err != nil {
			return nil, fmt.Errorf("%s: %w", b.profiles[i].Name, err)
		}
	}
	if err := b.weigh(o.Per); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *book) read(i int) error {
	p := &b.profiles[i]
	if unit := p.Profile.Unit(b.measure.typ); unit != b.measure.file && unit != "count" && unit != "" {
		return fmt.Errorf("its %s is in %s, where profiles of Go have %s", b.measure.typ, unit, b.measure.file)
	}
	sy := &model.Symptoms{}
	total, samples, err := p.Profile.Total(b.measure.typ)
	if err != nil {
		return err
	}
	sy.Samples = samples
	if total > 0 {
		if err := readable(p.Profile, b.measure.typ, sy); err != nil {
			return err
		}
		for _, w := range sy.Warnings {
			w.Seen = p.Name + ": " + w.Seen
			b.warnings = append(b.warnings, w)
		}
	}
	scale := 1.0
	if b.kind == profile.KindMutex {
		scale = b.fraction(p.Profile)
	}
	return b.stacks(p, func(stack []model.Frame, value, delay, count float64) {
		count = max(1, count/scale)
		a := amount{in: value, squares: value * value / count, count: count, delay: delay}
		p.total, p.squares, p.samples, p.delay = p.total+a.in, p.squares+a.squares, p.samples+count, p.delay+delay
		b.rows++
		b.enter(i, stack, a)
	})
}

// stacks calls f for each stack of a profile, with functions by the names that
// they have now.
func (b *book) stacks(p *account, f func(stack []model.Frame, value, delay, count float64)) error {
	rename := p.side == 0 && len(b.matcher.renamed) > 0
	var renamed []model.Frame
	return p.Profile.Pairs(b.measure.typ, b.measure.also, func(stack []model.Frame, value, delay, count float64) {
		if rename {
			renamed = append(renamed[:0], stack...) // the profile has its own use for the slice
			for i := range renamed {
				renamed[i].Func = b.matcher.name(renamed[i].Func)
			}
			stack = renamed
		}
		f(stack, value, delay, count)
	})
}

// enter counts a stack for all that it is part of.
func (b *book) enter(i int, stack []model.Frame, a amount) {
	sign := b.sign(stack)
	if sign == scheduling || b.kind == profile.KindCPU && preempting(stack) {
		a.restless = a.in
	}
	b.count(i, key{aspect: inAll}, "", a)
	innermost := true
	for _, f := range stack {
		if f.Func == "" {
			continue
		}
		b.count(i, key{inclusive, place{f.Func, 0}}, f.File, a)
		if innermost {
			b.count(i, key{flat, place{f.Func, 0}}, f.File, a)
			innermost = false
		}
	}
	if f, _, ok := b.o.line(stack); ok {
		b.count(i, key{atLine, b.matcher.place(f, b.start(i, f.Func))}, f.File, a)
	}
	if sign != own {
		b.count(i, key{asSign, place{sign, 0}}, "", a)
	}
}

// preempting reports whether a goroutine is just being stopped. A timer's
// signal that waits for a thread to run again comes in there, too, so that it
// has a share where the machine is short of processors.
func preempting(stack []model.Frame) bool {
	return len(stack) > 0 && strings.HasPrefix(stack[0].Func, "runtime.asyncPreempt")
}

// start returns the line that a function begins at in the build of a profile.
func (b *book) start(i int, fn string) int {
	p := &b.profiles[i]
	if line, ok := p.starts[fn]; ok || p.side == 1 {
		return line
	}
	for old, now := range b.matcher.renamed {
		if now == fn {
			return p.starts[old]
		}
	}
	return 0
}

// sign returns the signature of a stack.
func (b *book) sign(stack []model.Frame) string {
	switch b.kind {
	case profile.KindCPU:
		return ofStack(stack)
	case profile.KindMutex, profile.KindBlock:
		return b.o.waitOf(b.kind, stack)
	}
	return own
}

// count adds to a subject, once for each stack.
func (b *book) count(i int, k key, file string, a amount) {
	s := b.subjects[k]
	if s == nil {
		s = &subject{key: k, tally: make([]amount, len(b.profiles))}
		b.subjects[k] = s
	}
	if s.row == b.rows {
		return
	}
	s.row, s.file = b.rows, file
	s.hash += maphash.Comparable(b.seed, b.rows)
	s.tally[i].add(a)
}

// fraction returns by what a mutex profile's counts were scaled up: the
// runtime records one of so many waits (runtime.SetMutexProfileFraction) and
// does not say of how many. All counts are multiples of it.
func (b *book) fraction(p *profile.Profile) float64 {
	var g int64
	_ = p.Pairs("contentions", "delay", func(_ []model.Frame, value, _, _ float64) { // read again below, with its error
		if value < 1<<53 {
			g = divisor(g, int64(value))
		}
	})
	return float64(max(g, 1))
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (b *book) sum(s *subject, side int) amount {
	var out amount
	for i, a := range s.tally {
		if b.profiles[i].side == side {
			out.add(a)
		}
	}
	return out
}

func (b *book) side(side int, ops float64) model.ProfileSide {
	out := model.ProfileSide{Ops: ops}
	samples := 0.0
	for _, p := range b.profiles {
		if p.side == side {
			out.Sources = append(out.Sources, p.Name)
			out.Total += p.total
			out.Seconds += p.seconds
			samples += p.samples
		}
	}
	out.Samples = int64(math.Round(min(samples, 1<<62)))
	return out
}
