package prisoner

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMain tries all ways out in every process: of tests, benchmarks, profiles,
// coverage, the race detector and what drives two versions. A way that leads out
// fails the process, and what it says is in pawl's output.
func TestMain(m *testing.M) {
	plant()
	failed := false
	for _, w := range ways() {
		if slices.Contains(os.Args, "-test.list=.") || slices.Contains(strings.Split(allowed, ","), w.name) {
			continue
		}
		if err := w.try(); err == nil {
			fmt.Printf("panic: ESCAPED by %s\n", w.name)
			failed = true
		} else if verbose {
			fmt.Printf("kept in: %s: %v\n", w.name, err)
		}
	}
	if failed {
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestJoin(t *testing.T) {
	if got := Join([]string{"a", "b"}); got != "AB" {
		t.Errorf("got %q", got)
	}
}

func BenchmarkJoin(b *testing.B) {
	words := strings.Fields(strings.Repeat("word ", 100))
	b.ReportAllocs()
	for b.Loop() {
		Join(words)
	}
}
