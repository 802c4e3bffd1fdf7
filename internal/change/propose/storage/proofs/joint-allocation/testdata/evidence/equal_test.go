package equal

import (
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// Streams grow beyond the room that they begin with, and stay apart from each other.
func TestStreams(t *testing.T) {
	a, b := before.Open("a", "/"), after.Open("a", "/")
	c, d := before.Open("c", "/x"), after.Open("c", "/x")
	for i := range 40 {
		if x, y := a.Read("12345"), b.Read("12345"); x != y {
			t.Fatalf("%d: before %d, after %d", i, x, y)
		}
	}
	if x, y := append(c.Path(), "more"), append(d.Path(), "more"); !slices.Equal(x, y) || !slices.Equal(c.Path(), d.Path()) {
		t.Errorf("before %v, after %v", x, y)
	}
	if *a.Stats != before.Stats(*b.Stats) || *c.Stats != before.Stats(*d.Stats) {
		t.Errorf("before %v and %v, after %v and %v", *a.Stats, *c.Stats, *b.Stats, *d.Stats)
	}
}
