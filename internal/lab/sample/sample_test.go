package sample

import (
	"fmt"
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
