package inline

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// tied says what ties a function to its name, or to where it makes a value.
func (m *made) tied() *prove.Reason {
	info := m.Info()
	if code.Jumps(m.Decl.Body) {
		return prove.Refuse("it uses goto")
	}
	if code.Here(m.Decl.Body, func(c *ast.CallExpr) bool { return code.Builtin(info, c) == "recover" }) != nil {
		return prove.Refuse("it recovers")
	}
	early := code.Here(m.Decl.Body, func(r *ast.ReturnStmt) bool {
		return r.Pos() < m.stmt.Pos() && !slices.ContainsFunc(r.Results, func(x ast.Expr) bool { return code.IsNil(info, x) || fails(info, x) })
	})
	if early != nil {
		return prove.Refuse("it may return something else before")
	}
	return nil
}

// returned says why what is made does not leave the function by being returned alone. Where the compiler has said how
// it leaves, that counts.
func (m *made) returned(t model.Target) *prove.Reason {
	noted, by := false, false
	at := m.p.Pos(m.expr.Pos())
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape || len(n.Chain) != 1 || n.At().File != at.File || n.At().Line != at.Line || len(n.Flow) == 0 {
			continue
		}
		noted = true
		by = by || strings.Contains(n.Flow[len(n.Flow)-1].Text, "(return)")
	}
	if noted {
		if !by {
			return prove.Refuse("the compiler says that it leaves the function in another way")
		}
		return nil
	}
	fl := m.p.Flow(m.Function)
	fl.Expr(m.expr)
	fl.Drain()
	switch {
	case len(fl.Leaks) > 0:
		return prove.Refusef("it is %s (%s)", fl.Leaks[0].Why, m.p.Pos(fl.Leaks[0].At.Pos()))
	case fl.Results == 0:
		return prove.Refuse("it is not returned")
	}
	return nil
}

// released says why no caller would have it on its stack: each keeps it. Tests do not count, as a benchmark may
// drop what a program keeps.
func (m *made) released() *prove.Reason {
	why := prove.Refuse("nothing in the module but tests calls it")
	for _, k := range m.p.Packages {
		for _, f := range k.Files {
			for call := range code.All[*ast.CallExpr](f.Syntax) {
				if target := code.Callee(k.TypesInfo, call); f.Test || target == nil || target.Origin() != m.Obj {
					continue
				}
				at := m.p.Pos(call.Pos())
				if by := m.p.FunctionAt(at); by == nil || by.Obj == m.Obj || !m.lets(by, call) {
					why = prove.Refusef("its result is kept, as by the call at %s", at)
					continue
				}
				return nil
			}
		}
	}
	return why
}

// lets reports whether a function lets go of what a call returns.
func (m *made) lets(by *prove.Function, call *ast.CallExpr) bool {
	fl := m.p.Flow(by)
	results := m.Obj.Signature().Results()
	if results.Len() == 1 {
		_, fl.Deep = results.At(0).Type().Underlying().(*types.Struct) // it holds what is made
		fl.Expr(call)
	} else {
		assign, ok := by.File.Parent(call).(*ast.AssignStmt)
		if !ok {
			return false
		}
		for i, to := range assign.Lhs {
			v := code.Var(by.Info(), to)
			if code.IsError(results.At(i).Type()) || !code.HasPointers(results.At(i).Type()) {
				continue
			}
			if v == nil && !isBlank(to) || v != nil && !code.Local(v) {
				return false
			}
			if v != nil {
				fl.Track(v)
			}
		}
	}
	fl.Drain()
	return !fl.Outlives() && !fl.Dynamic()
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// edits puts what is left of the function before the rest of it.
func (m *made) edits(name string) []model.Edit {
	f, p, old := m.File, m.p, m.Obj.Name()
	call, head := moved(p, m.Function, name, []string{m.made}, []string{m.name + " " + m.typ})
	text := fmt.Sprintf("\n\t%s\n}\n\n// %s is %s with memory for the result. It is apart so that %s can be inlined,\n// and a caller that does not keep the result has it on its stack.\n%s {",
		call, name, old, old, head)
	edits := []model.Edit{p.Insert(f, m.Decl.Body.Lbrace+1, text)}
	ret, returns := m.stmt.(*ast.ReturnStmt)
	switch {
	case m.lit != nil && returns:
		edits = append(edits,
			p.Put(f, ret.Pos(), m.lit.Pos(), "*"+m.name+" = "),
			p.Put(f, m.lit.End(), m.expr.End(), "\nreturn "+m.name))
	case m.lit != nil:
		edits = append(edits, p.Put(f, m.stmt.Pos(), m.lit.Pos(), "*"+m.name+" = "))
	case m.whole != nil:
		edits = append(edits, p.Drop(f, m.stmt))
	default:
		edits = append(edits, p.Put(f, m.expr.Pos(), m.expr.End(), m.name))
	}
	return edits
}
