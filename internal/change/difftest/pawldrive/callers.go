package pawldrive

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
)

// This file does what callers do that the tests do not: they make a receiver
// with another constructor, set it up by its other methods, and pass in
// functions and writers that fail, panic or call back.

// A manner is what functions and writers that are passed in do beside their
// work.
type manner int

const (
	obliging manner = iota
	failing
	panicking
	reentrant
	sparing // readers give a few bytes at a time
	manners
)

func (m manner) String() string {
	return [...]string{"oblige", "fail", "panic", "call the receiver", "give little at a time"}[m]
}

// moodTimes is how many values a mood's at has.
const moodTimes = 5

// A mood is how what is passed in behaves in one script: from call number at on,
// for functions, or after so many bytes, for writers.
type mood struct {
	manner manner
	at     int
	calls  []*input // of the receiver's methods, for what is reentrant
	recv   any
	side   func(*input) arm
	inside bool
	log    *calls
}

// saw logs what a call from inside another one returned.
func (m *mood) saw(results []any) {
	if kept, err := duplicate(results); err == nil && m.log != nil && len(m.log.log) < 1024 {
		m.log.log = append(m.log.log, funcCall{givenBefore - 1, kept})
	}
}

// with returns the mood for one side.
func (m *mood) with(side func(*input) arm) *mood {
	if m == nil {
		return nil
	}
	return &mood{manner: m.manner, at: m.at, calls: m.calls, side: side}
}

// errPassed is what fails, and panicPassed what panics.
var errPassed = errors.New("pawl: what was passed in fails")

const panicPassed = "pawl: what was passed in panics"

// strikes does what the mood asks for at call number n, and reports whether the
// call has to fail.
func (m *mood) strikes(n int) (fails bool) {
	if m == nil || m.manner == obliging || n < m.at {
		return false
	}
	switch m.manner {
	case panicking:
		if n == m.at {
			panic(panicPassed)
		}
	case reentrant:
		if !m.inside && n < m.at+4 && m.recv != nil && len(m.calls) > 0 {
			m.inside = true
			defer func() { m.inside = false }()
			in := m.calls[n%len(m.calls)]
			if args, err := duplicate(in.args); err == nil {
				args[0] = m.recv
				replaceFuncs(args, true)
				m.saw(m.side(in)(args))
			}
		}
	}
	return m.manner == failing
}

// A standWriter stands for an io.Writer. How its input was cut into calls does
// not matter: it fails after a number of bytes.
type standWriter struct {
	got   []byte
	limit int    // of bytes, -1 for none
	first func() // when the first byte comes
	over  func() // when the limit is reached
}

const maxWritten = 1 << 20

func (w *standWriter) Write(p []byte) (int, error) {
	if w.first != nil && len(w.got) == 0 && len(p) > 0 {
		w.first()
	}
	left := maxWritten - len(w.got)
	if w.limit >= 0 {
		left = w.limit - len(w.got)
	}
	if len(p) <= left {
		w.got = append(w.got, p...)
		return len(p), nil
	}
	w.got = append(w.got, p[:max(left, 0)]...)
	if w.over != nil {
		w.over()
	}
	return max(left, 0), errPassed
}

// bind makes a writer behave as a mood wants.
func (w *standWriter) bind(m *mood) {
	*w = standWriter{limit: -1}
	switch {
	case m == nil:
	case m.manner == failing:
		w.limit = 7 * m.at
	case m.manner == panicking:
		w.limit, w.over = 7*m.at, func() { panic(panicPassed) }
	case m.manner == reentrant:
		w.first = func() { m.strikes(m.at) }
	}
}

// armOf says that a call of one side begins, 0 for the base, and returns what
// ends it. The package in the standard library sets it.
var armOf = func(int) func() { return func() {} }

// asCall returns an input by which either side makes a call; its argument 0 is the
// receiver.
func asCall(args []any, f arm) *input {
	armed := func(n int) arm {
		return func(x []any) []any {
			defer armOf(n)()
			return f(x)
		}
	}
	return &input{args: args, base: armed(0), cand: armed(1), generated: true}
}

// errSetUp says that a receiver could not be set up as a script wants.
var errSetUp = errors.New("the calls before it do not return")

// limitBefore is how long a call that is only made to set up a receiver may take.
const limitBefore = 300 * time.Millisecond

// setUp makes the calls of a script that come before its first step, and returns
// the receiver that they leave; nil says that one of them did not return.
func (f *function) setUp(sc *script, recv any, side func(*input) arm, log *calls) any {
	for i, in := range sc.before {
		args, err := duplicate(in.args)
		if err != nil {
			return nil
		}
		log.replace(args, true, (i+1)*givenBefore)
		f.writers(args, log.mood)
		f.readers(args, log.mood)
		args[0] = recv
		o := call(side(in), args, limitBefore)
		if !o.normal() {
			if o.hung { // it may go on, and burn the processor
				f.alone = true
				f.notes["what its receivers do after other calls: one of those does not return"] = true
			}
			return nil
		}
		if in.makes {
			if v := o.results[0]; v == nil || reflect.TypeOf(v) != reflect.TypeOf(recv) || reflect.ValueOf(v).IsZero() || failedBoth(o.results, o.results) {
				return nil
			} else {
				recv = v
			}
		}
	}
	return recv
}

