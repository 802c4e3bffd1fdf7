package difftest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

const memoryBase = `package m

func Fill(n uint16, p []byte) int {
	grid := make([]byte, 0, 8)
	if n > 40_000 {
		grid = make([]byte, int(n)*int(n))
	}
	for i := range grid {
		grid[i] = 1
	}
	return len(p)
}

func Read(n uint16, p []byte) []byte {
	var out []byte
	for i := range min(int(n), len(p)) {
		out = append(out, p[i])
	}
	return out
}
`

const memoryTest = `package m

import "testing"

func TestBoth(t *testing.T) {
	for i := range 20 {
		Fill(uint16(i), []byte("some text"))
		Read(uint16(i), []byte("some text"))
	}
}
`

// TestMemory: what both sides need too much memory for is left out and named, and
// all else is compared; what the candidate alone needs it for is a difference.
func TestMemory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	cand := strings.NewReplacer("return len(p)", "return 0 + len(p)",
		"var out []byte", "out := make([]byte, 0, 40_000*int(n))").Replace(memoryBase)
	m := newModule(t, map[string]string{"m.go": memoryBase, "m_test.go": memoryTest}, map[string]string{"m.go": cand})
	m.cfg.NoRace, m.cfg.Memory = true, 1<<30
	found, _, err := m.plan(t).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found {
		t.Logf("%s: %d pairs, skipped %q, uncompared %q, %+v", d.Func, d.Pairs, d.Skipped, d.Uncompared, d.Differences)
		needs := func(text string) bool { return strings.Contains(text, "it needs more than 1024 MiB") }
		switch {
		case strings.HasSuffix(d.Func, "Read"):
			if !slices.ContainsFunc(d.Differences, func(x model.Difference) bool { return x.Kind == model.DiffPanic && needs(x.Candidate) }) {
				t.Error("Read: no difference")
			}
		case !d.OK() || d.Pairs < 900 || !slices.ContainsFunc(d.Uncompared, needs):
			t.Error("Fill: not compared, or the input is not named")
		}
	}
}
