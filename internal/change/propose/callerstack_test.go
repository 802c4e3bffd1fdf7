package propose

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/model"
)

// The compiler knows better how what is made leaves its function: it sees through packages that pawl does not read.
func TestCallerStackAsksTheCompiler(t *testing.T) {
	dir := t.TempDir()
	provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
	provetest.Write(t, dir, "x.go", []byte(`package x

import "math/big"

func square(list []int64) *big.Int {
	sum := new(big.Int).SetInt64(1)
	for _, n := range list {
		sum.SetInt64(n*n + n)
	}
	return sum
}

func made(list []int64) bool { return square(list) != nil }
`))
	for name, c := range map[string]struct {
		says string // the compiler's last word on line 6
		want int
	}{
		"nothing":   {"", 0},
		"returned":  {"from return sum (return)", 1},
		"otherwise": {"from kept = sum (assign)", 0},
	} {
		at := model.Pos{File: "x.go", Line: 6}
		target := model.Target{Resource: model.Allocs, At: at}
		if c.says != "" {
			target.Notes = []model.Note{{Kind: model.NoteEscape, Chain: []model.Pos{at}, Message: "new(big.Int) escapes to heap", Flow: []model.FlowStep{{At: at, Text: c.says}}}}
		}
		changes, refusals := kinds{"caller-stack"}.of(load(t, dir).Changes(target))
		if len(changes) != c.want {
			t.Errorf("%s: %d changes, want %d; refusals: %v", name, len(changes), c.want, refusals)
		}
		if c.want == 1 && len(changes) == 1 && !strings.HasSuffix(changes[0].Title, "move the rest to squareInto") {
			t.Errorf("%s: %q", name, changes[0].Title)
		}
	}
}
