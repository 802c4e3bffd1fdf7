package difftest

import (
	"strings"
	"testing"
)

// A benchmark's own input is compared though it is too large to be copied often.
func TestLargeInput(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	base := `package m

func Sum(p []byte) (n int) {
	for _, b := range p {
		n += int(b)
	}
	return n
}
`
	test := `package m

import "testing"

var data = make([]byte, 5<<20)

func BenchmarkSum(b *testing.B) {
	for i := range data {
		data[i] = byte(i)
	}
	for b.Loop() {
		Sum(data)
	}
}
`
	for _, c := range []struct {
		name, now string
		ok        bool
	}{
		{"equal", "for i := range p {\n\t\tn += int(p[i])", true},
		{"another result", "for _, b := range p[:min(len(p), 2<<20)] {\n\t\tn += int(b)", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newModule(t, map[string]string{"m.go": base, "m_test.go": test},
				map[string]string{"m.go": strings.Replace(base, "for _, b := range p {\n\t\tn += int(b)", c.now, 1)})
			found, _ := m.run(t)
			if d := found["Sum"]; d.Pairs == 0 || d.OK() != c.ok || d.Inputs != 1 {
				t.Errorf("%d inputs, %d pairs, skipped %q, %+v", d.Inputs, d.Pairs, d.Skipped, d.Differences)
			}
		})
	}
}
