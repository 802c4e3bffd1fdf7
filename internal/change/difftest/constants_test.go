package difftest

import (
	"strings"
	"testing"
)

// TestConstants: what a changed function compares its input with is tried,
// also where another changed function has the constant.
func TestConstants(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	base := `package m

func Number(n int) int { return n + 1 }

func Real(x float64) float64 { return x + 1 }

func Text(s string) int { return len(s) }

func Outer(n int) int { return n * 2 }

func odd(n int) bool { return false }
`
	cand := strings.NewReplacer(
		"{ return n + 1 }", "{\n\tif n == 7771 {\n\t\treturn 0\n\t}\n\treturn 1 + n\n}",
		"{ return x + 1 }", "{\n\tif x > 8881 && x < 8883 {\n\t\treturn 0\n\t}\n\treturn 1 + x\n}",
		"{ return len(s) }", "{\n\tif s == \"a rare word\" {\n\t\treturn 0\n\t}\n\treturn 0 + len(s)\n}",
		"{ return n * 2 }", "{\n\tif odd(n) {\n\t\treturn 0\n\t}\n\treturn 2 * n\n}",
		"{ return false }", "{ return n == rare }\n\nconst rare = 9 * 1111",
	).Replace(base)
	tests := `package m

import "testing"

func TestAll(t *testing.T) {
	for n := range 3 {
		Number(n)
		Real(float64(n))
		Text("some"[:n])
		Outer(n)
	}
}
`
	m := newModule(t, map[string]string{"m.go": base, "m_test.go": tests}, map[string]string{"m.go": cand})
	found, _ := m.run(t)
	for _, name := range []string{"Number", "Real", "Text", "Outer"} {
		if d := found[name]; d.OK() {
			t.Errorf("%s: equal in %d pairs", name, d.Pairs)
		}
	}
}