// betweenCalls makes the call that a script has between two of its steps; it
// reports false where that does not return.
func (f *function) betweenCalls(sc *script, step int, recv any, side func(*input) arm) bool {
	if step >= len(sc.between) {
		return true
	}
	in := sc.between[step]
	args, err := duplicate(in.args)
	if err != nil {
		return true
	}
	replaceFuncs(args, true)
	args[0] = recv
	o := call(side(in), args, limitBefore)
	f.alone = f.alone || o.hung // it may go on, and burn the processor
	return !o.hung
}

// prepared says what comes before the calls of a script, and how what is passed
// in behaves.
func (sc *script) prepared() string {
	var names []string
	for i, in := range sc.before {
		n := 1
		for i+n < len(sc.before) && sc.before[i+n].text == in.text {
			n++
		}
		switch {
		case i > 0 && sc.before[i-1].text == in.text:
		case n > 2:
			names = append(names, fmt.Sprintf("%d calls of %s", n, in.text))
		default:
			names = append(names, slices.Repeat([]string{in.text}, n)...)
		}
	}
	text := ""
	if len(names) > 0 {
		text = "after " + strings.Join(names, ", ") + ": "
	}
	names = names[:0]
	for _, in := range sc.between {
		names = append(names, in.text)
	}
	if len(names) > 0 {
		text += "with " + strings.Join(names, ", ") + " in between: "
	}
	if sc.refill {
		text += "with other content in the arguments of the call before: "
	}
	if sc.mood != nil {
		text += "what is passed in may " + sc.mood.manner.String() + ": "
	}
	return text
}

// before chooses calls that set up a receiver.
func (d *drive) before(in *input) (out []*input) {
	if !d.sets() || ownedByReceiver(in.args) {
		return nil
	}
	if d.befores++; d.befores%12 == 0 && !d.full {
		if out = d.caller().filling(in.args[0], fillings[d.befores/12%len(fillings)]); len(out) > 0 {
			return out
		}
	}
	if d.mut.r.one(2) {
		if c := d.caller().construction(in.args[0]); c != nil {
			out = append(out, c)
		}
	}
	return append(out, d.caller().methodCalls(in.args[0], 1+d.mut.r.n(10))...)
}

// listening chooses a call that gives the receiver a function to call, where there
// is one: what it does then shows in no other way.
func (d *drive) listening(in *input) []*input {
	if !d.sets() || ownedByReceiver(in.args) {
		return nil
	}
	return d.caller().callsOf(in.args[0], d.caller().listeners(in.args[0]), 1)
}

// sets reports whether other methods of a receiver may be called.
func (d *drive) sets() bool {
	f := d.f
	return f.Receiver && len(f.inputs) > 0 && len(f.inputs[0].args) > 0 && !f.heldOK && !f.alone
}

// passed drives with functions and writers that do not oblige.
func (d *drive) passed(end time.Time) {
	f := d.f
	if len(f.Makers)+len(f.Methods)+len(f.Writers)+len(f.Readers) == 0 && !slices.ContainsFunc(f.inputs[0].args, isFunc) {
		return
	}
	list := append(slices.Clone(f.inputs), d.made...)
	bytes := map[*input]int{}
	for _, in := range list {
		bytes[in] = inputBytes(in)
	}
	slices.SortStableFunc(list, func(a, b *input) int { return bytes[a] - bytes[b] }) // small ones most often: time is short
	off := map[manner]bool{sparing: len(f.Readers) == 0}
	for i := 0; i < d.o.pairs/2 && !d.over() && ownNow().Before(end); i++ {
		m := &mood{manner: 1 + manner(i%int(manners-1)), at: i / int(manners-1) % moodTimes}
		if off[m.manner] {
			continue
		}
		in := list[min(d.mut.r.n(len(list)), d.mut.r.n(len(list)))]
		if d.mut.r.one(4) {
			in = d.mut.swollen(in)
		}
		sc := &script{steps: []*input{in}, seed: d.mut.r.next(), mood: m, apart: moments[i/int(manners-1)%len(moments)]}
		if i/int(manners-1)%2 == 1 { // with each manner
			sc.before = append(d.before(in), d.listening(in)...)
		}
		if f.Receiver {
			m.calls = d.caller().methodCalls(in.args[0], 3)
		}
		if !d.begin("passed", i) {
			continue
		}
		if b := f.play(sc, baseOf, limitBefore); b.err == nil && b.steps[len(b.steps)-1].hung {
			off[m.manner] = true // as when it holds a lock that the callback takes
			f.notes["functions and writers that are passed in and that "+m.manner.String()+": the base does not return"] = true
			continue
		}
		d.pair(sc)
	}
}

func isFunc(a any) bool { return reflect.ValueOf(a).Kind() == reflect.Func }

// writers puts writers in the place of arguments that may be any.
func (f *function) writers(args []any, m *mood) {
	for _, i := range f.Writers {
		if i < len(args) && args[i] != nil && m != nil {
			args[i] = &standWriter{}
		}
	}
	for _, a := range args {
		if w, ok := a.(*standWriter); ok {
			w.bind(m)
		}
	}
}

var _ io.Writer = (*standWriter)(nil)
