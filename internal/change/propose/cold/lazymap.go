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

// LazyMap makes the map of a new struct when something is stored in it.
var LazyMap = prove.Transformation{
	Name: "lazy-map",
	Doc: "A struct is made with an empty map in a field. The map is made where the first value is stored, " +
		"so that a struct in which nothing is stored does without.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "lazy-map", "BenchmarkNew", "allocs", "no map for a scope that defines nothing", 0),
	// It looks at the fields that the target's line makes a map for.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for e := range prove.On[ast.Expr](s) {
			if emptyMap(s.Fn.Info(), e) == "" {
				continue
			}
			if field := madeFor(s.Fn, e); field != nil {
				c, why := proposeLazyMap(&lazyMap{p: s.Program, fn: s.Fn, field: field})
				s.Add(field.Name()+" is made before anything is stored in it", c, why)
			}
		}
	}),
}

// emptyMap returns the type of a map that is made with nothing in it, as it is written there; "" for anything else.
func emptyMap(info *types.Info, e ast.Expr) string {
	typ := code.MadeEmpty(info, e)
	if typ == nil {
		return ""
	}
	if _, ok := info.TypeOf(typ).Underlying().(*types.Map); !ok {
		return ""
	}
	return types.ExprString(typ)
}

// madeFor returns the field that gets a value, nil if none does.
func madeFor(fn *prove.Function, value ast.Expr) *types.Var {
	var field types.Object
	switch up := fn.File.Parent(value).(type) {
	case *ast.KeyValueExpr:
		if id, ok := up.Key.(*ast.Ident); ok {
			field = fn.Info().Uses[id]
		}
	case *ast.AssignStmt:
		if i := slices.Index(up.Rhs, value); i >= 0 && len(up.Lhs) == len(up.Rhs) {
			if sel, ok := up.Lhs[i].(*ast.SelectorExpr); ok {
				field = fn.Info().Uses[sel.Sel]
			}
		}
	}
	if v, ok := field.(*types.Var); ok && v.IsField() {
		return v
	}
	return nil
}

// A lazyMap is a field whose map is made with nothing in it.
type lazyMap struct {
	p      *prove.Program
	fn     *prove.Function
	field  *types.Var
	typ    string              // as it is written where it is made
	stores map[ast.Stmt]string // what they store in
	gone   bool                // it, or the struct as a whole, is assigned to after the struct is made
	edits  []model.Edit
}

func proposeLazyMap(l *lazyMap) (*model.Change, *prove.Reason) {
	copied, why := l.p.Hidden(l.fn, l.field)
	if why == nil && copied != "" {
		why = prove.Refusef("the struct is copied (%s): the copies share the map", copied)
	}
	l.stores = map[ast.Stmt]string{}
	for _, look := range []func(*prove.File, *types.Info, ast.Expr, ast.Node) *prove.Reason{l.made, l.use} {
		if why == nil {
			why = l.p.EachUse(l.fn, l.field, look)
		}
	}
	if why == nil && len(l.stores) == 0 {
		why = prove.Refuse("nothing is ever stored in it")
	}
	if why != nil {
		return nil, why
	}
	return l.p.Change(l.fn, l.edits, model.Change{
		Kind:  "lazy-map",
		Title: fmt.Sprintf("%s: make %s when something is stored in it, and not in %s", l.fn.File.Pkg.Name, l.field.Name(), l.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "a nil map is as good as an empty one", How: "proven", Why: "each use of the field looks up, deletes, counts, goes over or stores; nobody compares it, hands it on, or copies the struct"},
			{Text: "there is a map where something is stored", How: "proven", Why: "the statement in front makes it"},
			{Text: "no two goroutines make it at once", How: "assumed", Why: "a map must not be stored in by two at once either"},
			{Text: "nobody tells a nil map from an empty one by reflection, or counts on the panic of a store in what is nil", How: "assumed", Why: "the field is not exported"},
		},
	})
}

// made leaves a map out where it is made empty.
func (l *lazyMap) made(f *prove.File, info *types.Info, e ast.Expr, up ast.Node) *prove.Reason {
	switch up := up.(type) {
	case *ast.KeyValueExpr:
		if typ := emptyMap(info, up.Value); up.Key == e && typ != "" {
			l.gone = l.gone || overwrites(f, up)
			return l.leaveOut(f, up, typ)
		}
	case *ast.AssignStmt:
		l.gone = true
		if i := slices.Index(up.Lhs, e); i >= 0 && len(up.Lhs) == len(up.Rhs) {
			if typ := emptyMap(info, up.Rhs[i]); typ != "" {
				return l.replace(f, up.Rhs[i].Pos(), up.Rhs[i].End(), "nil", typ)
			}
		}
	}
	return nil
}

// overwrites reports whether a literal with a field may replace a struct that is there, rather than make a new one.
func overwrites(f *prove.File, pair *ast.KeyValueExpr) bool {
	for n := f.Parent(pair); ; n = f.Parent(n) {
		switch n := n.(type) {
		case *ast.CompositeLit, *ast.KeyValueExpr, *ast.ParenExpr:
		case *ast.AssignStmt:
			return n.Tok != token.DEFINE
		case *ast.UnaryExpr, *ast.ValueSpec:
			return false
		default:
			return true
		}
	}
}

