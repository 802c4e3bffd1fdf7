package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	parts := []string{"", "0", "v1", "22", "-3", "x", "ä", "\xff"}
	for _, x := range parts {
		for _, y := range parts {
			for _, z := range parts {
				for _, version := range []string{x, x + "." + y, strings.Join([]string{x, y, z}, "."), strings.Repeat(x+"."+y+".", 5) + z} {
					numbers, ok := before.Parse(version)
					if again, same := after.Parse(version); again != numbers || same != ok {
						t.Errorf("%q: %v %t, then %v %t", version, numbers, ok, again, same)
					}
				}
			}
		}
	}
}
