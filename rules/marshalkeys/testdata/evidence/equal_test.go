package equal

import (
	"encoding/json"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzEncode(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"b":1,"a":{"d":[{"z":null},{}],"c":"<&>"}}`, `[{"a":1.5e300}]`, `null`, `{"":{"\u2028":"\u0000"}}`, `{"B":1,"a":2,"ä":3,"aa":4,"\ud800":5}`, `"x"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var doc any
		if json.Unmarshal(data, &doc) != nil {
			t.Skip("not a document")
		}
		want, err1 := before.Encode(before.From(doc))
		got, err2 := after.Encode(after.From(doc))
		if string(want) != string(got) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%s: %s %v, then %s %v", data, want, err1, got, err2)
		}
	})
}

func TestFailure(t *testing.T) {
	doc := map[string]any{"a": func() {}}
	_, err1 := before.Encode(before.From(doc))
	_, err2 := after.Encode(after.From(doc))
	if err1 == nil || err2 == nil {
		t.Errorf("%v, then %v", err1, err2)
	}
}
