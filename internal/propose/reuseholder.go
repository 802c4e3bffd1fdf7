package propose

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// onlyHolder argues that the field is the only thing that refers to the
// storage, so that it is free once the field is overwritten.
func (s *stored) onlyHolder(p *Program) ([]model.Obligation, string) {
	if f := p.ignoredMention(s.m.file.pkg, s.field.Name()); f != "" {
		return nil, f + ", which is not built on this platform, mentions " + s.field.Name()
	}
	var assumed []string
	var nilSeen string
	for _, f := range s.m.file.pkg.files {
		for _, id := range selections(f, f.pkg.TypesInfo, s.field.Pos()) {
			fl, why := s.use(p, f, id)
			if why != "" {
				return nil, why
			}
			if fl == nil {
				continue
			}
			for _, a := range fl.assumed {
				if !strings.Contains(strings.Join(assumed, "\n"), a) {
					assumed = append(assumed, a)
				}
			}
			if fl.capSeen {
				return nil, "its capacity is asked for at " + p.pos(id.Pos()).String()
			}
			if fl.nilSeen && nilSeen == "" {
				nilSeen = p.pos(id.Pos()).String()
			}
		}
	}
	if nilSeen != "" && !s.append.full {
		return nil, "an empty result would no longer be nil, which " + nilSeen + " can tell"
	}
	o := model.Obligation{Text: s.field.Name() + " is the only thing that refers to what it holds", How: "proven",
		Why: "every use in the package reads, slices or replaces it in place, or passes it to a function that does not keep it"}
	if len(assumed) > 0 {
		o.How, o.Why = "assumed", strings.Join(assumed, "; ")
	}
	style := model.Obligation{Text: types.ExprString(s.call.Fun) + " only appends to its destination", How: "proven", Why: "read in its source"}
	if len(s.append.assumed) > 0 {
		style.How, style.Why = "assumed", strings.Join(s.append.assumed, "; ")
	}
	obligations := []model.Obligation{o, style}
	if at := s.heldByTests(p); at != "" {
		obligations = append(obligations, model.Obligation{Text: "tests do not hold on to " + s.field.Name(), How: "assumed",
			Why: "the guard runs them; " + at + " refers to it"})
	}
	return obligations, ""
}

// selections returns the identifiers in a file that use the field declared
// at a position.
func selections(f *file, info *types.Info, field token.Pos) []*ast.Ident {
	var found []*ast.Ident
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok && v.IsField() && v.Pos() == field {
				found = append(found, id)
			}
		}
		return true
	})
	return found
}

func (s *stored) heldByTests(p *Program) string {
	for _, v := range p.testViews(s.m.file.pkg) {
		for _, f := range v.files {
			if !f.test {
				continue
			}
			if ids := selections(f, v.info, s.field.Pos()); len(ids) > 0 {
				return p.pos(ids[0].Pos()).String()
			}
		}
	}
	return ""
}

// use classifies one use of the field. The flow is nil for a use that does
// not read it.
func (s *stored) use(p *Program, f *file, id *ast.Ident) (*flow, string) {
	where := " (" + p.pos(id.Pos()).String() + ")"
	sel, ok := f.parent(id).(*ast.SelectorExpr)
	if !ok {
		if kv, ok := f.parent(id).(*ast.KeyValueExpr); ok && kv.Key == id {
			return nil, "" // set in a composite literal
		}
		return nil, "it is used in a way that pawl does not follow" + where
	}
	fn := p.functionAt(p.pos(id.Pos()))
	if fn == nil {
		return nil, "it is used outside of any function" + where
	}
	if f.literal(sel) != nil && !f.inPlace(f.literal(sel)) {
		return nil, "it is used in a function literal that may run later" + where
	}
	if a, ok := f.parent(sel).(*ast.AssignStmt); ok {
		for _, l := range a.Lhs {
			if l == sel {
				return nil, ""
			}
		}
	}
	fl := &flow{p: p, fn: fn, noLocals: true}
	fl.store = func(lhs, _ ast.Expr) bool {
		l, ok := lhs.(*ast.SelectorExpr)
		return ok && fn.info().Uses[l.Sel] == s.field && sameVariable(fn.info(), l.X, sel.X)
	}
	fl.expr(sel)
	fl.drain()
	if len(fl.leaks) > 0 {
		return nil, "it is " + fl.leaks[0].why + where
	}
	if fl.results != 0 {
		return nil, "it is returned" + where
	}
	return fl, s.overtaken(p, fn, f, sel, fl)
}

// overtaken says whether the storage may be reused while sel is still being
// read: in a call that it is passed to, in the body of a range over it, or by
// the very call that fills the storage again.
func (s *stored) overtaken(p *Program, fn *function, f *file, sel *ast.SelectorExpr, fl *flow) string {
	goal, where := s.m.obj.FullName(), " ("+p.pos(sel.Pos()).String()+")"
	if back, _ := p.reaches(p.edgesIn(s.m.function, s.call), fn.obj.FullName()); back {
		return types.ExprString(s.call.Fun) + " leads to " + fn.obj.Name() + ", which reads it while it is overwritten" + where
	}
	for _, h := range fl.calls {
		if decl := p.function(h.fn); decl != nil && !isInterfaceMethod(h.fn) {
			if h.fn.FullName() == goal {
				return "it is passed to " + s.m.obj.Name() + where
			}
			if back, _ := p.reaches(p.edgesOf(decl), goal); back {
				return "it is passed to " + h.fn.Name() + ", which leads to " + s.m.obj.Name() + where
			}
		}
		// Its other arguments are evaluated while the slice is already taken.
		if back, _ := p.reaches(p.edgesIn(fn, h.call), goal); back && h.fn.FullName() != goal {
			return "a call that it is passed to leads to " + s.m.obj.Name() + where
		}
	}
	for n := f.parent(sel); n != nil; n = f.parent(n) {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || !within(loop.X, sel) {
			continue
		}
		if back, _ := p.reaches(p.edgesIn(fn, loop.Body), goal); back || fn.obj == s.m.obj && within(loop.Body, s.stmt) {
			return "a loop over it leads to " + s.m.obj.Name() + where
		}
	}
	return ""
}
