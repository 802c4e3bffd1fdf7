package hints

import (
	"go/ast"
	"go/parser"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// What is said must not be up to the order of a map.
func TestOrder(t *testing.T) {
	a, b, c := model.Benchmark{Pkg: "p", Name: "A"}, model.Benchmark{Pkg: "p", Name: "B"}, model.Benchmark{Pkg: "p", Name: "C"}
	for range 50 {
		if got := (shares{c: 0.5, b: 0.5, a: 0.25}).busiest(); got != b {
			t.Fatalf("%v has the greatest share, want %v", got, b)
		}
	}
	x, err := parser.ParseExpr("a[i][j]")
	if err != nil {
		t.Fatal(err)
	}
	outer, inner := check{expr: x}, check{expr: x.(*ast.IndexExpr).X}
	if inner.compare(outer) >= 0 || outer.compare(inner) <= 0 || inner.compare(inner) != 0 {
		t.Error("a[i] does not stand before a[i][j]")
	}
	slice := outer
	slice.note.Message = "Found IsSliceInBounds"
	if outer.compare(slice) == 0 {
		t.Error("two checks of one expression have no order")
	}
}
