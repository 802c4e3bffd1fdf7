package loops

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/words"
)

// LocalFields keeps fields in variables while a loop runs.
var LocalFields = prove.Transformation{
	Name: "local-fields",
	Doc: "Fields behind a pointer that a loop sets or reads in each iteration, as a text and the position in it, are variables of " +
		"the function while the loop runs. These can be in registers. That counts on a program without data races: a loop that " +
		"waits for another goroutine's plain write may not see it.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "local-fields", "BenchmarkSkip", "cpu", "a position in a register instead of in memory", 0),
	// It looks at the loops around the target's line, the outermost first.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		taken := map[*types.Var]bool{}
		for _, stmt := range loopsAt(s.Program, s.Fn, s.At.Line) {
			for _, l := range fieldLoops(s.Program, s.Fn, stmt) {
				if taken[l.base] {
					continue
				}
				c, why := l.propose()
				taken[l.base] = c != nil
				s.AddAt(s.Pos(stmt.Pos()), "a loop goes through "+l.base.Name()+" in each iteration", c, why)
			}
		}
	}),
}

// A fieldLoop is a loop that goes through a pointer for fields.
type fieldLoop struct {
	p      *prove.Program
	fn     *prove.Function
	loop   ast.Stmt
	at     ast.Stmt // with its label
	base   *types.Var
	fields []*loopField
}

// A loopField is a field that a loop mentions.
type loopField struct {
	v    *types.Var
	uses []*ast.SelectorExpr
	set  bool
	name string // of the variable that stands for it
}

// fieldLoops reads which pointers a loop goes through for fields that it sets, or for slices, texts and maps where it also
// stores elements: else the compiler keeps what it has read.
func fieldLoops(p *prove.Program, fn *prove.Function, loop ast.Stmt) (found []*fieldLoop) {
	info := fn.Info()
	for sel := range code.All[*ast.SelectorExpr](loop) {
		base, field := direct(info, sel)
		if base == nil || !inRegister(field.Type()) {
			continue
		}
		i := slices.IndexFunc(found, func(l *fieldLoop) bool { return l.base == base })
		if i < 0 {
			i = len(found)
			found = append(found, &fieldLoop{p: p, fn: fn, loop: loop, at: loop, base: base})
		}
		found[i].add(field, sel)
	}
	stores := code.Any(loop, func(a *ast.AssignStmt) bool {
		return slices.ContainsFunc(a.Lhs, func(x ast.Expr) bool { _, ok := x.(*ast.IndexExpr); return ok })
	})
	return slices.DeleteFunc(found, func(l *fieldLoop) bool {
		return !slices.ContainsFunc(l.fields, func(f *loopField) bool {
			_, basic := f.v.Type().Underlying().(*types.Basic)
			return f.set || stores && (!basic || code.IsString(f.v.Type()))
		})
	})
}

// direct reads x.f where x is a local pointer to the struct that has f.
func direct(info *types.Info, sel *ast.SelectorExpr) (base, field *types.Var) {
	s := info.Selections[sel]
	id, ok := sel.X.(*ast.Ident)
	if !ok || s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return nil, nil
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok || !code.Local(v) {
		return nil, nil
	}
	if _, ptr := v.Type().Underlying().(*types.Pointer); !ptr {
		return nil, nil
	}
	return v, s.Obj().(*types.Var)
}

// inRegister reports whether variables of a type can be in registers.
func inRegister(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	}
	return false
}

func (l *fieldLoop) add(v *types.Var, sel *ast.SelectorExpr) {
	i := slices.IndexFunc(l.fields, func(f *loopField) bool { return f.v == v })
	if i < 0 {
		i = len(l.fields)
		l.fields = append(l.fields, &loopField{v: v})
	}
	f := l.fields[i]
	f.uses = append(f.uses, sel)
	f.set = f.set || l.fn.File.AssignedTo(sel)
}

