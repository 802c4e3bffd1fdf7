package goroutineperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// fix returns the fix for a loop over a slice that does nothing but start the
// goroutine under a wait group: as many goroutines as processors, which take
// the next index in turn.
func (s *spawn) fix() []analysis.SuggestedFix {
	loop, ok := s.loop.Node().(*ast.RangeStmt)
	if !ok || loop.Tok != token.DEFINE || !s.p.AtLeast(loop.Pos(), "go1.22") || !s.steady(loop.X) {
		return nil
	}
	lit, ok := ast.Unparen(s.call.Fun).(*ast.FuncLit)
	if !ok || !s.sameNames(lit) {
		return nil
	}
	group, body, ok := s.shape(loop, lit)
	if stmt, isStmt := code.Stmt(s.loop); !ok || !isStmt || stmt.Node() != ast.Node(loop) || len(body) == 0 || !s.straight(body) {
		return nil
	}
	file := s.p.File(loop.Pos())
	names, edits := map[string]string{}, []analysis.TextEdit(nil)
	for _, path := range []string{"runtime", "sync/atomic"} {
		q, more, ok := code.Import(s.p.TypesInfo, s.p.Pkg, file, loop.Pos(), path)
		if !ok {
			return nil
		}
		names[path], edits = q, append(edits, more...)
	}
	text := s.workers(loop, group, names, s.p.Text(body[0].Pos(), body[len(body)-1].End()))
	edits = append(edits, analysis.TextEdit{Pos: loop.Pos(), End: loop.End(), NewText: []byte(text)})
	return []analysis.SuggestedFix{{Message: "As many goroutines as processors", TextEdits: edits}}
}

// workers returns the new loop.
func (s *spawn) workers(loop *ast.RangeStmt, group string, names map[string]string, body string) string {
	fn, _ := code.Func(s.loop)
	next := code.FreeLocal(fn.Node(), "next")
	items := s.p.Source(loop.X)
	i := ""
	if id, ok := loop.Key.(*ast.Ident); ok && id.Name != "_" {
		i = id.Name
	} else {
		i = code.FreeLocal(fn.Node(), "i")
	}
	work := "for " + i + " := int(" + next + ".Add(1)) - 1; " + i + " < len(" + items + "); " + i + " = int(" + next + ".Add(1)) - 1 {\n"
	if id, ok := loop.Value.(*ast.Ident); ok && id.Name != "_" {
		work += id.Name + " := " + items + "[" + i + "]\n"
	}
	work += body + "\n}\n"
	text := "var " + next + " " + names["sync/atomic"] + ".Int64\nfor range min(" + names["runtime"] + ".GOMAXPROCS(0), len(" + items + ")) {\n"
	if s.p.AtLeast(loop.Pos(), "go1.25") {
		return text + group + ".Go(func() {\n" + work + "})\n}"
	}
	return text + group + ".Add(1)\ngo func() {\ndefer " + group + ".Done()\n" + work + "}()\n}"
}

// steady reports whether the slice is a local variable that is assigned once,
// or a parameter that is never.
func (s *spawn) steady(x ast.Expr) bool {
	v := code.Var(s.p.TypesInfo, x)
	if !code.Local(v) {
		return false
	}
	_, slice := v.Type().Underlying().(*types.Slice)
	fn, ok := code.Func(s.loop)
	return ok && slice && v.Pos() >= fn.Node().Pos() && !code.Written(s.p.Index, s.p.TypesInfo, v, fn.Node())
}

// sameNames reports whether the literal takes the loop's variables under their
// own names, or nothing.
func (s *spawn) sameNames(lit *ast.FuncLit) bool {
	if s.via != nil || lit.Type.Params.NumFields() == 0 {
		return lit.Type.Params.NumFields() == 0 && lit.Type.Results.NumFields() == 0
	}
	i := 0
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			arg, ok := ast.Unparen(s.call.Args[i]).(*ast.Ident)
			if !ok || arg.Name != name.Name || !s.loopVar(arg) || !types.Identical(s.p.TypesInfo.TypeOf(arg), s.p.TypesInfo.TypeOf(name)) {
				return false
			}
			i++
		}
	}
	return i == len(s.call.Args)
}

func (s *spawn) loopVar(id *ast.Ident) bool {
	return slices.ContainsFunc(s.vars, func(v *types.Var) bool { return s.p.TypesInfo.Uses[id] == v })
}

// shape recognises wg.Go(func() { body }), and wg.Add(1) before a goroutine
// that begins with defer wg.Done().
func (s *spawn) shape(loop *ast.RangeStmt, lit *ast.FuncLit) (group string, body []ast.Stmt, ok bool) {
	if s.via != nil {
		sel := ast.Unparen(s.via.Fun).(*ast.SelectorExpr)
		stmt, isExpr := loop.Body.List[0].(*ast.ExprStmt)
		if len(loop.Body.List) != 1 || !isExpr || stmt.X != ast.Expr(s.via) || !code.IsNamed(s.p.TypesInfo.TypeOf(sel.X), "sync", "WaitGroup") {
			return "", nil, false
		}
		return s.p.Source(sel.X), lit.Body.List, true
	}
	if len(loop.Body.List) != 2 || loop.Body.List[1] != s.cur.Node() || len(lit.Body.List) < 2 {
		return "", nil, false
	}
	add, ok := loop.Body.List[0].(*ast.ExprStmt)
	done, isDefer := lit.Body.List[0].(*ast.DeferStmt)
	if !ok || !isDefer {
		return "", nil, false
	}
	call, _ := add.X.(*ast.CallExpr)
	g1, g2 := s.method(call, "Add"), s.method(done.Call, "Done")
	if g1 == "" || g1 != g2 {
		return "", nil, false
	}
	if k, isConst := code.Int(s.p.TypesInfo, call.Args[0]); !isConst || k != 1 {
		return "", nil, false
	}
	return g1, lit.Body.List[1:], true
}

// method returns the wait group whose method a call calls.
func (s *spawn) method(call *ast.CallExpr, name string) string {
	if call == nil {
		return ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name || !code.IsNamed(s.p.TypesInfo.TypeOf(sel.X), "sync", "WaitGroup") || code.Var(s.p.TypesInfo, sel.X) == nil {
		return ""
	}
	return s.p.Source(sel.X)
}

// straight reports whether the body can stand in a loop: it does not return,
// defer, recover or end the goroutine, has no labels, and leaves the loop's
// variables alone.
func (s *spawn) straight(body []ast.Stmt) bool {
	ok := true
	for _, stmt := range body {
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt, *ast.DeferStmt, *ast.LabeledStmt:
				ok = false
			case *ast.CallExpr:
				switch f := typeutil.Callee(s.p.TypesInfo, n).(type) {
				case *types.Builtin:
					ok = ok && f.Name() != "recover"
				case *types.Func:
					ok = ok && (f.Pkg() == nil || f.Pkg().Path() != "runtime")
				}
			}
			return ok
		})
		for _, v := range s.vars {
			ok = ok && !code.Written(s.p.Index, s.p.TypesInfo, v, s.loop.Node())
		}
	}
	return ok
}
