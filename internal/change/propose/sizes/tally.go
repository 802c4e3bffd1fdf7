package sizes

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
)

// A tally is a loop that adds to a slice what each element of something has, as in out = append(out, g.items...). A
// loop before it can count that.
type tally struct {
	*sized
	loop  *ast.RangeStmt
	add   ast.Stmt
	guard *ast.Ident // a variable of the loop that may be a nil pointer
	short ast.Expr   // the room for one element each that the statement before the loop makes, nil for other statements
}

// talliedAt returns the tallies whose additions are on a line.
func talliedAt(p *prove.Program, fn *prove.Function, line int) []*tally {
	var found []*tally
	for add := range code.All[ast.Stmt](fn.Decl.Body) {
		a, ok := additionIn(fn.Info(), add)
		if !ok || !p.Covers(add, line) || !code.SameVariable(fn.Info(), a.to, a.to) {
			continue
		}
		g := &growing{counter: counter{p, fn, a.to}, typ: fn.Info().TypeOf(a.to)}
		loop := tallyLoop(fn.File, add, a)
		if _, slice := code.Core(g.typ).(*types.Slice); !slice || loop == nil || g.declaredIn(loop) {
			continue
		}
		g.list = code.StmtList(fn.File.Parent(loop))
		at := slices.Index(g.list, ast.Stmt(loop))
		t := &tally{sized: &sized{growing: g, first: at, from: at}, loop: loop, add: add}
		if at > 0 {
			t.short = t.shortIn(g.list[at-1])
		}
		if g.made = at - 1; at < 0 || t.short == nil && g.roomy(false) || slices.ContainsFunc(found, t.like) {
			continue
		}
		if each, _ := t.counter.list(loop.Body.List); len(each.parts) > 0 && !slices.ContainsFunc(each.parts, t.unlisted) {
			found = append(found, t)
		}
	}
	return found
}

// tallyLoop returns the loop whose iterations add several elements each: around one that adds them one by one, or
// around a statement that adds all of another slice.
func tallyLoop(f *prove.File, add ast.Stmt, a addition) *ast.RangeStmt {
	body := f.Loop(add)
	if body != nil && a.spread == nil {
		body = f.Loop(f.Parent(body))
	}
	if body == nil {
		return nil
	}
	loop, _ := f.Parent(body).(*ast.RangeStmt)
	return loop
}

// shortIn returns len(x) where a statement makes the slice by make([]T, 0, len(x)), for a loop over x.
func (t *tally) shortIn(s ast.Stmt) ast.Expr {
	info := t.fn.Info()
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || !t.names(a.Lhs[0]) || !ownLine(t.p, t.fn.File, a) {
		return nil
	}
	call, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "make" || len(call.Args) != 3 {
		return nil
	}
	n, ok := ast.Unparen(call.Args[2]).(*ast.CallExpr)
	if zero, none := prove.ConstInt(info, call.Args[1]); !none || zero != 0 || !ok ||
		code.Builtin(info, n) != "len" || !code.SameVariable(info, n.Args[0], t.loop.X) {
		return nil
	}
	return n
}

// unlisted reports whether something other than a list, map or text says how much a part adds.
func (t *tally) unlisted(one part) bool {
	_, ptr := t.fn.Info().TypeOf(one.of).Underlying().(*types.Pointer)
	return ptr || one.found || code.IsInteger(t.fn.Info().TypeOf(one.of))
}

// like reports whether another tally is of the same slice and loop.
func (t *tally) like(o *tally) bool { return o.loop == t.loop && o.names(t.to) }

