package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// An uneven is a row that is as long as the element that its loop is at, as in a copy of a list of lists.
type uneven struct {
	*element
	ranged     *ast.RangeStmt
	list       ast.Expr   // has an element for each row: what the loop ranges over, or another that it indexes
	key, value *types.Var // of the loop; nil for those that it does not have
	row        types.Type // of what a row is as long as
}

// uneven reads make([]T, len(v)) or make([]T, len(v.f)) in a loop whose value is v, or make([]T, len(x[i])) in one whose key is i; nil for
// other rows.
func (e *element) uneven() *uneven {
	info := e.fn.Info()
	loop, ok := e.loop.(*ast.RangeStmt)
	call, isCall := ast.Unparen(e.length()).(*ast.CallExpr)
	if !ok || loop.Tok != token.DEFINE || !isCall || code.Builtin(info, call) != "len" || info.Types[call].Value != nil {
		return nil
	}
	defined := func(e ast.Expr) *types.Var {
		id, _ := e.(*ast.Ident)
		v, _ := info.Defs[id].(*types.Var)
		return v
	}
	u := &uneven{element: e, ranged: loop, list: loop.X, key: defined(loop.Key), value: defined(loop.Value)}
	of := call.Args[0]
	u.row = info.TypeOf(of)
	if _, slice := u.row.Underlying().(*types.Slice); !slice && !code.IsString(u.row) || !u.isValue(of) && !u.indexed(of) {
		return nil
	}
	return u
}

// isValue reports whether an expression is the value of the loop, which nothing else sets, or a field within it.
func (u *uneven) isValue(x ast.Expr) bool {
	x = ast.Unparen(x)
	if sel, ok := x.(*ast.SelectorExpr); ok {
		_, pointer := u.fn.Info().TypeOf(sel.X).Underlying().(*types.Pointer)
		return !pointer && !u.embeds(sel) && u.isValue(sel.X)
	}
	return u.value != nil && code.Var(u.fn.Info(), x) == u.value && !u.written(u.value)
}

// indexed reports whether an expression is x[i] for a loop whose key is i, and nothing sets either.
func (u *uneven) indexed(x ast.Expr) bool {
	info := u.fn.Info()
	at, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok || u.key == nil || code.Var(info, at.Index) != u.key || u.written(u.key) {
		return false
	}
	u.list = at.X
	root := code.Var(info, code.RootIdent(at.X))
	return code.Local(root) && !u.written(root) && !code.Any(at.X, func(e ast.Expr) bool {
		sel, field := e.(*ast.SelectorExpr)
		_, name := e.(*ast.Ident)
		return !field && !name || field && u.embeds(sel)
	})
}

// embeds reports whether an embedded pointer, which may be nil, is on the way to a field, or what is no field is named.
func (u *uneven) embeds(sel *ast.SelectorExpr) bool {
	s := u.fn.Info().Selections[sel]
	return s == nil || code.ThroughPointer(s)
}

// written reports whether the loop may set a variable.
func (u *uneven) written(v *types.Var) bool {
	info := u.fn.Info()
	return code.WrittenIn(info, u.body, v) || code.AddressTaken(info, u.fn.Decl.Body, v)
}

// propose works out the change: a loop in front adds up the lengths.
func (u *uneven) propose() (*model.Change, *prove.Reason) {
	p, fn := u.p, u.fn
	_, count, why := u.each()
	if why == nil {
		why = cmp.Or(u.twice(), u.quiet())
	}
	if why != nil {
		return nil, why
	}
	single, why := p.PointersFree(fn.Info().TypeOf(u.typ))
	if why != nil {
		return nil, why
	}
	n := code.FirstFree(fn.Decl, "n", "count", "total", "sum")
	if n == "" {
		return nil, prove.Refuse("no name is free for the number of elements")
	}
	of, m := p.Source(fn.File, u.list), p.Source(fn.File, u.length())
	edits := u.rowEdits(fmt.Sprintf("%s := 0\n%s {\n\t%s += %s\n}\n", n, u.head(count), n, m), n, m)
	fits := model.Obligation{Text: "the rows have as many elements together as are counted", How: "proven",
		Why: "each iteration makes one of " + m + ", the loop calls nothing that could change these lengths, stores to nothing that could be one of them, and ends early for errors only"}
	if why := u.apart(); why != "" {
		edits = append(edits, p.Insert(fn.File, u.stmt.Pos(), u.remade(m)))
		fits = model.Obligation{Text: "each row has memory of its own", How: "proven",
			Why: "it is cut off what the others have left, or made by itself where that is too short: " + why}
	}
	return p.Change(fn, edits, model.Change{
		Kind:        "backing-array",
		Title:       fmt.Sprintf("%s: make the rows of %s, one for each of %s, in one array", fn.File.Pkg.Name, fn.Obj.Name(), of),
		Obligations: []model.Obligation{fits, capped(), single, u.together()},
		Retains:     fmt.Sprintf("the rows for all of %s as long as one of them is referred to", of),
	})
}

// head writes the head of a loop over what rows are made for; count says how many iterations there are.
func (u *uneven) head(count string) string {
	f, of := u.fn.File, u.p.Source(u.fn.File, u.list)
	switch {
	case u.isValue(ast.Unparen(u.length()).(*ast.CallExpr).Args[0]):
		return fmt.Sprintf("for _, %s := range %s", u.p.Source(f, u.ranged.Value), of)
	case u.beside():
		of = fmt.Sprintf("min(%s, len(%s))", count, of)
	}
	return fmt.Sprintf("for %s := range %s", u.p.Source(f, u.ranged.Key), of)
}

// beside reports whether the list is another than the loop ranges over.
func (u *uneven) beside() bool {
	return u.list != u.ranged.X && !code.SameVariable(u.fn.Info(), u.list, u.ranged.X)
}

