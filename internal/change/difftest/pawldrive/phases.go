package pawldrive

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// moments are how far calls lie apart on the clock that they are shown: what
// runs out does so in an hour, or in a day.
var moments = []time.Duration{0, time.Second, time.Minute, time.Hour, 25 * time.Hour, 400 * 24 * time.Hour}

// pairs calls both sides with each recorded input, then with generated ones.
func (d *drive) pairs(end time.Time) {
	f := d.f
	for i, in := range f.inputs {
		if d.over() {
			return
		}
		if !d.begin("recorded", i) {
			continue
		}
		d.pair(&script{steps: []*input{in}, seed: d.mut.r.next()})
		if d.clock {
			for _, later := range moments[1:] {
				if ownNow().After(d.until(0.2)) {
					break // inputs are large: what else there is needs time, too
				}
				d.pair(&script{steps: []*input{in}, seed: d.mut.r.next(), apart: later})
			}
		}
	}
	for i, in := range f.large {
		if d.over() {
			return
		}
		if !d.begin("recorded", len(f.inputs)+i) {
			continue
		}
		d.pair(&script{steps: []*input{in}, seed: d.mut.r.next()})
	}
	idle := 0
	for i := 0; f.pairs < d.o.pairs && !d.over(); i++ {
		if ownNow().After(end) {
			return
		}
		in, before := d.mut.generate(), []*input(nil)
		if in == nil { // of a recorded one, another receiver
			in = f.inputs[i%len(f.inputs)]
			if before = d.before(in); len(before) == 0 {
				if idle++; idle > 50 {
					f.notes["only recorded inputs were compared: pawl cannot make new values for its arguments"] = true
					return
				}
				continue
			}
		} else if i%4 == 3 {
			before = d.before(in)
		}
		if !d.begin("generated", i) {
			continue
		}
		sc := &script{steps: []*input{in}, seed: d.mut.r.next(), apart: moments[i%len(moments)], before: before}
		if d.pair(sc) && in.generated && len(d.made) < 256 && d.madeBytes < inputsBytes {
			d.madeBytes += inputBytes(in)
			d.made = append(d.made, in)
		}
	}
}

// sequences plays several calls on one receiver.
func (d *drive) sequences(end time.Time) {
	f := d.f
	list := append(slices.Clone(f.inputs), d.made...)
	n := max(d.o.pairs/pairsPerSequence, (d.o.pairs-f.pairs)/(3*stepsPerSequence)+1)
	for i := 0; i < n && !d.over(); i++ {
		if ownNow().After(end) {
			if f.pairs < d.o.pairs {
				f.notes[fmt.Sprintf("more than %d pairs: its share of time was over", f.pairs)] = true
			}
			return
		}
		steps := d.steps(list, i)
		plain := &script{steps: steps, gc: i%15 == 7, seed: d.mut.r.next(), apart: moments[i%len(moments)]}
		if i%3 == 2 {
			plain.before = d.before(steps[0])
		}
		if i%3 != 0 && d.sets() {
			plain.between = d.caller().methodCalls(steps[0].args[0], len(steps)-1)
		}
		if !d.begin("sequence", i) || !d.pair(plain) || d.differs {
			continue
		}
		d.pair(&script{steps: steps, scribbleResults: true, seed: plain.seed, apart: plain.apart, before: plain.before})
		d.pair(&script{steps: steps, scribbleArgs: true, seed: plain.seed, apart: plain.apart, before: plain.before})
		if i%3 != 0 && steps[0].refills(b2i(f.Receiver)) {
			d.pair(&script{steps: steps, refill: true, seed: plain.seed, before: plain.before, between: plain.between})
		}
	}
}

// steps chooses the calls of a sequence: a long input before a short one, some
// of them twice, and such that fail before such that do not.
func (d *drive) steps(list []*input, i int) []*input {
	r := d.mut.r
	first := list[r.n(len(list))]
	if i < len(d.f.inputs) {
		first = d.f.inputs[i]
	}
	steps := []*input{first}
	for tries := 0; len(steps) < stepsPerSequence && tries < 64; tries++ {
		next := list[r.n(len(list))]
		if len(steps) >= 2 && r.one(3) {
			next = steps[r.n(len(steps))]
		}
		if sameTypes(first.args, next.args) {
			steps = append(steps, next)
		}
	}
	if i%2 == 0 && len(steps) > 2 {
		slices.SortStableFunc(steps[1:], func(a, b *input) int { return len(b.describe()) - len(a.describe()) })
	}
	return steps
}

