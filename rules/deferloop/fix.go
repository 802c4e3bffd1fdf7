package deferloop

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// fix returns the fix that wraps the iteration, from the defer to its end, in
// a function. There is none where something leaves the iteration in a way that
// a function cannot pass on.
func (d *deferral) fix() []analysis.SuggestedFix {
	body := code.Body(d.loop.Node())
	if d.cur.Parent().Node() != ast.Node(body) {
		return nil
	}
	w := &wrap{d: d, body: body, failing: d.errorOnly()}
	for _, s := range body.List {
		if s.Pos() > d.stmt.Pos() {
			w.stmt(s, true)
		}
	}
	if w.stuck || body.List[len(body.List)-1] == ast.Stmt(d.stmt) {
		return nil
	}
	open, end := "func() {\n", "\n}()"
	if len(w.returns) > 0 {
		open, end = "if err := func() error {\n", "\nreturn nil\n}(); err != nil {\nreturn err\n}"
	}
	last := body.List[len(body.List)-1]
	switch last.(type) {
	case *ast.BranchStmt, *ast.ReturnStmt:
		return nil
	}
	edits := []analysis.TextEdit{{Pos: d.stmt.Pos(), End: d.stmt.Pos(), NewText: []byte(open)}}
	for _, c := range w.continues {
		text := "return"
		if len(w.returns) > 0 {
			text = "return nil"
		}
		edits = append(edits, analysis.TextEdit{Pos: c.Pos(), End: c.End(), NewText: []byte(text)})
	}
	edits = append(edits, analysis.TextEdit{Pos: last.End(), End: last.End(), NewText: []byte(end)})
	return []analysis.SuggestedFix{{Message: "Close at the end of the iteration", TextEdits: edits}}
}

// errorOnly reports whether the function returns an error and nothing else,
// without a name for it.
func (d *deferral) errorOnly() bool {
	fn, _ := code.Func(d.cur)
	var sig *types.Signature
	switch fn := fn.Node().(type) {
	case *ast.FuncDecl:
		sig, _ = d.p.TypesInfo.TypeOf(fn.Name).(*types.Signature)
	case *ast.FuncLit:
		sig, _ = d.p.TypesInfo.TypeOf(fn).(*types.Signature)
	}
	return sig != nil && sig.Results().Len() == 1 && sig.Results().At(0).Name() == "" &&
		code.IsError(sig.Results().At(0).Type())
}

// A wrap looks at the statements that go into the function.
type wrap struct {
	d         *deferral
	body      *ast.BlockStmt
	failing   bool // the function around returns an error only
	returns   []*ast.ReturnStmt
	continues []*ast.BranchStmt
	stuck     bool
}

// stmt looks at a statement; own says that break and continue in it are those
// of the loop itself.
func (w *wrap) stmt(root ast.Node, own bool) {
	breaks := own // whether an unlabelled break leaves the loop
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			if ast.Node(n) != root {
				w.nested(n.Body, n.Init, n.Post)
				return false
			}
			breaks = false
		case *ast.RangeStmt:
			if ast.Node(n) != root {
				w.nested(n.Body, nil, nil)
				return false
			}
			breaks = false
		case *ast.LabeledStmt, *ast.DeferStmt:
			w.stuck = true
		case *ast.BranchStmt:
			w.branch(n, own && !loops(root), breaks)
		case *ast.ReturnStmt:
			w.ret(n)
		case *ast.CallExpr:
			if b, ok := typeutil.Callee(w.d.p.TypesInfo, n).(*types.Builtin); ok && b.Name() == "recover" {
				w.stuck = true
			}
		}
		return true
	})
}

func loops(n ast.Node) bool { return code.Body(n) != nil }

// nested looks at the body of a loop within the iteration, whose break and
// continue are its own.
func (w *wrap) nested(body *ast.BlockStmt, more ...ast.Stmt) {
	w.stmt(body, false)
	for _, s := range more {
		if s != nil {
			w.stmt(s, false)
		}
	}
}

func (w *wrap) branch(b *ast.BranchStmt, own, breaks bool) {
	switch {
	case b.Label != nil, b.Tok == token.GOTO, b.Tok == token.BREAK && breaks:
		w.stuck = true // a break of a switch is let be, too
	case b.Tok == token.CONTINUE && own:
		w.continues = append(w.continues, b)
	}
}

// ret takes a return of an error that is not nil for sure; with another one
// the caller of the function could not tell it from the end of the iteration.
func (w *wrap) ret(r *ast.ReturnStmt) {
	if !w.failing || len(r.Results) != 1 {
		w.stuck = true
		return
	}
	switch x := ast.Unparen(r.Results[0]).(type) {
	case *ast.CallExpr:
		if !code.IsFunc(w.d.p.TypesInfo, x, "fmt", "Errorf") && !code.IsFunc(w.d.p.TypesInfo, x, "errors", "New") {
			w.stuck = true
		}
	case *ast.Ident:
		if !w.tested(r, w.d.p.TypesInfo.Uses[x]) {
			w.stuck = true
		}
	default:
		w.stuck = true
	}
	w.returns = append(w.returns, r)
}

// tested reports whether the return stands directly in the body of an if that
// has found v not to be nil.
func (w *wrap) tested(r *ast.ReturnStmt, v types.Object) bool {
	err, _ := v.(*types.Var)
	return code.Any(w.body, func(i *ast.IfStmt) bool {
		return code.NotNil(w.d.p.TypesInfo, i.Cond, err) && slices.Contains(i.Body.List, ast.Stmt(r))
	})
}