// counted works out the change for a tally.
func (t *tally) counted() (*model.Change, *prove.Reason) {
	each, why := t.counter.list(t.loop.Body.List)
	if why = cmp.Or(why, t.plain(), t.lengths(each.parts), t.leaves()); why != nil {
		return nil, why
	}
	if n := t.lets(); n != nil {
		return nil, prove.Refuse("other goroutines may write what is counted until the loop has come to " + t.p.Pos(n.Pos()).String())
	}
	t.total, t.fewer = each, cmp.Or(each.fewer, t.ends())
	null, why := t.null()
	if why != nil && t.startsAt() {
		null.Why, why = "it is made right before its first element is added", t.halfStarted()
	} else if why == nil {
		why = t.halfDone(t.loop)
	}
	if why = cmp.Or(why, t.shows()); why != nil {
		return nil, why
	}
	edits, why := t.countEdits()
	if why != nil {
		return nil, why
	}
	what, of := types.ExprString(t.to), types.ExprString(t.loop.X)
	full := model.Obligation{Text: what + " comes to hold about as many more elements as are counted", How: "proven", Why: "nothing changes the lengths meanwhile"}
	switch {
	case t.fewer != "":
		full.How, full.Why = "assumed", t.fewer+"; measurement decides whether that pays"
	case t.busy() != nil:
		full.How, full.Why = "assumed", "what the loop calls seldom changes the lengths"
	}
	retains := ""
	if t.fewer != "" {
		retains = "room for all that is counted as long as " + what + " lives, however few are added"
	}
	return t.p.Change(t.fn, edits, model.Change{
		Kind: "capacity-hint", Retains: retains,
		Title: fmt.Sprintf("%s: count what %s of %s adds to %s, and grow that once", t.fn.File.Pkg.Name, of, t.fn.Obj.Name(), what),
		Obligations: []model.Obligation{
			{Text: "counting shows in nothing and cannot panic", How: "proven",
				Why: "it asks for lengths alone, where nothing can be nil, and the loop does not wait for other goroutines, which could write them only then"},
			null,
			{Text: "how much room " + what + " has does not show", How: "assumed", Why: "what append leaves is unspecified, so that nobody can rely on it"},
			full,
		},
	})
}

// plain says why the loop cannot run twice, or what it adds to is not the same slice throughout.
func (t *tally) plain() *prove.Reason {
	info := t.fn.Info()
	of := types.ExprString(t.loop.X)
	switch code.Core(info.TypeOf(t.loop.X)).(type) {
	case *types.Slice, *types.Array, *types.Map:
	default:
		return prove.Refuse(of + " cannot be ranged over twice")
	}
	elem := code.Core(t.typ).(*types.Slice).Elem()
	switch {
	case code.Countable(info, t.loop.X) == nil:
		return prove.Refuse(of + " cannot be ranged over twice")
	case t.loop.Tok == token.ASSIGN:
		return prove.Refuse("the loop sets variables that are there before")
	case hasTypeParams(t.fn):
		return prove.Refuse(t.fn.Obj.Name() + " is generic")
	case t.p.Packages[0].TypesSizes.Sizeof(elem) == 0:
		return prove.Refuse("its elements take no memory")
	case code.Jumps(t.fn.Decl.Body):
		return prove.Refuse(t.fn.Obj.Name() + " uses goto")
	case t.sets(t.loop) || t.moves(t.loop):
		return prove.Refuse("it is given another value while it is filled")
	case t.mentions(t.loop) != 2*len(t.adds(t.loop)):
		return prove.Refuse("it is looked at while it is filled")
	}
	return nil
}

// lengths says why what an iteration adds is not known before the loop.
func (t *tally) lengths(parts []part) *prove.Reason {
	info := t.fn.Info()
	for _, one := range parts {
		what := types.ExprString(one.of)
		e := ast.Unparen(one.of)
		for {
			sel, ok := e.(*ast.SelectorExpr)
			if !ok {
				break
			}
			field := info.Selections[sel]
			if field == nil || code.ThroughPointer(field) {
				return prove.Refuse(what + " goes through an embedded pointer that may be nil")
			}
			e = ast.Unparen(sel.X)
			if _, ptr := info.TypeOf(e).Underlying().(*types.Pointer); ptr {
				id, name := e.(*ast.Ident)
				if !name || !t.own(id) || t.guard != nil && t.guard.Name != id.Name {
					return prove.Refuse(types.ExprString(e) + " may be nil where it is counted")
				}
				t.guard = id
			}
		}
		id, ok := e.(*ast.Ident)
		if v := code.Var(info, e); !ok || !code.Local(v) || code.WrittenIn(info, t.loop.Body, v) || !t.own(id) && code.Declares(t.loop, v) {
			return prove.Refuse(what + " is not there before the loop, or is set in it")
		}
	}
	return nil
}