func (l *fieldLoop) propose() (*model.Change, *prove.Reason) {
	if why := prove.Editable(l.fn.File); why != nil {
		return nil, why
	}
	if why := l.closed(); why != nil {
		return nil, why
	}
	if at := l.p.Converted(l.base.Type()); at != "" {
		return nil, prove.Refusef("%s may be what a pointer to another struct points to (%s)", l.base.Name(), at)
	}
	for _, f := range l.fields {
		if why := l.alone(f); why != nil {
			return nil, why
		}
	}
	if slices.ContainsFunc(l.fields, func(f *loopField) bool { return f.set }) {
		if why := cmp.Or(l.p.Recovers(l.fn), l.shared()); why != nil {
			return nil, why
		}
	}
	inv := &prove.Invariant{Prog: l.p, Fn: l.fn, Stmt: l.loop}
	if !inv.Reached(l.fields[0].uses[0].X) {
		return nil, prove.Refuse(l.base.Name() + " may be nil where the loop does not run")
	}
	if why := l.named(); why != nil {
		return nil, why
	}
	fields, _ := l.mentioned(l.fields)
	kept := slices.DeleteFunc(slices.Clone(l.fields), func(f *loopField) bool { return !f.set })
	obligations := []model.Obligation{
		{Text: "nothing else reads or sets them meanwhile", How: "proven", Why: "the loop calls only what computes, and goes through no other pointer to them"},
		{Text: l.base.Name() + " is not nil before the loop", How: "proven", Why: inv.NonNil[0]},
	}
	races := model.Obligation{Text: "no other goroutine reads them meanwhile", How: "proven", Why: "one is set behind the loop only where that has changed it"}
	if !exact(kept) {
		races.How, races.Why = "assumed", "but for a loop that leaves before a turn has set one, one is set anyway: it would be a data race already"
	}
	if len(kept) > 0 {
		obligations = append(obligations,
			model.Obligation{Text: "they are set wherever the loop is left", How: "proven", Why: "behind it, and before each return and panic in it"},
			races,
			model.Obligation{Text: "nobody who recovers asks for them", How: "assumed", Why: "an index out of range in the loop would leave them as they were before it; nothing that was read recovers from it"})
	}
	return l.p.Change(l.fn, l.edits(kept), model.Change{
		Kind:        "local-fields",
		Title:       fmt.Sprintf("%s: keep %s in variables in a loop of %s", l.fn.File.Pkg.Name, words.Some(fields, mostListed), l.fn.Obj.Name()),
		Obligations: obligations,
	})
}

// mostListed is how many fields are named.
const mostListed = 3

// closed says why the loop may have to do with more than fields and variables.
func (l *fieldLoop) closed() *prove.Reason {
	f := l.fn.File
	if label, ok := f.Parent(l.loop).(*ast.LabeledStmt); ok {
		l.at = label
	}
	if code.Jumps(l.fn.Decl.Body) || !slices.Contains(code.StmtList(f.Parent(l.at)), l.at) {
		return prove.Refuse("nothing can stand before the loop")
	}
	if code.Any(l.fn.Decl.Body, l.recovers) && slices.ContainsFunc(l.fields, func(x *loopField) bool { return x.set }) {
		return prove.Refuse("a deferred call may see what a panic in the loop has left")
	}
	for n := range code.All[ast.Node](l.loop) {
		if l.odd(n) {
			return prove.Refusef("the loop does more than to read and set fields and variables (%s)", l.p.Pos(n.Pos()))
		}
	}
	return l.waits()
}

// recovers reports whether a deferred call may run code of the module.
func (l *fieldLoop) recovers(d *ast.DeferStmt) bool {
	target := code.Callee(l.fn.Info(), d.Call)
	return target == nil || code.IsInterfaceMethod(target) || l.p.InModule(target)
}

// odd reports whether a part of the loop may run code that knows the fields, let others do so, leave the loop for
// elsewhere, or mention a struct that holds them as a whole.
func (l *fieldLoop) odd(n ast.Node) bool {
	info := l.fn.Info()
	if e, ok := n.(ast.Expr); ok && info.Types[e].IsValue() && code.Holds(info.TypeOf(e), l.fields[0].v) {
		return true
	}
	switch n := n.(type) {
	case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.RangeStmt:
		return prove.OthersRange(info, n) || n.Tok == token.ASSIGN
	case *ast.BranchStmt:
		to := info.ObjectOf(n.Label)
		return n.Label != nil && (to.Pos() < l.at.Pos() || l.at.End() < to.Pos())
	case *ast.CallExpr:
		return !l.p.Harmless(info, n) || code.Stores(info, n, []*types.Var{l.fields[0].v}, true) != nil
	case *ast.Ident:
		sel, ok := l.fn.File.Parent(n).(*ast.SelectorExpr)
		s := info.Selections[sel]
		return info.Uses[n] == l.base && (!ok || s == nil || s.Kind() != types.FieldVal)
	}
	return false
}

// waits says whether nothing that the loop does can end it: it may wait for another goroutine to set a field.
func (l *fieldLoop) waits() *prove.Reason {
	loop, ok := l.loop.(*ast.ForStmt)
	if !ok {
		return nil
	}
	info, asked := l.fn.Info(), []ast.Expr{loop.Cond}
	for n := range code.All[ast.Node](loop.Body) {
		switch n := n.(type) {
		case *ast.IfStmt:
			asked = append(asked, n.Cond)
		case *ast.SwitchStmt:
			asked = append(asked, n.Tag)
		case *ast.CaseClause:
			asked = append(asked, n.List...)
		}
	}
	for _, x := range asked {
		if x != nil && code.Any(x, func(id *ast.Ident) bool {
			v, ok := info.Uses[id].(*types.Var)
			return ok && (v.IsField() && l.sets(v) || code.Local(v) && v != l.base && code.WrittenIn(info, loop, v))
		}) {
			return nil
		}
	}
	return prove.Refuse("another goroutine may be meant to end the loop")
}

func (l *fieldLoop) sets(v *types.Var) bool {
	return slices.ContainsFunc(l.fields, func(f *loopField) bool { return f.v == v && f.set })
}

