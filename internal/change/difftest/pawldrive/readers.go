package pawldrive

import "io"

// A standReader stands for an io.Reader that was recorded, and gives what is in
// it as a mood wants. It has nothing to compare: how much was asked for at a time
// is the algorithm's own business.
type standReader struct{ read func([]byte) (int, error) }

func (r *standReader) Read(p []byte) (int, error) { return r.read(p) }

// failAfter is after how many bytes a reader fails, by when its mood strikes.
var failAfter = [moodTimes]int{0, 1, 3, 7, 20}

// standingFor gives what r has in small pieces, and fails or panics after a
// number of bytes, which lies in the middle as often as not.
func standingFor(r io.Reader, m *mood) *standReader {
	given := 0
	return &standReader{func(p []byte) (int, error) {
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
