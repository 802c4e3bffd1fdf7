// Package unsafestring finds strings and slices of bytes that share memory by
// unsafe.
package unsafestring

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "unsafestring",
	Title: "string and slice of bytes that share memory by unsafe",
	IDs:   []string{"C58"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.A, Go: "go1.20",
	Why: "It saves a copy, and breaks the promise that strings do not change. A cast of the pointer relies on how the runtime lays out both, and a slice " +
		"that is cast from a string has a capacity that nobody set. As a map key, in a comparison and in a range the compiler saves the copy by itself.",
	WhenNot: "A profile shows that the copy costs, and nobody writes to the bytes while the string is in use.",
	Gap: "The fix of a cast keeps the memory shared, by unsafe.String, which does not rely on the layout. string(b) is the safe form, and costs the copy. " +
		"For a cast of a string to a slice there is no fix: its capacity would change.",
	Signature: "runtime.slicebytetostring in alloc_objects profiles is what it is meant to avoid",
	Evidence: &rule.Evidence{
		Exempt: "what is won is not speed: the safe conversion costs the copy that unsafe saves",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	if !p.Index.Imports("unsafe") {
		return
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.StarExpr)(nil)) {
		star := cur.Node().(*ast.StarExpr)
		from := cast(p, cur)
		if from == nil {
			continue
		}
		f := rule.Finding{
			Pos: star.Pos(), End: star.End(),
			Message: fmt.Sprintf("%s shares its memory by the layout of strings and slices: %s copies, and is safe", p.Source(from), safe(p, star, from)),
		}
		name, plain := qualifier(p.TypesInfo, star), code.SameVariable(p.TypesInfo, from, from) // a name, which is read twice
		if plain && name != "" && !code.Writes(p.TypesInfo, cur) && code.Predeclared(p.Pkg, star.Pos(), "len") && types.Identical(p.TypesInfo.TypeOf(star), types.Typ[types.String]) {
			text := fmt.Sprintf("%s.String(%[1]s.SliceData(%[2]s), len(%[2]s))", name, p.Source(from))
			f.Fixes = []analysis.SuggestedFix{{Message: "Use unsafe.String", TextEdits: []analysis.TextEdit{{Pos: star.Pos(), End: star.End(), NewText: []byte(text)}}}}
		}
		p.Report(f)
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.CallExpr)(nil)) {
		shares(p, cur.Node().(*ast.CallExpr))
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncDecl)(nil)) {
		headers(p, cur.Node())
	}
}

// headers reports a function that takes the header of a string for that of a slice, or the
// other way round, at the first of the two.
func headers(p *rule.Pass, fn ast.Node) {
	var first *ast.CallExpr
	kinds := map[string]bool{}
	for call := range code.All[*ast.CallExpr](fn) {
		if len(call.Args) != 1 || !p.TypesInfo.Types[call.Fun].IsType() || addressed(p.TypesInfo, call.Args[0]) == nil {
			continue
		}
		for _, name := range []string{"StringHeader", "SliceHeader"} {
			if t := p.TypesInfo.TypeOf(call); code.IsNamed(t, "reflect", name) {
				kinds[name] = true
				first = cmp.Or(first, call)
			}
		}
	}
	if len(kinds) == 2 {
		p.Report(rule.Finding{
			Pos: first.Pos(), End: first.End(),
			Message: "a string and a slice share their memory by the layout of both: a conversion copies, and is safe; unsafe.String and unsafe.Slice do not rely on the layout",
		})
	}
}

// shares reports unsafe.Slice(unsafe.StringData(s), len(s)).
func shares(p *rule.Pass, call *ast.CallExpr) {
	if code.Builtin(p.TypesInfo, call) != "Slice" || len(call.Args) != 2 {
		return
	}
	data, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	if !ok || code.Builtin(p.TypesInfo, data) != "StringData" {
		return
	}
	p.Report(rule.Finding{
		Pos: call.Pos(), End: call.End(),
		Message: fmt.Sprintf("the slice shares the memory of %s, and a write to it may end the program: []byte(%[1]s) copies, and is safe", p.Source(data.Args[0])),
	})
}

// cast returns x of *(*T)(unsafe.Pointer(&x)) where one of T and the type of x is a string
// and the other a slice of bytes, be the pointer made there, by a caller or by a function
// that it calls; nil for all else.
func cast(p *rule.Pass, cur inspector.Cursor) ast.Expr {
	star := cur.Node().(*ast.StarExpr)
	to, ok := ast.Unparen(star.X).(*ast.CallExpr)
	if !ok || len(to.Args) != 1 || !p.TypesInfo.Types[to.Fun].IsType() {
		return nil
	}
	for _, e := range code.Given(p.Index, p.TypesInfo, cur, to.Args[0]) {
		x := addressed(p.TypesInfo, e)
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && x == nil && len(call.Args) == 1 && code.Returned(p.Index, p.TypesInfo, e) != e {
			x = address(call.Args[0]) // of a function that makes a pointer of it
		}
		if x == nil {
			continue
		}
		a, b := p.TypesInfo.TypeOf(star), p.TypesInfo.TypeOf(x)
		if code.IsString(a) && code.IsBytes(code.Core(b)) || code.IsBytes(code.Core(a)) && code.IsString(b) {
			return x
		}
	}
	return nil
}

// addressed returns x of unsafe.Pointer(&x), nil for all else.
func addressed(info *types.Info, e ast.Expr) ast.Expr {
	pointer, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(pointer.Args) != 1 || !isPointer(info, pointer.Fun) {
		return nil
	}
	return address(pointer.Args[0])
}

// address returns x of &x, nil for all else.
func address(e ast.Expr) ast.Expr {
	addr, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return nil
	}
	return addr.X
}

func isPointer(info *types.Info, fun ast.Expr) bool {
	b, ok := info.TypeOf(fun).(*types.Basic)
	return ok && info.Types[fun].IsType() && b.Kind() == types.UnsafePointer
}

// safe writes the conversion that copies.
func safe(p *rule.Pass, star *ast.StarExpr, from ast.Expr) string {
	to := types.TypeString(p.TypesInfo.TypeOf(star), types.RelativeTo(p.Pkg))
	return to + "(" + p.Source(from) + ")"
}

// qualifier returns the name of package unsafe in a cast, "" where a function is in between.
func qualifier(info *types.Info, star *ast.StarExpr) string {
	e := ast.Unparen(star.X).(*ast.CallExpr).Args[0]
	if addressed(info, e) == nil {
		return ""
	}
	pointer := ast.Unparen(e).(*ast.CallExpr)
	if sel, ok := ast.Unparen(pointer.Fun).(*ast.SelectorExpr); ok {
		return sel.X.(*ast.Ident).Name
	}
	return ""
}