// alone says why a field may be read or set by other names than those that are replaced.
func (l *fieldLoop) alone(f *loopField) *prove.Reason {
	info := l.fn.Info()
	ours := func(x ast.Expr) bool {
		sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
		return ok && slices.Contains(f.uses, sel)
	}
	for n := range code.All[ast.Node](l.loop) {
		other := false
		switch n := n.(type) {
		case *ast.SelectorExpr:
			v, ok := info.ObjectOf(n.Sel).(*types.Var)
			s := info.Selections[n]
			other = ok && v.Origin() == f.v.Origin() && !ours(n) ||
				s != nil && (code.Promotes(f.v, s) || s.Kind() == types.MethodVal && ours(n.X) && code.Addressing(info, n))
		case *ast.UnaryExpr:
			other = n.Op == token.AND && ours(n.X)
		case *ast.StarExpr:
			other = info.Types[n].IsValue() && code.Repoints(info.TypeOf(n), f.v.Type())
		}
		if other {
			return prove.Refusef("%s.%s may be reached by another name (%s)", l.base.Name(), f.v.Name(), l.p.Pos(n.Pos()))
		}
	}
	return nil
}

// shared says why another goroutine may read the fields: the loop has turns that set none, and behind it they are set.
func (l *fieldLoop) shared() *prove.Reason {
	if l.p.SetsEachTurn(l.fn, l.loop, l.base) {
		return nil
	}
	if m, why := l.p.MethodOf(l.fn); why == nil && m.Recv == l.base {
		if _, why := l.p.OneAtATime(m, l.loop); why == nil {
			return nil
		}
	}
	return prove.Refuse("a turn of the loop may set no field: other goroutines may read them meanwhile, and setting them behind the loop would be a data race")
}

// exact reports whether it can be asked of all fields whether they have changed.
func exact(kept []*loopField) bool {
	return !slices.ContainsFunc(kept, func(f *loopField) bool { return !code.Exact(f.v.Type()) })
}

// named gives each field a variable that the function has no name like.
func (l *fieldLoop) named() *prove.Reason {
	f, taken := l.fn.File, map[string]bool{}
	for id := range code.All[*ast.Ident](l.fn.Decl) {
		sel, ok := f.Parent(id).(*ast.SelectorExpr)
		taken[id.Name] = taken[id.Name] || !ok || sel.Sel != id
	}
	for _, x := range l.fields {
		name := code.LowerName(x.v.Name())
		for _, name = range []string{name, "its" + code.UpperName(name), name + "Now"} {
			if !taken[name] && code.Nameable(name) {
				break
			}
		}
		if taken[name] || !code.Nameable(name) {
			return prove.Refuse("no name is free for " + l.base.Name() + "." + x.v.Name())
		}
		x.name, taken[name] = name, true
	}
	return nil
}

// mentioned are the fields, and the variables for them, as they are written.
func (l *fieldLoop) mentioned(of []*loopField) (fields, variables []string) {
	for _, x := range of {
		fields, variables = append(fields, l.base.Name()+"."+x.v.Name()), append(variables, x.name)
	}
	return fields, variables
}

// edits put the variables for the fields, and set those fields of kept where the loop is left.
func (l *fieldLoop) edits(kept []*loopField) (edits []model.Edit) {
	f := l.fn.File
	put := func(from, to token.Pos, text string) {
		edits = append(edits, l.p.Put(f, from, to, text))
	}
	sets := func(to, from []string, how string) string {
		return strings.Join(to, ", ") + how + strings.Join(from, ", ")
	}
	fields, variables := l.mentioned(l.fields)
	above := l.p.Above(f, l.at)
	put(above, above, sets(variables, fields, " := ")+"\n")
	for _, x := range l.fields {
		for _, use := range x.uses {
			put(use.Pos(), use.End(), x.name)
		}
	}
	if len(kept) == 0 {
		return edits
	}
	fields, variables = l.mentioned(kept)
	back := sets(fields, variables, " = ")
	if exact(kept) { // others may read what has not changed
		back = ""
		for i, x := range variables {
			back += fmt.Sprintf("if %s != %s {\n%[2]s = %[1]s\n}\n", x, fields[i])
		}
		back = strings.TrimSuffix(back, "\n")
	}
	for s := range code.All[ast.Stmt](l.loop) {
		_, returns := s.(*ast.ReturnStmt)
		if at := l.p.Above(f, s); returns || prove.CallsPanic(l.fn.Info(), s) {
			put(at, at, back+"\n")
		}
	}
	if l.ends() {
		put(l.at.End(), l.at.End(), "\n"+back)
	}
	return edits
}

// ends reports whether what follows the loop can be reached.
func (l *fieldLoop) ends() bool {
	loop, ok := l.loop.(*ast.ForStmt)
	return !ok || loop.Cond != nil || code.Any(loop.Body, func(b *ast.BranchStmt) bool {
		if b.Tok != token.BREAK || b.Label != nil {
			return b.Tok == token.BREAK && l.fn.Info().ObjectOf(b.Label).Pos() == l.at.Pos()
		}
		up := l.fn.File.Parent(b)
		for {
			switch up.(type) {
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
				return up == ast.Node(loop)
			}
			up = l.fn.File.Parent(up)
		}
	})
}
