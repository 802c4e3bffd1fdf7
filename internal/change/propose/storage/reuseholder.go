package storage

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// onlyHolder argues that the field is the only thing that refers to the
// storage, so that it is free once the field is overwritten.
func (s *stored) onlyHolder(p *prove.Program) ([]model.Obligation, *prove.Reason) {
	if f := p.IgnoredMention(s.m.File.Pkg, s.field.Name()); f != "" {
		return nil, prove.Refuse(f + ", which is not built on this platform, mentions " + s.field.Name())
	}
	if why := prove.Promoting(s.field); why != nil {
		return nil, why
	}
	var assumed []string
	var nilSeen string
	for _, f := range s.m.File.Pkg.Files {
		for _, id := range selections(f, f.Pkg.TypesInfo, s.field.Pos()) {
			fl, why := s.holder().use(p, f, id)
			if why != nil {
				return nil, why
			}
			if fl == nil {
				continue
			}
			for _, a := range fl.Assumed {
				if !slices.Contains(assumed, a) {
					assumed = append(assumed, a)
				}
			}
			if fl.CapSeen {
				return nil, prove.Refuse("its capacity is asked for at " + p.Pos(id.Pos()).String())
			}
			if fl.NilSeen && nilSeen == "" {
				nilSeen = p.Pos(id.Pos()).String()
			}
		}
	}
	if nilSeen != "" && !s.append.Full {
		return nil, prove.Refuse("an empty result would no longer be nil, which " + nilSeen + " can tell")
	}
	o := model.Obligation{Text: s.field.Name() + " is the only thing that refers to what it holds", How: "proven",
		Why: "every use in the package reads, slices or replaces it in place, or passes it to a function that does not keep it"}
	style := model.Obligation{Text: types.ExprString(s.call.Fun) + " only appends to its destination", How: "proven", Why: "read in its source"}
	obligations := []model.Obligation{prove.Assuming(o, assumed), prove.Assuming(style, s.append.Assumed)}
	if at := s.holder().heldByTests(p); at != "" {
		obligations = append(obligations, model.Obligation{Text: "tests do not hold on to " + s.field.Name(), How: "assumed",
			Why: "the guard runs them; " + at + " refers to it"})
	}
	return obligations, nil
}

// A holder is a field whose storage a statement makes free for something else.
type holder struct {
	fn    *prove.Function // with the statement
	stmt  ast.Stmt
	field *types.Var
	fill  ast.Expr // what the statement fills the storage by, nil where it leaves that to others
}

func (s *stored) holder() *holder { return &holder{s.m.Function, s.stmt, s.field, s.call} }

// selections returns the identifiers in a file that use the field declared
// at a position.
func selections(f *prove.File, info *types.Info, field token.Pos) []*ast.Ident {
	var found []*ast.Ident
	for id := range code.All[*ast.Ident](f.Syntax) {
		if v, ok := info.Uses[id].(*types.Var); ok && v.IsField() && v.Pos() == field {
			found = append(found, id)
		}
	}
	return found
}

func (h *holder) heldByTests(p *prove.Program) string {
	for _, v := range p.TestViews(h.fn.File.Pkg) {
		for _, f := range v.Files {
			if !f.Test {
				continue
			}
			if ids := selections(f, v.Info, h.field.Pos()); len(ids) > 0 {
				return p.Pos(ids[0].Pos()).String()
			}
		}
	}
	return ""
}

// use classifies one use of the field. The flow is nil for a use that does
// not read it.
func (h *holder) use(p *prove.Program, f *prove.File, id *ast.Ident) (*flow.Flow, *prove.Reason) {
	where := " (" + p.Pos(id.Pos()).String() + ")"
	sel, ok := f.Parent(id).(*ast.SelectorExpr)
	if !ok {
		if kv, ok := f.Parent(id).(*ast.KeyValueExpr); ok && kv.Key == id {
			return nil, nil // set in a composite literal
		}
		return nil, prove.Refuse("it is used in a way that pawl does not follow" + where)
	}
	fn := p.FunctionAt(p.Pos(id.Pos()))
	if fn == nil {
		return nil, prove.Refuse("it is used outside of any function" + where)
	}
	if f.Literal(sel) != nil && !f.InPlace(f.Literal(sel)) {
		return nil, prove.Refuse("it is used in a function literal that may run later" + where)
	}
	if f.AssignedTo(sel) {
		return nil, nil
	}
	fl := p.Flow(fn)
	fl.NoLocals = true
	fl.Store = func(lhs, _ ast.Expr) bool {
		l, ok := lhs.(*ast.SelectorExpr)
		return ok && fn.Info().Uses[l.Sel] == h.field && code.SameVariable(fn.Info(), l.X, sel.X)
	}
	fl.Expr(sel)
	fl.Drain()
	if len(fl.Leaks) > 0 {
		return nil, prove.Refuse("it is " + fl.Leaks[0].Why + where)
	}
	if fl.Results != 0 {
		return nil, prove.Refuse("it is returned" + where)
	}
	return fl, h.overtaken(p, fn, f, sel, fl)
}

// overtaken says whether the storage may be reused while sel is still being
// read: in a call that it is passed to, in the body of a range over it, or by
// the very call that fills the storage again.
func (h *holder) overtaken(p *prove.Program, fn *prove.Function, f *prove.File, sel *ast.SelectorExpr, fl *flow.Flow) *prove.Reason {
	goal, where := h.fn.Obj.FullName(), " ("+p.Pos(sel.Pos()).String()+")"
	if h.fill != nil {
		if back, _ := p.Reaches(p.EdgesIn(h.fn, h.fill), fn.Obj.FullName()); back {
			return prove.Refuse(types.ExprString(h.fill) + " leads to " + fn.Obj.Name() + ", which reads it while it is overwritten" + where)
		}
	}
	for _, to := range fl.Calls {
		if _, deferred := f.Parent(to.Call).(*ast.DeferStmt); deferred {
			return prove.Refuse("it is passed to a call that is deferred" + where)
		}
		if decl := p.Function(to.Fn); decl != nil && !code.IsInterfaceMethod(to.Fn) {
			if to.Fn.FullName() == goal {
				return prove.Refuse("it is passed to " + h.fn.Obj.Name() + where)
			}
			if back, _ := p.Reaches(p.EdgesOf(decl), goal); back {
				return prove.Refuse("it is passed to " + to.Fn.Name() + ", which leads to " + h.fn.Obj.Name() + where)
			}
		}
		// Its other arguments are evaluated while the slice is already taken.
		if back, _ := p.Reaches(p.EdgesIn(fn, to.Call), goal); back && to.Fn.FullName() != goal {
			return prove.Refuse("a call that it is passed to leads to " + h.fn.Obj.Name() + where)
		}
	}
	for n := f.Parent(sel); n != nil; n = f.Parent(n) {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || !code.Within(loop.X, sel) {
			continue
		}
		if back, _ := p.Reaches(p.EdgesIn(fn, loop.Body), goal); back || fn.Obj == h.fn.Obj && code.Within(loop.Body, h.stmt) {
			return prove.Refuse("a loop over it leads to " + h.fn.Obj.Name() + where)
		}
	}
	return nil
}