// twice says why the loop's head cannot be written a second time.
func (u *uneven) twice() *prove.Reason {
	x := u.list
	if u.beside() {
		_, isSlice := u.fn.Info().TypeOf(x).Underlying().(*types.Slice)
		if _, name := x.(*ast.Ident); !name || !isSlice || u.key.Type() != types.Typ[types.Int] || !u.p.GoAtLeast(u.fn.File, "go1.22") || !code.Predeclared(u.fn.Obj.Pkg(), u.loop.Pos(), "min", "len") {
			return prove.Refuse(types.ExprString(x) + " need not have as many elements as the loop has iterations")
		}
	}
	switch u.fn.Info().TypeOf(x).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return nil
	}
	return prove.Refuse(types.ExprString(x) + " cannot be ranged over twice")
}

// quiet says what in the loop may set a length, or runs other code, which may have to come before another goroutine does.
func (u *uneven) quiet() (why *prove.Reason) {
	info := u.fn.Info()
	ast.Inspect(u.body, func(n ast.Node) bool {
		if _, leaves := n.(*ast.ReturnStmt); leaves || n == nil || why != nil {
			return false // what a return evaluates comes after all rows
		}
		other := code.ByChannel(info, n) || u.sets(n)
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			other = true
		case *ast.RangeStmt:
			other = other || prove.OthersRange(info, n)
		case *ast.CallExpr:
			other = other || n != ast.Unparen(u.store.Rhs[0]) && u.calls(n)
		}
		if other {
			why = prove.Refuse("what it makes a row for may change in length at " + u.p.Pos(n.Pos()).String())
		}
		return true
	})
	return why
}

// calls reports whether a call may run other code, or take an entry out of what the loop is at, which may come again.
func (u *uneven) calls(call *ast.CallExpr) bool {
	info := u.fn.Info()
	switch code.Builtin(info, call) {
	case "len", "cap", "min", "max", "make", "new", "panic", "append", "copy":
		return false
	case "":
		return !info.Types[call.Fun].IsType() && !prove.Computes(info, call)
	}
	return true
}

// sets reports whether a node of the loop, other than what stores the row, may set what another row is as long as. A variable of
// that type is none, nor is one of the loop's body, which was not there before.
func (u *uneven) sets(n ast.Node) bool {
	info := u.fn.Info()
	if call, ok := n.(*ast.CallExpr); ok && n != ast.Unparen(u.store.Rhs[0]) && slices.Contains([]string{"append", "copy"}, code.Builtin(info, call)) {
		return u.holds(elemOf(code.Core(info.TypeOf(call.Args[0]))))
	}
	return n != ast.Node(u.store) && slices.ContainsFunc(code.Assigned(n), func(l ast.Expr) bool {
		t, v := info.TypeOf(l), code.Var(info, l)
		if _, named := ast.Unparen(l).(*ast.Ident); t == nil || named && v != nil && (u.same(t) || code.Declares(u.body, v)) {
			return false
		}
		return u.holds(t)
	})
}

// same reports whether a type is that of what a row is as long as, maybe by another name.
func (u *uneven) same(t types.Type) bool { return types.Identical(t.Underlying(), u.row.Underlying()) }

// holds reports whether a value of a type may be, or have within it, what a row is as long as.
func (u *uneven) holds(t types.Type) bool { return code.Inside(t, u.same) }

// apart says why the rows may need more than is counted: there may be others, or the loop may set what another is made for.
// It is "" if they do not.
func (u *uneven) apart() string {
	info := u.fn.Info()
	add, added := additionIn(info, u.store)
	to := add.to
	if at, ok := ast.Unparen(u.store.Lhs[0]).(*ast.IndexExpr); ok && !added {
		to = at.X
	}
	of := types.ExprString(u.list)
	_, name := ast.Unparen(u.list).(*ast.Ident)
	switch {
	case u.beside():
		return of + " need not have as many elements as the loop has iterations"
	case !name && !u.isValue(ast.Unparen(u.length()).(*ast.CallExpr).Args[0]):
		return of + " may be another list in an iteration"
	case !u.holds(elemOf(code.Core(info.TypeOf(to)))) || u.own(to):
		return ""
	}
	return types.ExprString(to) + " may have the memory of " + of + ", whose lengths change then"
}

// elemOf returns the elements' type of a slice, an array or a map, or of a pointer to one.
func elemOf(t types.Type) types.Type {
	if list, ok := code.Pointee(t).Underlying().(interface{ Elem() types.Type }); ok {
		return list.Elem()
	}
	return t
}

// own reports whether a list is a variable with memory of its own: a statement in front of the loop makes it, and nothing has
// read it since.
func (u *uneven) own(to ast.Expr) bool {
	info := u.fn.Info()
	v := code.Var(info, to)
	if v == nil || u.written(v) {
		return false
	}
	list := code.StmtList(u.fn.File.Parent(u.loop))
	for _, s := range list[:slices.Index(list, u.loop)] {
		if name, _, value := code.Declared(s); name != nil && info.Defs[name] == v {
			read := func(id *ast.Ident) bool {
				return info.Uses[id] == v && (id.Pos() < u.loop.Pos() || code.Within(u.ranged.X, id))
			}
			return (value == nil || u.fresh(value)) && !code.Any(u.fn.Decl.Body, read)
		}
	}
	return false
}

// fresh reports whether an expression makes a list.
func (u *uneven) fresh(x ast.Expr) bool {
	x = ast.Unparen(x)
	call, ok := x.(*ast.CallExpr)
	_, lit := x.(*ast.CompositeLit)
	return lit || ok && code.Builtin(u.fn.Info(), call) == "make"
}
