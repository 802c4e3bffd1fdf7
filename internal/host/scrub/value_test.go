package scrub

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// A whole run: texts are scrubbed wherever they are, what is program or a name
// stays, and the run that was given stays whole.
func TestValue(t *testing.T) {
	made := func() *model.Run {
		return &model.Run{
			ID: "API_TOKEN=x", Args: []string{"-load", "hey -H 'Authorization: Bearer a1b2c3d4e5f6'"},
			Env:      model.Environment{Settings: map[string]string{"GOFLAGS": "-mod=mod", "NPM_TOKEN": "x1"}},
			Warnings: []model.Warning{{Seen: "dial postgres://ada:pa55@db: refused"}},
			Attempts: []model.Attempt{{
				Change:   model.Change{Edits: []model.Edit{{File: "a.go", New: `const password = "s3cr3t!"`}}},
				Checks:   []model.Check{{Name: "tests", Detail: "DB_PASSWORD=correct-horse-7\nok"}},
				Driven:   []model.Driven{{Func: "m.F", Differences: []model.Difference{{Input: `F("AKIAIOSFODNN7EXAMPLE")`, Base: "1"}}}},
				Verdicts: []model.Verdict{{Metric: "cpu/op", Change: -0.5}},
			}},
		}
	}
	run := made()
	got, n := Value(New(environment), run)
	want := made()
	want.Args[1] = "hey -H 'Authorization: Bearer «…»'"
	want.Env.Settings["NPM_TOKEN"] = mark
	want.Warnings[0].Seen = "dial postgres://ada:«…»@db: refused"
	want.Attempts[0].Checks[0].Detail = "DB_PASSWORD=«…»\nok"
	want.Attempts[0].Driven[0].Differences[0].Input = `F("«…»")`
	if diff := cmp.Diff(want, got); diff != "" || n != 5 {
		t.Errorf("%d taken out (-want +got):\n%s", n, diff)
	}
	if diff := cmp.Diff(made(), run); diff != "" {
		t.Errorf("the run itself was changed (-want +got):\n%s", diff)
	}
	if again, n := Value(New(environment), got); n != 0 || !cmp.Equal(got, again) {
		t.Errorf("scrubbed twice, %d more", n)
	}
	if got, n := Value[*model.Run](New(nil), nil); got != nil || n != 0 {
		t.Error("of nothing")
	}
}
