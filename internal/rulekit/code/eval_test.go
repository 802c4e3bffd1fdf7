package code

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// What evaluating an expression does, for a fix that moves code and for one that puts
// it where it may not run.
func TestEval(t *testing.T) {
	const head = `package x
type point struct { x int; in any }
func (point) value() int
func (*point) pointer() int
type embeds struct { *point }
type holds struct { point }
func f() int
var (i, n int; b []byte; p *point; q *point; s point; e embeds; h, r *holds; a any; err error; m map[any]int; c chan int; text string)
var v = `
	for src, want := range map[string]struct {
		grade Grade
		plain Grade // with Plain, and p known not to be nil
	}{
		"i + n":           {NoLoss, NoLoss},
		"i / n":           {PanicLoss, PanicLoss},
		"i / 2":           {PanicLoss, PanicLoss},
		"len(text)":       {NoLoss, NoLoss},
		"min(i, n)":       {NoLoss, NoLoss},
		"string(b)":       {NoLoss, NoLoss},
		"[2]byte(b)":      {PanicLoss, PanicLoss},
		"(*[2]byte)(b)":   {PanicLoss, PanicLoss},
		"p.x":             {PanicLoss, NoLoss},
		"q.x":             {PanicLoss, PanicLoss},
		"s.x":             {NoLoss, NoLoss},
		"e.x":             {PanicLoss, PanicLoss},
		"p == q":          {NoLoss, NoLoss},
		"a == 1":          {PanicLoss, PanicLoss},
		"err == nil":      {NoLoss, NoLoss},
		"nil == err":      {NoLoss, NoLoss},
		"s == s":          {PanicLoss, PanicLoss},
		"b[0]":            {PanicLoss, PanicLoss},
		"b[i:]":           {PanicLoss, PanicLoss},
		"<-c":             {AnyLoss, AnyLoss},
		"f()":             {AnyLoss, AnyLoss},
		"len(b[f():])":    {AnyLoss, AnyLoss},
		"&s":              {NoLoss, AnyLoss},
		"func() { f() }":  {NoLoss, AnyLoss},
		"point{x: i}":     {NoLoss, AnyLoss},
		"point{x: i / n}": {PanicLoss, AnyLoss},
		"[]int{f()}":      {AnyLoss, AnyLoss},
		"a.(int)":         {PanicLoss, PanicLoss},

		"s.value()":   {NoLoss, NoLoss},
		"p.value()":   {PanicLoss, NoLoss},
		"q.value()":   {PanicLoss, PanicLoss},
		"q.pointer()": {NoLoss, NoLoss},
		"e.value()":   {PanicLoss, PanicLoss},
		"e.pointer()": {NoLoss, NoLoss},
		"h.pointer()": {PanicLoss, PanicLoss},
		"r.value()":   {PanicLoss, PanicLoss},

		"map[any]int{a: i}": {PanicLoss, AnyLoss},
		"map[int]any{i: a}": {NoLoss, AnyLoss},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "x.go", head+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Uses: map[*ast.Ident]types.Object{}}
		if _, err := new(types.Config).Check("x", fset, []*ast.File{file}, info); err != nil {
			t.Fatal(src, err)
		}
		decl := file.Decls[len(file.Decls)-1].(*ast.GenDecl)
		x := decl.Specs[0].(*ast.ValueSpec).Values[0]
		eval := Eval{Info: info, Call: func(call *ast.CallExpr) Loss {
			if _, method := call.Fun.(*ast.SelectorExpr); method {
				return Loss{}
			}
			return Loss{AnyLoss, "a call"}
		}}
		if got := eval.Of(x); got.Grade != want.grade || (got.Why == "") != (got.Grade == NoLoss) {
			t.Errorf("%s: %v, want %d", src, got, want.grade)
		}
		eval.Plain, eval.NotNil = true, func(x ast.Expr) bool { return types.ExprString(x) == "p" }
		if got := eval.Of(x); got.Grade != want.plain {
			t.Errorf("%s, plain: %v, want %d", src, got, want.plain)
		}
	}
}