// leaveOut takes a field and its map out of a literal. Where there is a comment it is given nil.
func (l *lazyMap) leaveOut(f *prove.File, pair *ast.KeyValueExpr, typ string) *prove.Reason {
	lit, ok := f.Parent(pair).(*ast.CompositeLit)
	if !ok {
		return prove.Refuse("it is not made in a literal")
	}
	from, to := pair.Pos(), pair.End()
	switch i := slices.Index(lit.Elts, ast.Expr(pair)); {
	case i+1 < len(lit.Elts):
		to = lit.Elts[i+1].Pos()
	case i > 0:
		from = lit.Elts[i-1].End()
	default:
		from, to = lit.Lbrace+1, lit.Rbrace
	}
	line := l.p.Pos(pair.Pos()).Line
	if slices.ContainsFunc(f.Syntax.Comments, func(g *ast.CommentGroup) bool {
		return from <= g.Pos() && g.Pos() < to || l.p.Pos(g.Pos()).Line == line
	}) {
		return l.replace(f, pair.Value.Pos(), pair.Value.End(), "nil", typ)
	}
	return l.replace(f, from, to, "", typ)
}

func (l *lazyMap) replace(f *prove.File, from, to token.Pos, text, typ string) *prove.Reason {
	if why := prove.Editable(f); why != nil {
		return why
	}
	if l.typ != "" && l.typ != typ {
		return prove.Refuse("it is made as " + l.typ + ", and as " + typ)
	}
	l.typ = typ
	l.edits = append(l.edits, l.p.Put(f, from, to, text))
	return nil
}

// use takes one mention of the field in, and says why a nil map would not do there.
func (l *lazyMap) use(f *prove.File, info *types.Info, e ast.Expr, up ast.Node) *prove.Reason {
	switch up := up.(type) {
	case *ast.Field:
		return nil
	case *ast.KeyValueExpr:
		if up.Key == e {
			return nil
		}
	case *ast.AssignStmt:
		if slices.Contains(up.Lhs, e) {
			return nil
		}
	case *ast.CallExpr:
		if code.IsBuiltin(info, up, "len") || code.IsBuiltin(info, up, "delete") || code.IsBuiltin(info, up, "clear") {
			return nil
		}
	case *ast.RangeStmt:
		if up.X == e {
			return nil
		}
	case *ast.IndexExpr:
		if up.X == e {
			return l.index(f, info, e, up)
		}
	}
	return prove.Refusef("whether it is nil can matter (%s)", l.p.Pos(e.Pos()))
}

// index makes the map in front of a statement that stores in it.
func (l *lazyMap) index(f *prove.File, info *types.Info, e ast.Expr, x *ast.IndexExpr) *prove.Reason {
	store, _ := f.Parent(x).(ast.Stmt)
	if !slices.Contains(code.Assigned(store), ast.Expr(x)) || l.stores[store] == l.p.Source(f, e) {
		return nil
	}
	_, loop := store.(*ast.RangeStmt)
	switch {
	case l.stores[store] != "":
		return prove.Refusef("a statement stores in two of them (%s)", l.p.Pos(x.Pos()))
	case loop:
		return prove.Refusef("a loop stores in it (%s)", l.p.Pos(x.Pos()))
	case prove.Editable(f) != nil:
		return prove.Editable(f)
	case !slices.Contains(code.StmtList(f.Parent(store)), store):
		return prove.Refusef("a store is in the head of a statement (%s)", l.p.Pos(store.Pos()))
	case !pointedTo(info, e):
		return prove.Refusef("what holds it is no variable that points to the struct (%s)", l.p.Pos(store.Pos()))
	case l.gone && l.acts(info, store):
		return prove.Refusef("a call in the statement may set it to nil (%s)", l.p.Pos(store.Pos()))
	case l.moves(f, info, e) && l.acts(info, store):
		return prove.Refusef("a call in the statement may put another struct in its place (%s)", l.p.Pos(store.Pos()))
	case !code.Predeclared(f.Pkg.Types, store.Pos(), "make", "nil"):
		return prove.Refusef("make or nil means something else where something is stored (%s)", l.p.Pos(store.Pos()))
	}
	field, at := l.p.Source(f, e), l.p.Offset(store.Pos())
	list := code.StmtList(f.Parent(store))
	before := slices.Index(list, store) - 1
	l.stores[store] = field
	if before >= 0 && l.stores[list[before]] == field && len(code.Assigned(list[before])) == 1 {
		return nil // the one in front has made it, and left what holds it alone
	}
	l.edits = append(l.edits, l.p.Edit(f, at, at, fmt.Sprintf("if %[1]s == nil {\n\t%[1]s = make(%[2]s)\n}\n", field, l.typ)))
	return nil
}

// moves reports whether the struct that a field is of may be another one when code has run that does not name it.
func (l *lazyMap) moves(f *prove.File, info *types.Info, field ast.Expr) bool {
	sel := field.(*ast.SelectorExpr)
	holder := sel.X
	_, name := holder.(*ast.Ident)
	return !name || code.ThroughPointer(info.Selections[sel]) || code.Changeable(f.Pkg.Index(), info, holder)
}

// acts reports whether a statement runs code that may set fields and variables, or lets others do so.
func (l *lazyMap) acts(info *types.Info, store ast.Stmt) bool {
	return code.Any(store, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !l.p.Harmless(info, n)
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		}
		return false
	})
}

// pointedTo reports whether a field is one of a variable, or of a field of one and so on, on the way to which there is a
// pointer: it is that of the struct itself, and not of a copy.
func pointedTo(info *types.Info, field ast.Expr) bool {
	pointer := false
	for {
		sel, ok := field.(*ast.SelectorExpr)
		if !ok {
			return pointer && code.Var(info, field) != nil
		}
		if s := info.Selections[sel]; s == nil || s.Kind() != types.FieldVal {
			return false
		}
		field = sel.X
		_, points := info.TypeOf(field).Underlying().(*types.Pointer)
		pointer = pointer || points
	}
}
