package prove

import (
	"testing"
)

func TestLowerCamel(t *testing.T) {
	for in, want := range map[string]string{"Encrypt": "encrypt", "URLFor": "urlFor", "ID": "id", "sum": "sum"} {
		if got := code.LowerName(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
