package guard

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// With -test.v a test logs before it fails, and those that pass log, too.
func TestWhatFailed(t *testing.T) {
	const out = `=== RUN   TestA
    m_test.go:3: fine
--- PASS: TestA (0.00s)
=== RUN   TestB
=== RUN   TestB/one
    m_test.go:7: got 36, want 28
--- FAIL: TestB (0.00s)
    --- FAIL: TestB/one (0.00s)
=== RUN   TestC
    m_test.go:9: late
panic: boom
`
	want := "--- FAIL: TestB (0.00s)\n    --- FAIL: TestB/one (0.00s)\n    m_test.go:7: got 36, want 28\npanic: boom"
	if diff := cmp.Diff(want, whatFailed(2, []byte(out))); diff != "" {
		t.Error(diff)
	}
	const plain = "--- FAIL: TestB (0.00s)\n    m_test.go:7: got 36, want 28\nFAIL\n"
	if diff := cmp.Diff("--- FAIL: TestB (0.00s)\n    m_test.go:7: got 36, want 28", whatFailed(1, []byte(plain))); diff != "" {
		t.Error(diff)
	}
}
