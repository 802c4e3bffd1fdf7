package pawldrive

import "io"

// A standReader stands for an io.Reader that was recorded, and gives what is in
// it as a mood wants. It has nothing to compare: how much was asked for at a time
// is the algorithm's own business.
type standReader struct {
	read func([]byte) (int, error)
	of   io.Reader // what it stands for
}

func (r *standReader) Read(p []byte) (int, error) { return r.read(p) }

// failAfter is after how many bytes a reader fails, by when its mood strikes.
var failAfter = [moodTimes]int{0, 1, 3, 7, 20}

// standingFor gives what r has in small pieces, and fails or panics after a
// number of bytes, which lies in the middle as often as not.
func standingFor(r io.Reader, m *mood) *standReader {
	given := 0
	return &standReader{of: r, read: func(p []byte) (int, error) {
		if len(p) == 0 {
			return 0, nil
		}
		piece := 1 + m.at
		switch m.manner {
		case failing, panicking:
			if piece = failAfter[m.at] - given; piece <= 0 {
				if m.manner == panicking {
					panic(panicPassed)
				}
				return 0, errPassed
			}
		case reentrant:
			if given == 0 {
				m.strikes(m.at)
			}
			piece = len(p)
		}
		n, err := r.Read(p[:min(len(p), piece)])
		given += n
		return n, err
	}}
}

// readsAhead reports whether a difference is where a reader is left, and the base
// leaves it elsewhere when it gives one byte at a time: then how far it is read is a
// matter of buffers, which a caller cannot rely on.
func (d *drive) readsAhead(sc *script, x diff) bool {
	f := d.f
	for _, i := range f.Readers {
		if x.part != f.param(i) && x.part != f.param(i)+internalState {
			continue
		}
		one := &script{steps: sc.steps[x.step : x.step+1], seed: sc.seed, apart: sc.apart}
		whole, ok := f.leftOf(one, i)
		one.mood = &mood{manner: sparing}
		if little, ok2 := f.leftOf(one, i); ok && ok2 && little != whole {
			f.ignored[x.part] = true
			f.notes[f.param(i)+": how far it is read, which depends on buffers in the base"] = true
			return true
		}
	}
	return false
}

// leftOf returns how much the base leaves in a reader.
func (f *function) leftOf(sc *script, i int) (n int, ok bool) {
	t := f.play(sc, baseOf, deadline)
	if t.err != nil || len(t.steps) == 0 || !t.steps[0].normal() || i >= len(t.steps[0].args) {
		return 0, false
	}
	r := t.steps[0].args[i]
	if s, stands := r.(*standReader); stands {
		r = s.of
	}
	l, ok := r.(interface{ Len() int })
	if !ok {
		return 0, false
	}
	return l.Len(), true
}

// readers puts readers that do as the mood wants in the place of arguments that
// may be any.
func (f *function) readers(args []any, m *mood) {
	if m == nil {
		return
	}
	for _, i := range f.Readers {
		if i >= len(args) {
			continue
		}
		if r, ok := args[i].(io.Reader); ok {
			args[i] = standingFor(r, m)
		}
	}
}
