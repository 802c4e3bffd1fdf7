package main

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/evidence"
)

func TestEvidenceCode(t *testing.T) {
	const holds, weaker, gone, open, failed = evidence.Holds, evidence.Weaker, evidence.NotThere, evidence.Undecided, evidence.Failed
	for _, tt := range []struct {
		verdicts []evidence.Verdict
		stopped  string
		want     int
	}{
		{nil, "", exitOK}, // all that was named is exempt
		{[]evidence.Verdict{holds, weaker}, "", exitOK},
		{[]evidence.Verdict{holds, gone, open, failed}, "", exitFindings},
		{[]evidence.Verdict{holds, open, failed}, "", exitFailed},
		{[]evidence.Verdict{holds, open}, "budget", exitUndecided},
		{[]evidence.Verdict{holds, open}, "interrupted", exitFailed},
	} {
		rep := &evidence.Report{Stopped: tt.stopped}
		for _, v := range tt.verdicts {
			rep.Results = append(rep.Results, evidence.Result{Verdict: v})
		}
		if got := evidenceCode(rep); got != tt.want {
			t.Errorf("%v: exit code %d, want %d", tt.verdicts, got, tt.want)
		}
	}
}
