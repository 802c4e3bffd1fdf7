package pawldrive

import (
	"fmt"
	"slices"
	"time"
)

// abandoned is told that a call was given up, where the process can go on after
// one: a package that keeps count of calls that are under way sets it from an init
// function. Without it, a process ends after the first such call.
var abandoned func()

// hang notes that a call did not return. Where it burns the processor, nothing
// else can be driven in this process.
func (d *drive) hang(base bool) {
	if base {
		d.baseHangs++
		d.f.notes["inputs on which the base does not return within 2 s"] = true
	} else {
		d.candHangs++
	}
	before, t := cpuTime(), time.Now()
	time.Sleep(100 * time.Millisecond)
	if abandoned == nil || cpuTime()-before > time.Since(t)/2 {
		d.stuck = true
		return
	}
	abandoned()
}

// found keeps a difference, once it is clear that it is one.
func (d *drive) found(sc *script, b *trace, x diff) {
	f := d.f
	if sc.scribbleResults || sc.scribbleArgs {
		x.kind = diffLeak
	}
	if f.ignores(sc, x.part) {
		return
	}
	if old := f.found[x.key()]; old != nil {
		old.Times++
		return
	}
	if x.kind == diffHang {
		d.hang(false)
	} else if d.readsAhead(sc, x) {
		return
	} else if s, drawn := d.drawnOtherwise(sc, b, x); drawn {
		if s == clock {
			return
		}
		y := d.spread(sc, x)
		if y == nil {
			return
		}
		x = *y
	} else if !d.confirmed(sc, b, x) {
		return
	}
	f.keep(x, sc)
}

func (f *function) keep(x diff, sc *script) {
	where := x.part
	if len(sc.steps) > 1 {
		where = fmt.Sprintf("%s of call %d in a row", x.part, x.step+1)
	}
	in := sc.steps[x.step]
	f.order = append(f.order, x.key())
	generated := false
	for _, s := range sc.steps[:x.step+1] {
		generated = generated || s.generated
	}
	f.found[x.key()] = &difference{
		Kind: x.kind, Where: where, Base: shorten(x.a, maxText), Candidate: shorten(x.b, maxText),
		Input: sc.prepared() + in.describe(), Generated: generated, Times: 1, shares: x.shares,
	}
}

// confirmed reports whether a difference is one of the candidate's: the base
// agrees with itself, and the candidate differs again.
func (d *drive) confirmed(sc *script, first *trace, x diff) bool {
	f := d.f
	again := false
	start := ownNow()
	rounds := confirmations
	if d.reordered(sc, first, x) {
		rounds = reorderings
	}
	for i := 0; i < rounds; i++ {
		if i >= 3 && ownNow().Sub(start) > maxSlow {
			break
		}
		b := f.play(sc, baseOf, 4*deadline)
		if b.err != nil || len(b.steps) == 0 || b.steps[len(b.steps)-1].hung {
			return false
		}
		if f.has(sc, first, b, x) && !f.loose[x.part] {
			// As when a map was ranged over: the order says nothing, and what
			// there is can still be compared.
			f.loose[x.part] = true
			if !f.has(sc, first, b, x) {
				f.notes[x.part+": the order of what is in it, which varies in the base"] = true
				return d.confirmed(sc, first, x)
			}
		}
		if f.has(sc, first, b, x) {
			after := setUp(sc)
			if after != "" {
				delete(f.loose, x.part)
			}
			f.ignored[x.part+after] = true
			f.notes[x.part+after+": the base itself does not always do the same"] = true
			return false
		}
		again = again || f.has(sc, b, f.play(sc, candOf, 4*deadline), x)
		if !again && d.prev != nil { // it may need what the call before it left
			f.play(d.prev, baseOf, deadline)
			f.play(d.prev, candOf, deadline)
			again = f.has(sc, b, f.play(sc, candOf, 4*deadline), x)
		}
	}
	if !again && !f.loose[x.part] {
		f.notes[shorten(fmt.Sprintf("%s: a difference that did not repeat (%s, then %s)", x.part, x.a, x.b), 2*maxText)] = true
	}
	return again
}

// ignores reports whether a part is not compared in a script. What varies after
// the calls that set up a receiver, as what a constructor counts, need not vary
// without them; what varies without them is not compared after them either.
func (f *function) ignores(sc *script, part string) bool {
	return f.ignored[part] || f.ignored[part+setUp(sc)]
}

// setUp tells by what calls a script has set up its receiver, "" without any.
func setUp(sc *script) string {
	switch {
	case slices.ContainsFunc(sc.before, func(in *input) bool { return in.makes }):
		return ", where a constructor has made the receiver"
	case len(sc.before)+len(sc.between) > 0:
		return ", after other calls of the receiver"
	}
	return ""
}

// reorderings is how often the base is asked whether it gives the same things in
// another order itself: of a map with two keys, one range in eight does.
const reorderings = 64

// reordered reports whether a difference is one of order alone.
func (d *drive) reordered(sc *script, first *trace, x diff) bool {
	f := d.f
	if f.loose[x.part] {
		return false
	}
	f.loose[x.part] = true
	defer delete(f.loose, x.part)
	c := f.play(sc, candOf, 4*deadline)
	return c.err == nil && len(c.steps) > 0 && !c.steps[len(c.steps)-1].hung && !f.has(sc, first, c, x)
}

// has reports whether two traces differ in the part that x is about.
func (f *function) has(sc *script, a, b *trace, x diff) bool {
	return slices.ContainsFunc(f.compare(sc, a, b), func(y diff) bool { return x.part == y.part })
}

// drawnOtherwise reports whether a difference is no more than that: the sides
// ask the same sources, one of them more often, and the part in which they
// differ is one that the base makes of what it is told. Fewer random bytes for
// secrets are a difference. It returns the source, too.
func (d *drive) drawnOtherwise(sc *script, b *trace, x diff) (s source, otherwise bool) {
	f := d.f
	c := f.play(sc, candOf, 4*deadline)
	if x.step >= len(b.steps) || x.step >= len(c.steps) {
		return 0, false
	}
	for s := range sources {
		m, n := b.drawn(s, x.step), c.drawn(s, x.step)
		switch {
		case m == n:
			continue
		case m == 0, n == 0, s == entropy && n < m:
			return 0, false
		}
		other := *sc
		if s == clock {
			other.apart += time.Minute + 77*time.Millisecond
		} else {
			other.seed = mix(sc.seed + 1)
		}
		if f.has(sc, b, f.play(&other, baseOf, 4*deadline), x) {
			f.ignored[x.part] = true
			f.notes[fmt.Sprintf("%s: it is made of %s, which the candidate asks for more or less often than the base", x.part, s)] = true
			return s, true
		}
	}
	return 0, false
}

// drawn returns what was drawn of a source: in one call from a clock, and from
// random numbers, which one call may take for others, until its end.
func (t *trace) drawn(s source, step int) int {
	n := t.steps[step].drawn[s]
	if s == clock && step > 0 {
		n -= t.steps[step-1].drawn[s]
	}
	return n
}
