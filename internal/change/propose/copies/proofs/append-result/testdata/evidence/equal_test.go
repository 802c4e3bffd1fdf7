package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestEncode(t *testing.T) {
	a, b := &after.Value{Tag: 1}, &before.Value{Tag: 1}
	for i := range 300 {
		tag, text := uint(i*i*i), string(make([]byte, i%50))
		a = &after.Value{Tag: tag, Text: text, List: []*after.Value{a, {Tag: uint(i)}}}
		b = &before.Value{Tag: tag, Text: text, List: []*before.Value{b, {Tag: uint(i)}}}
		if x, y := after.Encode(a), before.Encode(b); string(x) != string(y) {
			t.Fatalf("%d: %q, then %q", i, y, x)
		}
	}
}