// pair plays a script on both sides and keeps how they differ. It reports
// whether the base returned from all calls.
func (d *drive) pair(sc *script) (returned bool) {
	f := d.f
	defer func() {
		if r := recover(); r != nil {
			f.notes[shorten(fmt.Sprintf("a pair that could not be compared: %v", r), maxText)] = true
			returned = false
		}
	}()
	f.sentinels.call++
	had := wallet.allocated()
	began := ownNow()
	b := f.play(sc, baseOf, deadline)
	d.full = d.full || len(sc.before) >= fillings[0] && ownNow().Sub(began) > fillingTime
	if b.err == errSetUp {
		return false
	}
	if b.err != nil {
		f.notes["some results: "+b.err.Error()] = true
		return false
	}
	if last := b.steps[len(b.steps)-1]; last.hung {
		d.hang(true)
		return false
	}
	for _, o := range b.steps {
		for _, r := range o.results {
			if err, ok := r.(error); ok {
				f.sentinels.saw(err)
			}
		}
	}
	if wallet.heavy(had) {
		d.out.put(record{Heavy: true})
	}
	c := f.play(sc, candOf, max(deadline, 20*slowest(b)))
	if c.err != nil {
		f.notes["some results: "+c.err.Error()] = true
		return false
	}
	f.pairs += min(len(b.steps), len(c.steps))
	for i, o := range b.steps[:min(len(b.steps), len(c.steps))] {
		f.tally(sc, i, o)
	}
	for i := range min(len(b.steps), len(c.steps)) {
		sc.steps[i].compared = true
	}
	diffs := f.compare(sc, b, c)
	for _, x := range diffs {
		d.found(sc, b, x)
	}
	d.differs = len(diffs) > 0
	d.prev, d.clock = sc, b.steps[0].drawn[clock] > 0
	if b.steps[len(b.steps)-1].panics {
		d.panicked++
	}
	return b.steps[len(b.steps)-1].normal()
}

func slowest(t *trace) time.Duration {
	took := time.Duration(0)
	for _, o := range t.steps {
		took = max(took, o.took)
	}
	return took
}

func baseOf(in *input) arm { return in.base }
func candOf(in *input) arm { return in.cand }

// extremes drives with numbers that make many functions allocate or loop
// without end. It comes last, when all else is written.
func (d *drive) extremes(share time.Duration) bool {
	f := d.f
	if d.mut == nil || d.over() {
		return true
	}
	d.mut.extreme, d.mut.r = true, &rng{mix(d.o.seed ^ fnvString("extremes"+f.Name))} // the same in each process
	before, end := f.pairs, ownNow().Add(share)
	d.safely(func() {
		for i := 0; i < d.o.pairs/4 && !d.over() && ownNow().Before(end); i++ {
			in := d.mut.generate()
			if in == nil {
				break
			}
			if !d.begin("extremes", i) {
				continue
			}
			d.pair(&script{steps: []*input{in}})
		}
	})
	if f.pairs > before {
		d.emit("")
	}
	if d.stuck {
		d.out.put(record{End: &endRecord{Reason: "hang", ID: f.ID}})
	}
	return !d.stuck
}

// mostTallied is of how many pairs it is looked at what they write to.
const mostTallied = 64

// tally notes what one call of the base got to, and whether it wrote to the same part of its receiver as the others.
func (f *function) tally(sc *script, i int, o *outcome) {
	if o.reached == 0 {
		return
	}
	var changed *mismatch
	looks := f.Receiver && len(sc.steps) == 1 && len(sc.before) == 0
	for n := range f.reached {
		if o.reached>>n&1 == 0 {
			continue
		}
		f.reached[n]++
		w := &f.writes[n]
		if !looks || w.of == mostTallied {
			continue
		}
		if changed == nil {
			changed = newDiffer(f).any(sc.steps[i].args[0], o.args[0])
		}
		if w.of++; changed != nil && (w.of == 1 || w.path == changed.path) && !strings.Contains(changed.path, "[") { // an element may be another call's own
			w.path, w.yes = changed.path, w.yes+1
		}
	}
}
