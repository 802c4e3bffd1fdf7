package callers

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

func TestCallers(t *testing.T) {
	root, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	// Not analysistest, which type-checks net/http and all that it imports from source.
	env := append(os.Environ(), "GO111MODULE=off", "GOPATH="+root)
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: root, Env: env}, "a")
	if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
		t.Fatal(pkgs, err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{Analyzer}, pkgs, nil)
	if err != nil || graph.Roots[0].Err != nil {
		t.Fatal(graph, err)
	}
	c := graph.Roots[0].Result.(*Callers)
	got := map[string]string{}
	scope := pkgs[0].Types.Scope()
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
		"main": "start", "loops": "start", "byLiteral": "called in a loop at a.go:33 ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
