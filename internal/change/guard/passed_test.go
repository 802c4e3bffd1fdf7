package guard

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What passed before a run was ended is known, subtests apart.
func TestPassed(t *testing.T) {
	out := "=== RUN   TestA\n    --- PASS: TestA/sub (0.20s)\n--- PASS: TestA (1.50s)\n--- FAIL: TestB (0.00s)\n--- PASS: ExampleC (0.00s)\n=== RUN   TestD\n"
	want := []Passed{{"TestA", 1500 * time.Millisecond}, {"ExampleC", 0}}
	if diff := cmp.Diff(want, passed([]byte(out))); diff != "" {
		t.Error(diff)
	}
}

// A test that waits for others is not the one that took the time, nor is a subtest.
func TestStuck(t *testing.T) {
	out := `=== RUN   TestQuick
--- PASS: TestQuick (0.00s)
=== RUN   TestWaits
=== PAUSE TestWaits
=== RUN   TestGoesOn
=== PAUSE TestGoesOn
=== RUN   TestFails
    a_test.go:1: no
--- FAIL: TestFails (0.01s)
=== RUN   TestSlow
=== RUN   TestSlow/sub
    --- PASS: TestSlow/sub (0.00s)
=== CONT  TestGoesOn
`
	if diff := cmp.Diff([]string{"TestGoesOn", "TestSlow"}, stuck([]byte(out))); diff != "" {
		t.Error(diff)
	}
}
