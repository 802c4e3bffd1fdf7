package equal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	after "evidence/after"
	before "evidence/before"
)

func FuzzForward(f *testing.F) {
	for _, s := range []string{"", "a", strings.Repeat("line\n", 1000), strings.Repeat("x", 32<<10), strings.Repeat("y", 100_000), "\x00\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, wrap := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
			var b1, b2 bytes.Buffer
			e1 := before.Forward(&b1, wrap(strings.NewReader(s)))
			e2 := after.Forward(&b2, wrap(strings.NewReader(s)))
			if fmt.Sprint(e1) != fmt.Sprint(e2) || b1.String() != b2.String() {
				t.Errorf("%d bytes %v, then %d bytes %v", b1.Len(), e1, b2.Len(), e2)
			}
		}
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestErrors(t *testing.T) {
	broken := func() io.Reader { return iotest.ErrReader(errors.New("broken")) }
	if e1, e2 := before.Forward(io.Discard, broken()), after.Forward(io.Discard, broken()); fmt.Sprint(e1) != fmt.Sprint(e2) {
		t.Errorf("reading: %v, then %v", e1, e2)
	}
	if e1, e2 := before.Forward(full{}, strings.NewReader("x")), after.Forward(full{}, strings.NewReader("x")); fmt.Sprint(e1) != fmt.Sprint(e2) {
		t.Errorf("writing: %v, then %v", e1, e2)
	}
}
