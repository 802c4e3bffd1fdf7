package outside

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// A node is what of the schema is held to the program.
type node struct {
	Ref        string          `json:"$ref"`
	Defs       map[string]node `json:"$defs"`
	Properties map[string]node
	Required   []string
	Items      *node
}

// The schema has the fields of the question and of the answer, and says which
// of them may be left out.
func TestSchema(t *testing.T) {
	data, err := os.ReadFile("../../../../docs/propose.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema node
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Proposals []model.Proposal `json:"proposals"`
		Cost      float64          `json:"cost,omitempty"`
	}
	same(t, schema, schema.Defs["request"], reflect.TypeFor[Request](), "request")
	same(t, schema, schema.Defs["answer"], reflect.TypeFor[answer](), "answer")
}

func same(t *testing.T, schema, n node, typ reflect.Type, at string) {
	t.Helper()
	if name, ok := strings.CutPrefix(n.Ref, "#/$defs/"); ok {
		n = schema.Defs[name]
	}
	if typ.Kind() == reflect.Slice && n.Items != nil {
		same(t, schema, *n.Items, typ.Elem(), at+"[]")
		return
	}
	if typ.Kind() != reflect.Struct {
		return
	}
	names := 0
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		p, ok := n.Properties[name]
		if !ok || slices.Contains(n.Required, name) != (options == "") {
			t.Errorf("%s: the schema has %s: %t; required: %t, in the program %q", at, name, ok, slices.Contains(n.Required, name), options)
			continue
		}
		names++
		same(t, schema, p, f.Type, at+"."+name)
	}
	if names != len(n.Properties) {
		t.Errorf("%s: the schema has %d fields, and the program %d", at, len(n.Properties), names)
	}
}
