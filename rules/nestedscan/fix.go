package nestedscan

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// names are the names that fixes declare, by function, with the loop that each
// is for: two loops of one function must not declare the same.
type names map[ast.Node]map[string]ast.Node

// free returns a name that neither the function nor another loop's fix has.
func (n names) free(fn, loop ast.Node, want string) string {
	if n[fn] == nil {
		n[fn] = map[string]ast.Node{}
	}
	for i := 1; ; i++ {
		try := want
		if i > 1 {
			try += strconv.Itoa(i)
		}
		name := code.FreeLocal(fn, try)
		if of, ok := n[fn][name]; !ok || of == loop {
			n[fn][name] = loop
			return name
		}
	}
}

// setEdits builds a set before a loop and asks it in place of the call.
func setEdits(p *rule.Pass, call *ast.CallExpr, loop inspector.Cursor, given names) []analysis.TextEdit {
	at, ok := statement(loop)
	fn, isFn := code.Func(loop)
	xs := code.Var(p.TypesInfo, call.Args[0])
	if xs == nil {
		return nil
	}
	elem := xs.Type().Underlying().(*types.Slice).Elem()
	typ := typeName(p, elem, loop.Node().Pos())
	if !ok || !isFn || typ == "" {
		return nil
	}
	set, x := given.free(fn.Node(), loop.Node(), xs.Name()+"Set"), code.FreeLocal(fn.Node(), "x")
	text := fmt.Sprintf("%[1]s := make(map[%[2]s]bool, len(%[3]s))\nfor _, %[4]s := range %[3]s {\n%[1]s[%[4]s] = true\n}\n", set, typ, xs.Name(), x)
	edits := []analysis.TextEdit{
		{Pos: at.Pos(), End: at.Pos(), NewText: []byte(text)},
		{Pos: call.Pos(), End: call.End(), NewText: []byte(set + "[" + p.Source(call.Args[1]) + "]")},
	}
	file := p.File(call.Pos())
	edits = append(edits, code.DropImport(p, file, "slices", call)...)
	return edits
}

// statement returns the statement before which a declaration for a loop goes.
func statement(loop inspector.Cursor) (ast.Node, bool) {
	if _, ok := loop.Parent().Node().(*ast.LabeledStmt); ok {
		loop = loop.Parent()
	}
	stmt, ok := code.Stmt(loop)
	return stmt.Node(), ok && stmt == loop
}

// typeName returns how code at pos may write a type, or "".
func typeName(p *rule.Pass, t types.Type, pos token.Pos) string {
	ok := true
	text := types.TypeString(t, func(pkg *types.Package) string {
		if pkg == p.Pkg {
			return ""
		}
		q := code.Qualifier(p.TypesInfo, p.Pkg, p.File(pos), pos, pkg.Path())
		ok = ok && q != ""
		return q
	})
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
	case *types.Named:
		if t.TypeArgs().Len() > 0 || t.Obj().Parent() == nil {
			return ""
		}
		if t.Obj().Pkg() == p.Pkg {
			if _, obj := p.Pkg.Scope().Innermost(pos).LookupParent(t.Obj().Name(), pos); obj != t.Obj() {
				return ""
			}
		} else if !t.Obj().Exported() {
			return ""
		}
	default:
		return ""
	}
	if !ok {
		return ""
	}
	return text
}

// edits replaces both loops by one with a set, where what is done for an equal
// pair does not depend on which it is.
func (d *pairs) edits(given names) []analysis.TextEdit {
	body := d.outer.Node()
	if len(code.Body(body).List) != 1 || !d.leaves() || code.MentionsOf(d.p.TypesInfo, d.branch.Body, body) || d.comments() {
		return nil
	}
	at, ok := statement(d.outer)
	fn, isFn := code.Func(d.outer)
	typ := typeName(d.p, d.p.TypesInfo.TypeOf(d.branch.Cond.(*ast.BinaryExpr).X), body.Pos())
	if !ok || !isFn || typ == "" || at != body {
		return nil
	}
	seen, x, found := given.free(fn.Node(), body, "seen"), code.FreeLocal(fn.Node(), "x"), code.FreeLocal(fn.Node(), "ok")
	xs := d.p.Source(d.xs)
	text := fmt.Sprintf("%s := make(map[%s]struct{}, len(%s))\nfor _, %s := range %s {\nif _, %s := %s[%s]; %s %s\n%s[%s] = struct{}{}\n}",
		seen, typ, xs, x, xs, found, seen, x, found, d.p.Source(d.branch.Body), seen, x)
	return []analysis.TextEdit{{Pos: body.Pos(), End: body.End(), NewText: []byte(text)}}
}

// leaves reports whether the first equal pair ends the function.
func (d *pairs) leaves() bool {
	list := d.branch.Body.List
	if len(list) != 1 {
		return false
	}
	_, ok := list[0].(*ast.ReturnStmt)
	return ok
}

// comments reports whether a comment stands in the loops, which would be lost.
func (d *pairs) comments() bool {
	return slices.ContainsFunc(d.p.File(d.inner.Pos()).Comments, func(g *ast.CommentGroup) bool {
		return code.Within(d.outer.Node(), g) && !code.Within(d.branch.Body, g)
	})
}
