package equal

import (
	"bytes"
	"errors"
	"io"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

type full struct{ bytes.Buffer }

func (f *full) Write(b []byte) (int, error) {
	if f.Len() > 4 {
		return 0, errors.New("full")
	}
	return f.Buffer.Write(b)
}

func (f *full) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func TestLines(t *testing.T) {
	for _, lines := range [][]string{nil, {""}, {"a"}, {"a", "long line", "\xff"}} {
		var b, a full
		bErr, aErr := before.Lines(&b, lines), after.Lines(&a, lines)
		if b.String() != a.String() || (bErr == nil) != (aErr == nil) {
			t.Errorf("%q: %q %v, then %q %v", lines, b.String(), bErr, a.String(), aErr)
		}
		if err := after.Lines(io.Discard, lines); err != nil {
			t.Error(err)
		}
	}
}
