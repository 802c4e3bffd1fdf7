package equal

import (
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestNew(t *testing.T) {
	var args []string
	for range 20 {
		x, y := before.New("p", "vet", args), after.New("p", "vet", args)
		if !slices.Equal(x.Args, y.Args) || x.Args == nil || y.Args == nil {
			t.Errorf("%q, then %q", x.Args, y.Args)
		}
		args = append(args, "x")
	}
}
