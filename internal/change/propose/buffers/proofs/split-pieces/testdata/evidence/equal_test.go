package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestOptions(t *testing.T) {
	pieces := []string{"", "name", "omitempty", "inline ", "string", "\xff", "ä"}
	for _, x := range pieces {
		for _, y := range pieces {
			for _, z := range pieces {
				for _, tag := range []string{x, x + "," + y, strings.Join([]string{x, y, z}, ",")} {
					name, n := before.Options(tag)
					if again, m := after.Options(tag); again != name || m != n {
						t.Errorf("%q: %q with %d options, then %q with %d", tag, name, n, again, m)
					}
				}
			}
		}
	}
}
