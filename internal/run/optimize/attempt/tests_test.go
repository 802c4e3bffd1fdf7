package attempt

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A check that a test by chance has ended says which test, and how to see it.
func TestByChance(t *testing.T) {
	pkg := gocmd.Package{ImportPath: "example.com/m"}
	for _, tt := range []struct {
		check, test  string
		runs         int
		reason, call string
	}{
		{"tests", "TestF", 1, "tests: TestF fails without the change, too, 1 of 1 time", "go test -count=20 -run '^TestF$' example.com/m;"},
		{"race", "TestF", 3, "race: TestF fails without the change, too, 1 of 3 times", "go test -count=20 -race -run '^TestF$' example.com/m;"},
		{"tests", "example.com/m", 2, "tests: example.com/m fails without the change, too, 1 of 2 times", "go test -count=20 example.com/m;"},
	} {
		c := model.Check{Name: tt.check}
		a := new(Attempt).of(subject{policy: Own(model.Change{}), p: &Prover{}})
		a.failing = &guard.Failing{Pkg: pkg}
		a.byChance(&c, tt.test, tt.runs)
		w := chanceWarning(c, pkg, tt.test)
		if a.Reason != tt.reason || len(c.Chance) != 1 || !strings.HasPrefix(w.Try, tt.call) {
			t.Errorf("%q, %q, %q; want %q, %q", a.Reason, c.Chance, w.Try, tt.reason, tt.call)
		}
	}
}