// own reports whether a name is a variable of the loop.
func (t *tally) own(id *ast.Ident) bool {
	is := func(e ast.Expr) bool {
		def, ok := e.(*ast.Ident)
		return ok && t.fn.Info().Defs[def] != nil && t.fn.Info().Defs[def] == t.fn.Info().Uses[id]
	}
	return is(t.loop.Key) || is(t.loop.Value)
}

// leaves says where the loop may end before all is added.
func (t *tally) leaves() *prove.Reason {
	if early, _ := code.Exits(t.fn.Info(), t.loop.Body, token.NoPos); early {
		return prove.Refuse("the loop that fills it may end early")
	}
	return nil
}

// ends says why the loop may add less than is counted.
func (t *tally) ends() string {
	info, body := t.fn.Info(), t.loop.Body
	if _, exact := code.Exits(info, body, token.NoPos); !exact {
		return "the loop ends when there is an error"
	}
	if skips, _ := code.Exits(info, body, body.End()); skips {
		return "an iteration may add nothing"
	}
	return ""
}

// countEdits write the loop that counts, and what then gives the slice room. What a condition decides about is not
// counted: the room is for all of it, if anything is counted.
func (t *tally) countEdits() ([]model.Edit, *prove.Reason) {
	f, of := t.fn.File, t.p.Source(t.fn.File, code.Countable(t.fn.Info(), t.loop.X))
	each, all := total{fixed: t.least, parts: t.parts}.size(), ""
	for _, at := range []ast.Node{t.loop, t.loop.Body.List[0], t.add} {
		if why := t.predeclared(each, at); why != nil {
			return nil, why
		}
	}
	n := code.FirstFree(t.fn.Decl, "n", "count", "total", "sum")
	if n == "" {
		return nil, prove.Refuse("no name is free for the number of elements")
	}
	if more := t.fixed - t.least; more > 0 {
		all = "+" + total{parts: []part{{times: more, text: "len(" + of + ")"}}}.size()
	}
	step := n + " += " + each
	if t.guard != nil {
		step = "if " + t.guard.Name + " != nil {\n\t\t" + step + "\n\t}"
	}
	text := fmt.Sprintf("%s := 0\nfor %srange %s {\n\t%s\n}\n", n, t.head(), of, step)
	if t.short != nil {
		return []model.Edit{t.p.Insert(f, t.list[t.made].Pos(), text), t.p.Put(f, t.short.Pos(), t.short.End(), n+all)}, nil
	}
	if t.starts != nil {
		return []model.Edit{t.p.Insert(f, t.loop.Pos(), text), t.p.Insert(f, t.starts[0].Pos(), t.startText(n+all))}, nil
	}
	grown, imports, why := t.grown(t.loop, n+all)
	if why != nil {
		return nil, why
	}
	if all != "" || t.shared(t.to) {
		grown = "if " + n + " > 0 {\n\t" + strings.ReplaceAll(grown, "\n", "\n\t") + "\n}"
	}
	text += grown + "\n"
	return append([]model.Edit{t.p.Insert(f, t.loop.Pos(), text)}, imports...), nil
}

// head declares the variables of the loop that counting needs.
func (t *tally) head() string {
	used := func(e ast.Expr) string {
		if id, ok := e.(*ast.Ident); ok && slices.ContainsFunc(t.parts, func(one part) bool { return code.Worded(one.of, id.Name) }) {
			return id.Name
		}
		return ""
	}
	key, value := used(t.loop.Key), used(t.loop.Value)
	switch {
	case value != "":
		return cmp.Or(key, "_") + ", " + value + " := "
	case key != "":
		return key + " := "
	}
	return ""
}
