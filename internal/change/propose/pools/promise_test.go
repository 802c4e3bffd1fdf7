package pools

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// What documentation says about keeping a parameter is read sentence by
// sentence; what is not clearly a ban is none.
func TestPromised(t *testing.T) {
	cases := map[string]string{
		"Put takes items.": "",
		"Implementations must not retain the items slice.":            "forbids",
		"Put must not modify or retain items.":                        "forbids",
		"The slice may not be kept after Put returns.":                "forbids",
		"Put never keeps its arguments.":                              "forbids",
		"Implementations mustn't hold on to items.":                   "forbids",
		"The slice is only valid until Put returns.":                  "forbids",
		"The items must not be used after Put has returned.":          "forbids",
		"The passed items are held after this call returns.":          "allows",
		"Put must not modify items but keeps them.":                   "allows",
		"Put may retain items.":                                       "allows",
		"Put must not block; the buffer is kept until the next call.": "allows",
		"Put does not retain the connection.":                         "",
	}
	docs, ar := slices.Sorted(maps.Keys(cases)), new(txtar.Archive) // all in one module, since loading takes longest
	for i, doc := range docs {
		src := fmt.Sprintf("package x\n\ntype Sink interface {\n\t// %s\n\tPut(items []int)\n}\n\nfunc put(s Sink) { s.Put(nil) }\n", doc)
		ar.Files = append(ar.Files, txtar.File{Name: fmt.Sprintf("x%d/x.go", i), Data: []byte(src)})
	}
	p := provetest.Load(t, provetest.Extract(t, ar))
	for i, doc := range docs {
		want := cases[doc]
		fn := p.Funcs[fmt.Sprintf("example.test/m/x%d.put", i)]
		target := code.Callee(fn.Info(), fn.Decl.Body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr))
		pr := promised(p, target, 0)
		got := ""
		switch {
		case pr.forbids != "" && pr.allows == "":
			got = "forbids"
		case pr.allows != "":
			got = "allows"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
		if said := pr.forbids + pr.allows; said != strings.TrimSuffix(doc, ".") && want != "" {
			t.Errorf("%q: quoted as %q", doc, said)
		}
	}
}
