package outside

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

const diff = "--- a/a.go\n+++ b/a.go\n@@ -3,2 +3,2 @@\n a\n-b\n+c\n"

func TestParse(t *testing.T) {
	one := []model.Proposal{{Diff: diff, Reason: "It is shorter."}}
	for _, tt := range []struct {
		name, out string
		want      []model.Proposal
		cost      float64
	}{
		{"nothing", "", nil, 0},
		{"prose", "I have no idea.\n- none at all\n", nil, 0},
		{"plain", "It is\n  shorter.\n" + diff, one, 0},
		{"fenced, with words after it", "It is shorter.\n\n```diff\n" + diff + "```\nGood luck!\n", one, 0},
		{"with CRLF", "It is shorter.\r\n" + strings.ReplaceAll(diff, "\n", "\r\n"), one, 0},
		{"cost", "It is shorter.\n" + diff + "cost: 0.25\n", one, 0.25},
		{"miscounted", "It is shorter.\n" + strings.Replace(diff, "-3,2 +3,2", "-3,9 +3,1", 1), one, 0},
		{"without counts", "It is shorter.\n" + strings.Replace(diff, "-3,2 +3,2 @@", "-3 +3 @@ func x", 1), one, 0},
		{"two", "It is shorter.\n" + diff + "\nAnother.\n" + diff, []model.Proposal{one[0], {Diff: diff, Reason: "Another."}}, 0},
		{"one of two files", "It is shorter.\n" + diff + strings.ReplaceAll(diff, "a.go", "b.go"),
			[]model.Proposal{{Diff: diff + strings.ReplaceAll(diff, "a.go", "b.go"), Reason: "It is shorter."}}, 0},
		{"git's", "It is shorter.\ndiff --git a/a.go b/a.go\nindex 1..2 100644\n" + diff,
			[]model.Proposal{{Diff: "diff --git a/a.go b/a.go\nindex 1..2 100644\n" + diff, Reason: "It is shorter."}}, 0},
		{"a mode", "diff --git a/a.go b/a.go\nold mode 100644\nnew mode 100755\n",
			[]model.Proposal{{Diff: "diff --git a/a.go b/a.go\nold mode 100644\nnew mode 100755\n"}}, 0},
		{"JSON", `{"proposals":[{"diff":"--- a/a.go\n+++ b/a.go\n@@ -3,2 +3,2 @@\n a\n-b\n+c\n","reason":"It is shorter.","cost":1}],"cost":0.5}`,
			[]model.Proposal{{Diff: diff, Reason: "It is shorter.", Cost: 1}}, 1.5},
		{"JSON of none", `{"proposals":[]}`, nil, 0},
		{"control characters", "It\x1b[31m is\x07 shorter.\u202e\n" + diff, []model.Proposal{{Diff: diff, Reason: "It[31m is shorter."}}, 0},
	} {
		a, err := parse([]byte(tt.out))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if len(a.Proposals)+len(tt.want) > 0 && !cmp.Equal(a.Proposals, tt.want) || a.Cost != tt.cost {
			t.Errorf("%s: cost %g, want %g; %s", tt.name, a.Cost, tt.cost, cmp.Diff(a.Proposals, tt.want))
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, out := range map[string]string{
		"bytes": "\xff\xfe\x00\x01", "a zero": "a\x00b", "broken JSON": `{"proposals":[`, "other JSON": `{"choices":[]}`,
		"a wrong type": `{"proposals":[{"diff":3}]}`, "a negative cost": `{"proposals":[{"diff":"x","cost":-1}]}`, "money back": `{"proposals":[],"cost":-1}`,
	} {
		if a, err := parse([]byte(out)); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if a, err := parse([]byte(strings.Repeat("why\n"+diff, 100))); err != nil || len(a.Proposals) != mostProposals || a.Left != 100-mostProposals {
		t.Errorf("of 100 proposals %d, %d are left; %v", len(a.Proposals), a.Left, err)
	}
}

// Whatever a proposer prints, reading it comes to an end, and what was read is
// within its bounds.
func FuzzParse(f *testing.F) {
	f.Add(diff)
	f.Add("why\n" + diff + "@@ -1 @@\n\n\n \\\n--- \n+++ \n@@ -")
	f.Add(`{"proposals":[{"diff":"--- a\n+++ b\n@@ -x"}]}`)
	f.Fuzz(func(t *testing.T, out string) {
		a, err := parse([]byte(out))
		if err == nil && (len(a.Proposals) > mostProposals || !(a.Cost >= 0)) {
			t.Errorf("%d proposals, cost %g", len(a.Proposals), a.Cost)
		}
	})
}

func TestParseLimit(t *testing.T) {
	got, err := ParseLimit("5 calls, 1 round,90s, 2.5 cost")
	if want := (Limit{Calls: 5, Rounds: 1, Cost: 2.5, Time: 90e9}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, l := range []Limit{got, DefaultLimit} {
		if again, err := ParseLimit(l.String()); err != nil || again != l {
			t.Errorf("%q is read as %+v, %v", l, again, err)
		}
	}
	for _, text := range []string{"", "20", "0 calls", "-1 rounds", "1.5 calls", "NaN cost", "0 cost", "3 pounds", "-2s"} {
		if l, err := ParseLimit(text); err == nil {
			t.Errorf("%q is read as %+v", text, l)
		}
	}
}
