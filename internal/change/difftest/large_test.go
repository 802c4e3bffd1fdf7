package difftest

import (
	"strings"
	"testing"
)

// A benchmark's own input is compared though it is too large to be copied often.
func TestLargeInput(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	// Both changes are of one module, so that one binary is linked: Kept behaves as before, and Lost does not.
	base := `package m

func Kept(p []byte) (n int) {
	for _, b := range p {
		n += int(b)
	}
	return n
}

func Lost(p []byte) (n int) {
	for _, c := range p {
		n += int(c)
	}
	return n
}
`
	test := `package m

import "testing"

var data = make([]byte, 5<<20)

func init() {
	for i := range data {
		data[i] = byte(i)
	}
}

func BenchmarkKept(b *testing.B) {
	for b.Loop() {
		Kept(data)
	}
}

func BenchmarkLost(b *testing.B) {
	for b.Loop() {
		Lost(data)
	}
}
`
	cand := strings.NewReplacer("for _, b := range p {\n\t\tn += int(b)", "for i := range p {\n\t\tn += int(p[i])",
		"for _, c := range p {", "for _, c := range p[:min(len(p), 2<<20)] {").Replace(base)
	found, _ := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": cand}).run(t)
	for name, ok := range map[string]bool{"Kept": true, "Lost": false} {
		if d := found[name]; d.Pairs == 0 || d.OK() != ok || d.Inputs != 1 {
			t.Errorf("%s: %d inputs, %d pairs, skipped %q, %+v", name, d.Inputs, d.Pairs, d.Skipped, d.Differences)
		}
	}
}
