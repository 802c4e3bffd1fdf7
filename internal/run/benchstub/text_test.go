package benchstub

import (
	"strings"
	"testing"
)

func TestSummaryCountsInputs(t *testing.T) {
	for n, want := range map[int]string{1: "inputs: 1 was recorded in the tests of m\n", 4: "inputs: 4 different ones were recorded in the tests of m\n"} {
		s := Stub{Recorded: Recorded{Tests: "m", Inputs: n}}
		if got := s.Summary(); !strings.Contains(got, want) {
			t.Errorf("%d inputs: %q is missing in\n%s", n, want, got)
		}
	}
}
