package equal

import (
	"encoding/json"
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// FuzzPrimaryKey leaves out documents whose other members have the wrong type,
// which is what the two differ in.
func FuzzPrimaryKey(f *testing.F) {
	for _, s := range []string{
		``, `{`, `null`, `[]`, `{}`, `{"primaryKey":{}}`, `{"primaryKey":null}`, `{"primaryKey":{"values":["a","b"]}}`, `{"PrimaryKey":{"VALUES":["a"]}}`,
		`{"primaryKey":{"values":[1]}}`, `{"fields":[{"name":"x","constraints":{"a":[1]}}],"primaryKey":{"values":["x"]}}`,
		`{"primaryKey":{"values":["a"]},"primaryKey":{"values":["b","c"]}}`, `{"primaryKey":{"values":["a"]}} x`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		want, err1 := before.PrimaryKey(raw)
		got, err2 := after.PrimaryKey(raw)
		var rest struct{ Fields []before.Field }
		if json.Valid(raw) && json.Unmarshal(raw, &rest) != nil {
			t.Skip("the fields are of another type")
		}
		if !slices.Equal(want, got) || (want == nil) != (got == nil) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%s: %q %v, then %q %v", raw, want, err1, got, err2)
		}
	})
}
