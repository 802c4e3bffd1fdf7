package pools

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// holder names the pool and the local variable; nil if no name is free.
func (l *passedLiteral) holder(p *prove.Program) (*holder, string) {
	what := l.target.Signature().Params().At(l.param).Name()
	if len(what) < 2 {
		what = "items"
		if b, ok := l.slice.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			what = "buf"
		}
	}
	local := code.FirstFree(l.fn.Decl, what, "scratch", "pooled")
	name := poolName(p, l.fn, what)
	if local == "" || name == "" {
		return nil, ""
	}
	var elt ast.Expr
	if arr, ok := l.lit.Type.(*ast.ArrayType); ok {
		elt = arr.Elt
	}
	elem := fmt.Sprintf("[%d]%s", len(l.lit.Elts), p.TypeText(l.fn, l.slice.Elem(), elt))
	return &holder{name: name, elem: elem, made: "new(" + elem + ")",
		says: fmt.Sprintf("%s holds the slices that %s passes to %s, between calls.", name, l.fn.Obj.Name(), l.target.Name())}, local
}

// edits takes the array from the pool before the call and puts it back after.
func (l *passedLiteral) edits(p *prove.Program, h *holder, local string, clear bool) ([]model.Edit, *prove.Reason) {
	before := fmt.Sprintf("%s := %s.Get().(*%s)\n%s\n", local, h.name, h.elem, l.fill(p, h, local))
	after := fmt.Sprintf("\n%s.Put(%s)", h.name, local)
	if clear && code.HasPointers(l.slice.Elem()) {
		after = fmt.Sprintf("\n*%s = %s{} // keep nothing alive", local, h.elem) + after
	}
	return l.around(p, local, local+"[:]", before, after)
}

// around puts statements before and after the call, in which another expression stands for the argument. The local
// variable is one that they declare.
func (l *passedLiteral) around(p *prove.Program, local, arg, before, after string) ([]model.Edit, *prove.Reason) {
	f := l.fn.File
	start, end := p.Offset(l.stmt.Pos()), p.Offset(l.stmt.End())
	edits := []model.Edit{p.Put(f, l.arg.Pos(), l.arg.End(), arg)}
	switch s := l.stmt.(type) {
	case *ast.ReturnStmt:
		results := resultNames(p, l.fn, l.target.Signature(), local)
		if results == "" {
			return nil, prove.Refuse("no name is free for a result")
		}
		at := p.Offset(s.Results[0].Pos())
		return append(edits, p.Edit(f, start, at, before+results+" := "), p.Edit(f, end, end, after+"\nreturn "+results)), nil
	case *ast.IfStmt:
		if why := l.hoistable(s); why != nil {
			return nil, why
		}
		init, cond := p.Source(f, s.Init), p.Offset(s.Cond.Pos())
		at := p.Offset(l.arg.Pos()) - p.Offset(s.Init.Pos())
		init = init[:at] + arg + init[at+p.Offset(l.arg.End())-p.Offset(l.arg.Pos()):]
		return []model.Edit{p.Edit(f, start, cond, before+init+after+"\nif ")}, nil
	}
	return append(edits, p.Edit(f, start, start, before), p.Edit(f, end, end, after)), nil
}

// fill sets the elements: one by its index, several as an array.
func (l *passedLiteral) fill(p *prove.Program, h *holder, local string) string {
	first := l.lit.Elts[0]
	inner, elided := first.(*ast.CompositeLit)
	commented := slices.ContainsFunc(l.fn.File.Syntax.Comments, func(g *ast.CommentGroup) bool { return code.Within(l.lit, g) })
	if len(l.lit.Elts) == 1 && !(elided && inner.Type == nil) && !commented {
		return fmt.Sprintf("%s[0] = %s", local, p.Source(l.fn.File, first))
	}
	body := string(l.fn.File.Src[p.Offset(l.lit.Lbrace):p.Offset(l.lit.End())])
	return fmt.Sprintf("*%s = %s%s", local, h.elem, body)
}

// hoistable checks that the variables that an if statement declares can be
// declared before it.
func (l *passedLiteral) hoistable(s *ast.IfStmt) *prove.Reason {
	a, ok := s.Init.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return nil
	}
	for _, lhs := range a.Lhs {
		id, ok := lhs.(*ast.Ident)
		if !ok || id.Name == "_" {
			continue
		}
		block := l.fn.File.Parent(s)
		if code.Any(block, func(other *ast.Ident) bool { return other.Name == id.Name && !code.Within(s, other) }) ||
			ast.Node(l.fn.Decl.Body) == block && code.Worded(l.fn.Decl.Type, id.Name) {
			return prove.Refuse(id.Name + ", which the statement around it declares, means something else around that")
		}
	}
	return nil
}

// resultNames returns free names for the results of a call, separated by
// commas; "" if there are none.
func resultNames(p *prove.Program, fn *prove.Function, sig *types.Signature, taken string) string {
	var names []string
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		options := []string{v.Name(), "n", "ok", "result", fmt.Sprintf("result%d", i+1)}
		if code.IsError(v.Type()) {
			options = []string{v.Name(), "err", "failure"}
		} else if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger == 0 {
			options = slices.Delete(options, 1, 2)
		}
		options = slices.DeleteFunc(options, func(s string) bool { return s == taken || slices.Contains(names, s) })
		name := code.FirstFree(fn.Decl, options...)
		if name == "" {
			return ""
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
