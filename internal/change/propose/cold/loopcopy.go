package cold

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// turns returns the loop over options, functions or what has methods, that alone refers to the variable, and the
// statement behind it; nil where that is not so. Often there are no options. Other lists are rarely empty.
func (k *kept) turns() (loop *ast.RangeStmt, next ast.Stmt) {
	list := code.StmtList(k.life)
	for i, s := range list[:len(list)-1] {
		loop, ok := s.(*ast.RangeStmt)
		if !ok || slices.ContainsFunc(k.refers, func(r ast.Node) bool { return !code.Within(loop.Body, r) }) {
			continue
		}
		if options, ok := code.Core(k.fn.Info().TypeOf(loop.X)).(*types.Slice); ok && called(options.Elem()) {
			return loop, list[i+1]
		}
	}
	return nil, nil
}

// called reports whether values of a type are functions, or have methods by an interface.
func called(t types.Type) bool {
	switch t := code.Core(t).(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return t.NumMethods() > 0
	}
	return false
}

// proposeTurnsCopy gives the turns of a loop a copy, which becomes the variable behind it.
func proposeTurnsCopy(k *kept, loop *ast.RangeStmt, next ast.Stmt) (*model.Change, *prove.Reason) {
	f, p, name := k.fn.File, k.p, k.v.Name()
	over, copied := p.Source(f, loop.X), code.FirstFree(k.fn.Decl, name+"Copy", "kept", "copied")
	switch {
	case !code.Place(loop.X) || copied == "":
		return nil, prove.Refusef("%s cannot be written twice, or no name is free for the copy", prove.Short(over))
	case f.Commented(loop.X) || code.Any(loop, func(b *ast.BranchStmt) bool { return b.Label != nil }):
		return nil, prove.Refuse("the loop is left for a label, or a comment stands in its head")
	}
	if why := k.readNext(loop, next); why != nil {
		return nil, why
	}
	edits := []model.Edit{p.Insert(f, loop.Pos(), fmt.Sprintf("if len(%s) > 0 {\n%s := %s // a copy, so that %[3]s itself stays on the stack\n", over, copied, name))}
	for _, use := range k.uses {
		if code.Within(loop, use) {
			edits = append(edits, p.Put(f, use.Pos(), use.End(), copied))
		}
	}
	edits = append(edits, p.Insert(f, loop.End(), fmt.Sprintf("\n%s = %s\n}", name, copied)))
	return p.Change(k.fn, edits, model.Change{
		Kind:  "copy-in-branch",
		Title: fmt.Sprintf("%s: copy %s in %s where %s has something", f.Pkg.Name, name, k.fn.Obj.Name(), over),
		Obligations: []model.Obligation{
			{Text: "the copy is what " + name + " would have been", How: "proven", Why: "it is made where the loop begins, before anything refers to it"},
			{Text: "behind the loop " + name + " has what the copy has", How: "proven",
				Why: "only the next statement uses it, as a whole, and no other code runs between the loop and that use"},
		},
	})
}

// readNext refuses what would show behind the loop that the variable is not what something refers to.
func (k *kept) readNext(loop, next ast.Stmt) *prove.Reason {
	info, whole := k.fn.Info(), false
	for _, use := range k.uses {
		if use.Pos() < loop.End() {
			continue
		}
		if !code.Within(next, use) {
			return prove.Refusef("it is used again at %s, when what refers to it may have set it", k.p.Pos(use.Pos()))
		}
		up := k.fn.File.Parent(use)
		_, field := up.(*ast.SelectorExpr)
		_, element := up.(*ast.IndexExpr)
		whole = whole || !field && !element
	}
	switch next.(type) {
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt:
	default:
		whole = false
	}
	if !whole {
		return prove.Refuse("the statement behind the loop does not read all of it: another goroutine may be writing to a part of it")
	}
	if code.WrittenIn(info, next, k.v) || code.Any(next, func(n ast.Node) bool { return k.between(loop, n) }) {
		return prove.Refuse("the statement behind the loop sets it, may not read it, or runs other code before that")
	}
	return nil
}

// between reports whether a node of the next statement runs code before all uses of the variable behind the loop
// are evaluated, or one may not be.
func (k *kept) between(loop ast.Stmt, n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		either, ok := n.(*ast.BinaryExpr)
		return ok && (either.Op == token.LAND || either.Op == token.LOR) || code.ByChannel(k.fn.Info(), n)
	}
	return code.Acts(k.fn.Info(), call) && slices.ContainsFunc(k.uses, func(use *ast.Ident) bool {
		return use.Pos() > loop.End() && !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return code.Within(a, use) })
	})
}
