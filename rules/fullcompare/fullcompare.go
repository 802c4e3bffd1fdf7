// Package fullcompare finds files that are compared by content, whatever their
// sizes.
package fullcompare

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "fullcompare",
	Title: "files compared by content without a look at their sizes",
	IDs:   []string{"C67"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why:     "Regular files of different sizes differ, and Stat tells without reading them. Only those of the same size have to be read.",
	WhenNot: "The function, or what calls it, asks for the size in some way: Stat, Lstat, Size or Info. One of the sides is no file.",
	Gap: "Equal sizes and times are no proof of equal content. Files of /proc and devices have the size 0 whatever they hold, so that sizes count for " +
		"regular files only. A file that may not be read then differs, where it was an error before.",
	Signature: "os.ReadFile and bytes.Equal in CPU and alloc_space profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSame", Metric: "cpu",
		Claimed: "files of different sizes need not be opened to be told apart",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	if !p.Index.Imports("os", "io/ioutil") {
		return
	}
	for _, name := range []string{"Equal", "Compare"} {
		for cur, call := range p.Index.Calls("bytes", name) {
			look(p, cur, call, call.Args[0], call.Args[1])
		}
	}
	for cur, call := range p.Index.Calls("slices", "Equal") {
		if code.IsBytes(p.TypesInfo.TypeOf(call.Args[0])) {
			look(p, cur, call, call.Args[0], call.Args[1])
		}
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.BinaryExpr)(nil)) {
		if b := cur.Node().(*ast.BinaryExpr); b.Op == token.EQL || b.Op == token.NEQ {
			look(p, cur, b, text(p, b.X), text(p, b.Y))
		}
	}
}

func look(p *rule.Pass, cur inspector.Cursor, at ast.Node, a, b ast.Expr) {
	fn, ok := code.Func(cur)
	if !ok || a == nil || b == nil || sized(p, cur, fn.Node()) {
		return
	}
	if !content(p, fn.Node(), a) || !content(p, fn.Node(), b) {
		return
	}
	p.Report(rule.Finding{
		Pos: at.Pos(), End: at.End(), Hot: fn.Node(),
		Message: "both files are read to be compared: those of different sizes differ, and Stat tells without reading",
	})
}

// text returns b of string(b), or nil.
func text(p *rule.Pass, x ast.Expr) ast.Expr {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !p.TypesInfo.Types[call.Fun].IsType() || !code.IsString(p.TypesInfo.TypeOf(call)) {
		return nil
	}
	return call.Args[0]
}

// sized reports whether a function asks for sizes, or one of the package that it calls or
// that calls it.
func sized(p *rule.Pass, cur inspector.Cursor, fn ast.Node) bool {
	if asks(fn) {
		return true
	}
	for call := range code.All[*ast.CallExpr](fn) {
		f := code.Callee(p.TypesInfo, call)
		if f == nil || f.Pkg() != p.Pkg {
			continue
		}
		if at, ok := p.Index.Inspect.Root().FindByPos(f.Pos(), f.Pos()); ok && asks(at.Parent().Node()) {
			return true
		}
	}
	_, f := code.Decl(p.TypesInfo, cur)
	return slices.ContainsFunc(p.Index.Uses(f), func(use inspector.Cursor) bool {
		caller, _ := code.Decl(p.TypesInfo, use)
		return caller != nil && asks(caller)
	})
}

// asks reports whether a piece of syntax names what tells a size.
func asks(n ast.Node) bool {
	return slices.ContainsFunc([]string{"Stat", "Lstat", "Size", "Info"}, func(name string) bool { return code.Worded(n, name) })
}

// content reports whether an expression is what was read of a file: of ReadFile as a
// whole, or piece by piece of one that os.Open opened.
func content(p *rule.Pass, fn ast.Node, x ast.Expr) bool {
	if part, ok := ast.Unparen(x).(*ast.SliceExpr); ok {
		x = part.X
	}
	v := code.Var(p.TypesInfo, x)
	if v == nil {
		return whole(p, x)
	}
	if !code.Local(v) {
		return false
	}
	if _, from := code.Origin(p.Index, p.TypesInfo, fn, v); from != nil && (readsAll(p, fn, from) || whole(p, from)) {
		return true
	}
	for call := range code.All[*ast.CallExpr](fn) {
		f := code.Callee(p.TypesInfo, call)
		if f == nil || f.Name() != "Read" && f.Name() != "ReadFull" && f.Name() != "ReadAtLeast" || !code.Mentions(p.TypesInfo, call, v) {
			continue
		}
		for id := range code.All[*ast.Ident](call) {
			file := code.Var(p.TypesInfo, id)
			if _, from := code.Origin(p.Index, p.TypesInfo, fn, file); from != nil && reads(p, from, "Open") {
				return true
			}
		}
	}
	return false
}

// whole reports whether an expression is a call of a function of the package that returns
// what it read of a file.
func whole(p *rule.Pass, x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	fd := p.Index.Decl(code.Callee(p.TypesInfo, call))
	return fd != nil && code.Here(fd.Body, func(ret *ast.ReturnStmt) bool {
		if len(ret.Results) == 0 {
			return false
		}
		from := ret.Results[0]
		if v := code.Var(p.TypesInfo, from); v != nil {
			_, from = code.Origin(p.Index, p.TypesInfo, fd, v)
		}
		return from != nil && readsAll(p, fd, from)
	}) != nil
}

// readsAll reports whether an expression of a function reads a file to its end: by its name,
// or as it was opened.
func readsAll(p *rule.Pass, fn ast.Node, x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || reads(p, x, "ReadFile") {
		return ok
	}
	if !code.IsFunc(p.TypesInfo, call, "io", "ReadAll") && !code.IsFunc(p.TypesInfo, call, "io/ioutil", "ReadAll") {
		return false
	}
	_, from := code.Origin(p.Index, p.TypesInfo, fn, code.Var(p.TypesInfo, call.Args[0]))
	return from != nil && reads(p, from, "Open")
}

// reads reports whether an expression is a call of a function of os, or of its forerunner.
func reads(p *rule.Pass, x ast.Expr, name string) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok && (code.IsFunc(p.TypesInfo, call, "os", name) || code.IsFunc(p.TypesInfo, call, "io/ioutil", name))
}
