package reflects

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// MapRange ranges over a map that reflection knows without a slice of its keys.
var MapRange = prove.Transformation{
	Name:     "map-range",
	Doc:      "A loop over v.MapKeys() goes through v.MapRange() instead, and v.MapIndex of the loop's key becomes the iterator's Value: no slice of the keys, and nothing is looked up. A map that a caller has on its stack escapes then.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "map-range", "BenchmarkFlat", "cpu", "no slice of the keys, and no look-up of each", 0),
	// It looks at the loops whose head, or whose look-up of an element, is on the target's
	// line or on those of the module's frames.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		if !callsReflect(s.Target, s.At) {
			return
		}
		for loop := range code.All[*ast.RangeStmt](s.Fn.Decl.Body) {
			if l := keyLoopOf(s.Program, s.Fn, loop); l != nil && l.covers(s.At.Line) {
				ch, why := l.propose()
				s.Add(types.ExprString(loop.X)+" makes a slice of the keys", ch, why)
			}
		}
	}),
}

// A keyLoop is for _, key := range of.MapKeys().
type keyLoop struct {
	p    *prove.Program
	fn   *prove.Function
	loop *ast.RangeStmt
	of   ast.Expr
	key  *types.Var
}

// covers reports whether the head of the loop, or a look-up of its key's element, stands on a line.
func (l *keyLoop) covers(line int) bool {
	return l.p.Covers(l.loop.X, line) || code.Any(l.loop.Body, func(c *ast.CallExpr) bool { return l.element(c) && l.p.Covers(c, line) })
}

// keyLoopOf reads a loop; it is nil for others, and for those that count the keys.
func keyLoopOf(p *prove.Program, fn *prove.Function, loop *ast.RangeStmt) *keyLoop {
	call, ok := ast.Unparen(loop.X).(*ast.CallExpr)
	if !ok || loop.Value == nil || loop.Tok != token.DEFINE || loop.Key.(*ast.Ident).Name != "_" || !isMethod(fn, call, "MapKeys") {
		return nil
	}
	key, ok := fn.Info().Defs[loop.Value.(*ast.Ident)].(*types.Var)
	if !ok {
		return nil
	}
	return &keyLoop{p, fn, loop, ast.Unparen(call.Fun).(*ast.SelectorExpr).X, key}
}

// isMethod reports whether a call is of a method of reflect.Value, by that name of it.
func isMethod(fn *prove.Function, call *ast.CallExpr, name string) bool {
	target := code.Callee(fn.Info(), call)
	_, named := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return named && target != nil && target.FullName() == "(reflect.Value)."+name && target.Signature().Params().Len() == len(call.Args)
}

// element reports whether a call looks the element of the loop's key up.
func (l *keyLoop) element(call *ast.CallExpr) bool {
	if !isMethod(l.fn, call, "MapIndex") {
		return false
	}
	of := ast.Unparen(call.Fun).(*ast.SelectorExpr).X
	id, named := ast.Unparen(of).(*ast.Ident)
	return named && prove.IsUseOf(l.fn.Info(), call.Args[0], l.key) && code.SameVariable(l.fn.Info(), id, l.of)
}

func (l *keyLoop) propose() (*model.Change, *prove.Reason) {
	f, info := l.fn.File, l.fn.Info()
	if f.Commented(&ast.ParenExpr{Lparen: l.loop.Pos(), Rparen: l.loop.Body.Lbrace}) {
		return nil, prove.Refuse("there is a comment within the head of the loop")
	}
	if code.Any(l.loop.Body, func(*ast.FuncLit) bool { return true }) {
		return nil, prove.Refuse("a function literal in the loop may run later")
	}
	if code.WrittenIn(info, l.loop.Body, l.key) || code.AddressTaken(info, l.loop.Body, l.key) {
		return nil, prove.Refuse("the loop assigns to " + l.key.Name() + ", or takes its address")
	}
	calm := &still{p: l.p, seen: map[*prove.Function]bool{}}
	if why := calm.check(l.fn, l.loop.Body); why != nil {
		return nil, prove.Refuse("the loop may change the map: " + why.String())
	}
	edits, looks, why := l.edits()
	if why != nil {
		return nil, why
	}
	return l.p.Change(l.fn, edits, model.Change{
		Kind:        "map-range",
		Title:       fmt.Sprintf("%s: range over %s without a slice of its keys in %s", f.Pkg.Name, prove.Short(types.ExprString(l.of)), l.fn.Obj.Name()),
		Obligations: l.obligations(looks),
	})
}

// edits writes the loop anew. The second result says whether it looks elements up.
func (l *keyLoop) edits() (edits []model.Edit, looks bool, why *prove.Reason) {
	f, p, info := l.fn.File, l.p, l.fn.Info()
	name := code.FirstFree(l.fn.Decl, "iter", "entries", "pairs")
	if name == "" {
		return nil, false, prove.Refuse("no name is free for the iterator")
	}
	head := fmt.Sprintf("for %s := %s.MapRange(); %s.Next(); {", name, p.Source(f, l.of), name)
	uses := 0
	for range prove.UsesIn(info, l.loop.Body, l.key) {
		uses++
	}
	for c := range code.All[*ast.CallExpr](l.loop.Body) {
		if !l.element(c) {
			continue
		}
		of := info.Uses[ast.Unparen(ast.Unparen(c.Fun).(*ast.SelectorExpr).X).(*ast.Ident)]
		if _, pointer := of.Type().(*types.Pointer); pointer || code.WrittenIn(info, l.loop.Body, of) || code.AddressTaken(info, l.fn.Decl.Body, of) || of.Parent() == l.fn.Obj.Pkg().Scope() {
			return nil, false, prove.Refuse(of.Name() + " may be another map in the loop")
		}
		if f.Commented(c) {
			return nil, false, prove.Refuse("there is a comment within the look-up of an element")
		}
		uses, looks = uses-1, true
		edits = append(edits, p.Put(f, c.Pos(), c.End(), name+".Value()"))
	}
	if uses > 0 {
		if p.Pos(l.loop.Body.List[0].Pos()).Line == p.Pos(l.loop.Body.Lbrace).Line {
			return nil, false, prove.Refuse("the loop stands on one line")
		}
		edits = append(edits, p.Insert(f, l.loop.Body.List[0].Pos(), l.key.Name()+" := "+name+".Key()\n"))
	}
	return append(edits, p.Edit(f, p.Offset(l.loop.For), p.Offset(l.loop.Body.Lbrace)+1, head)), looks, nil
}

func (l *keyLoop) obligations(looks bool) []model.Obligation {
	all := []model.Obligation{
		{Text: "the loop sees the same keys", How: "proven", Why: "nothing in it changes a map that was there before, or stores one in a variable, and what it calls in the module does not either"},
		{Text: "their order is nobody's business", How: "assumed", Why: "package reflect: MapKeys returns the keys in unspecified order"},
		{Text: "what panicked still panics", How: "assumed", Why: "package reflect: MapRange panics where the value is no map, as MapKeys does; the message names MapRange"},
	}
	if looks {
		all = append(all, model.Obligation{Text: "the iterator's values are what the look-ups found", How: "assumed",
			Why: "package reflect: MapIndex returns the element of the key. A key that is NaN has none for MapIndex, and no map has such keys"})
	}
	return all
}
