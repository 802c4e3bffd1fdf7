package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCount(t *testing.T) {
	lines := []string{"", "1.2.3.4 x", "1.2.3.4", "1.2.3.4 \xff\xfe", "\xff1.2.3.4 x", "٣.2.3.4 x", "1.2.3 x\x00"}
	for i := range lines {
		for j := range lines {
			log := []byte(strings.Join([]string{lines[i], lines[j], lines[i]}, "\n"))
			kept := string(log)
			if a, b := before.Count(log), after.Count(log); a != b {
				t.Errorf("%q: %d, then %d", log, a, b)
			}
			if string(log) != kept {
				t.Errorf("%q was changed", kept)
			}
		}
	}
}
