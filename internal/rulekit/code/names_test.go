package code

import "testing"

func TestLowerName(t *testing.T) {
	for in, want := range map[string]string{"Encrypt": "encrypt", "URLFor": "urlFor", "ID": "id", "sum": "sum", "ID2": "id2", "H2Parse": "h2Parse"} {
		if got := LowerName(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
