package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	all := "\x00\x00\x00\x01identity and what follows"
	for n := range len(all) + 1 {
		a, m, aErr := before.Parse([]byte(all[:n]))
		b, k, bErr := after.Parse([]byte(all[:n]))
		if a != before.Header(b) || m != k || aErr != bErr {
			t.Errorf("%d bytes: before %v, %d, %v, after %v, %d, %v", n, a, m, aErr, b, k, bErr)
		}
	}
}
