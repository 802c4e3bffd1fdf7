package equal

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	after "evidence/after"
	before "evidence/before"
)

func TestLines(t *testing.T) {
	for _, of := range []func() io.Reader{
		func() io.Reader { return strings.NewReader("") },
		func() io.Reader { return strings.NewReader(strings.Repeat("a\nbc", 50_000)) },
		func() io.Reader { return iotest.OneByteReader(strings.NewReader("a\nb\n")) },
		func() io.Reader { return iotest.ErrReader(errors.New("broken")) },
	} {
		n1, err1 := before.Lines(of())
		if n2, err2 := after.Lines(of()); n1 != n2 || (err1 == nil) != (err2 == nil) {
			t.Errorf("%d %v, then %d %v", n1, err1, n2, err2)
		}
	}
}
