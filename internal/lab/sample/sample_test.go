package sample

import (
	"fmt"
	"slices"
	"testing"
)

// About one case in n is drawn, every case sooner or later, and with one commit always the same ones.
func TestDrawn(t *testing.T) {
	const commits, n = 3000, 4
	for _, name := range []string{"TestA/one", "TestA/two", "TestB"} {
		count := 0
		for i := range commits {
			if drawn(fmt.Sprintf("%040x", i), name, n) {
				count++
			}
		}
		if count < commits/n*8/10 || count > commits/n*12/10 {
			t.Errorf("%s was drawn with %d of %d commits", name, count, commits)
		}
	}
	if !drawn("", "TestA", 1) {
		t.Error("one case in one is every case")
	}
}

// A part has one case in n, in their order, and every case is in some part.
func TestPart(t *testing.T) {
	cases, seen := []string{"a", "b", "c", "d", "e", "f", "g"}, map[string]bool{}
	for i := range 100 {
		got := part(fmt.Sprintf("%040x", i), cases, 3)
		if len(got) != 3 || !slices.IsSorted(got) {
			t.Fatalf("one in 3 of %q is %q", cases, got)
		}
		for _, c := range got {
			seen[c] = true
		}
	}
	if len(seen) != len(cases) {
		t.Errorf("in 100 commits only %v were drawn", seen)
	}
}
