package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// Documents whose members have the types that an order has.
func TestTotal(t *testing.T) {
	for _, doc := range []string{`{}`, `null`, `{"user":"a"}`, `{"lines":[]}`, `{"lines":[{"price":2,"count":3}],"freight":1}`, `{"other":1}`, `{`, ``} {
		u1, a1, err1 := before.Total([]byte(doc))
		if u2, a2, err2 := after.Total([]byte(doc)); u1 != u2 || a1 != a2 || (err1 == nil) != (err2 == nil) {
			t.Errorf("%s: %s %v %v, then %s %v %v", doc, u1, a1, err1, u2, a2, err2)
		}
	}
}
