package equal

import (
	"bytes"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestErrors(t *testing.T) {
	for _, text := range []string{"", "error", "erro\nerror\n\xff error", "no\n\n"} {
		lines := append(bytes.Split([]byte(text), []byte("\n")), nil)
		if b, a := before.Errors(lines), after.Errors(lines); a != b {
			t.Errorf("%q: %d, then %d", text, b, a)
		}
	}
}
