package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/evidence"
)

func TestEvidenceCode(t *testing.T) {
	const holds, weaker, gone, open, failed = model.EvidenceHolds, model.EvidenceWeaker, model.EvidenceNotThere, model.EvidenceUndecided, model.EvidenceFailed
	for _, tt := range []struct {
		verdicts []model.EvidenceVerdict
		stopped  string
		want     int
	}{
		{nil, "", exitOK}, // all that was named is exempt
		{[]model.EvidenceVerdict{holds, weaker}, "", exitOK},
		{[]model.EvidenceVerdict{holds, gone, open, failed}, "", exitFindings},
		{[]model.EvidenceVerdict{holds, open, failed}, "", exitFailed},
		{[]model.EvidenceVerdict{holds, open}, "budget", exitUndecided},
		{[]model.EvidenceVerdict{holds, open}, "interrupted", exitFailed},
	} {
		rep := &model.Evidence{Stopped: tt.stopped}
		for _, v := range tt.verdicts {
			rep.Results = append(rep.Results, model.EvidenceResult{Verdict: v})
		}
		if got := evidenceCode(rep); got != tt.want {
			t.Errorf("%v: exit code %d, want %d", tt.verdicts, got, tt.want)
		}
	}
}

// docs/evidence.md has a row for each rule and transformation whose gain can be
// measured, with the claim that is made now, and names the others.
func TestEvidencePage(t *testing.T) {
	data, err := os.ReadFile("../../docs/evidence.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := chosen(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		page, want := string(data), fmt.Sprintf("\n| [%s](", r.Name)
		switch {
		case r.Missing != "":
			want = r.IDs[0]
		case evidence.Exempt(r) != "":
			want = fmt.Sprintf("[%s](rules.md#%[1]s) (", r.Name)
		}
		_, row, ok := strings.Cut(page, want)
		row, _, _ = strings.Cut(row, "\n")
		if !ok || evidence.Exempt(r) == "" && !strings.Contains(row, r.Evidence.Claimed) {
			t.Errorf("docs/evidence.md does not have %s as it is now; pawl evidence -merge writes it from runs", r.Name)
		}
	}
}
