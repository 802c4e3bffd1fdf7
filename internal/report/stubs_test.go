package report_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/stubs"
)

func TestSummaryCountsInputs(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "inputs: 1 was recorded in the tests of m\n", 4: "inputs: 4 different ones were recorded in the tests of m\n"} {
		s := model.Stub{Recorded: model.StubRecorded{Tests: "m", Inputs: n}}
		if got := stubs.Text(s); !strings.Contains(got, want) {
			t.Errorf("%d inputs: %q is missing in\n%s", n, want, got)
		}
	}
}
