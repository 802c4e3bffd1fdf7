package code

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

const loops = `package a

type s struct { f int; g string }
type o struct { s }

func use(...any) {}

func sameParameter(n int) { for range 3 { use(n) } }
func sameBefore(n int) { n = 2; for range 3 { use(n + 1) } }
func sameOwn() { func() { n := 1; n = 2; for range 3 { use(n) } }() }
func changesInLoop(n int) { for range 3 { use(n); n++ } }
func changesByLiteral(n int) { f := func() { n = 2 }; for range 3 { f(); use(n) } }
func changesAround(n int) { go func() { for range 3 { use(n) } }(); n = 2 }
func changesByAddress(n int) { p := &n; for range 3 { *p = 2; use(n) } }
func changesElement[A ~[2]int](a A) { for range 3 { use(a); a[0]++ } }
func changesSome[A ~[2]int | ~[3]int](a A) { for range 3 { use(a); a[0]++ } }
func sameElement[S ~[]int](a S) { for range 3 { use(a); a[0]++ } }
func changesBehind(p *s) { for range 3 { use(p.f) } }

func storesField(p *s) { p.f = 1 }
func storesStep(p *s) { p.f++ }
func storesWhole(p, q *s) { *p = *q }
func storesThrough(i *int) { *i = 1 }
func storesElement(xs []o, x o) { xs[0] = x }
func storesCopy(xs, ys []s) { copy(xs, ys) }
func storesParameter[T any](xs []T, x T) { xs[0] = x }
func storesParameters[T any, S ~[]T](xs, ys S) { copy(xs, ys) }
func storesCleared[X ~[]s | ~map[int]int](xs X) { clear(xs) }
func keepsNumbers[S ~[]int](xs, ys S) { copy(xs, ys) }
func keepsOther(p *s) { p.g = "" }
func keepsNew() { v := s{}; use(v) }
`

// What the functions' names say of the argument of use in their loop, and of the field f.
func TestLoops(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", loops, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("a", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	ix := index.New(inspector.New([]*ast.File{file}), info, pkg)
	f := pkg.Scope().Lookup("s").Type().Underlying().(*types.Struct).Field(0)
	for fd := range All[*ast.FuncDecl](file) {
		name := fd.Name.Name
		for loop := range All[*ast.RangeStmt](fd) {
			for call := range All[*ast.CallExpr](loop) {
				if len(call.Args) == 1 && Invariant(ix, info, call.Args[0], loop) != strings.HasPrefix(name, "same") {
					t.Errorf("%s: the argument is said to be the same, or not, and it is not so", name)
				}
			}
		}
		if stores := Stores(info, fd, []*types.Var{f}, true) != nil; strings.HasPrefix(name, "stores") != stores && !strings.HasPrefix(name, "changes") {
			t.Errorf("%s: stores to the field: %t", name, stores)
		}
	}
}
