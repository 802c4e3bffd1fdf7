package compare

import "testing"

func TestSome(t *testing.T) {
	all := []place{{name: "(*T).A"}, {name: "B"}, {name: "C"}, {name: "D"}, {name: "E"}}
	for n, want := range map[int]string{0: "", 1: "(*T).A", 3: "(*T).A, B, C", 5: "(*T).A, B, C and 2 more"} {
		if got := some(all[:n]); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
