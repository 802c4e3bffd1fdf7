package callers

import (
	"go/types"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis/analysistest"
)

func TestCallers(t *testing.T) {
	res := analysistest.Run(t, analysistest.TestData(), Analyzer, "a")[0]
	c := res.Result.(*Callers)
	got := map[string]string{}
	scope := res.Pass.Pkg.Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok {
			continue
		}
		text := ""
		if cond := c.OnRequest(f); cond.Holds {
			text += "request "
		}
		if cond := c.InLoop(f); cond.Holds {
			text += cond.Why + " "
		}
		if c.OnlyAtStart(f) {
			text += "start"
		}
		if text != "" {
			got[name] = text
		}
	}
	want := map[string]string{
		"handle": "request ", "lookup": "request ", "fromLiteral": "request ", "register": "request start", // the literal is register's code
		"each": "called in a loop at a.go:24 start", "below": "called in a loop at a.go:24 start", "initClause": "start", "setup": "start", "table": "start",
		"main": "start", "loops": "start",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
