package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/rules/rule"
)

// A Fill is a range loop, or one that counts up to a len, that adds to a slice or map in
// each iteration: to a variable or field that got its value before the loop in the same
// block, or to a result that has a name, in the body of its function.
type Fill struct {
	Var     *types.Var
	Decl    ast.Stmt // declares or sets Var, and nothing else; nil for a result
	Set     bool     // it sets Var, which is declared elsewhere
	Value   ast.Expr // its first value; nil for var x T
	Type    ast.Expr // the type that var x T names
	Loop    ast.Stmt
	Src     ast.Expr // what the loop ranges over; its len costs nothing
	Exact   bool     // the loop runs to its end, unless a panic ends it
	Used    bool     // a statement between the two mentions Var
	InPlace bool     // len(Src) is the same where Var is declared
	Next    bool     // the loop follows the declaration at once
}

// FillOf reads the loop whose body holds the statement add, which adds to x, as an element.
// ok is false if add is not reached in each iteration, or if the loop may end early
// other than by returning an error.
func FillOf(p *rule.Pass, add inspector.Cursor, x ast.Expr) (f Fill, ok bool) {
	body, at := add.Parent(), add.Parent().Parent()
	if body.ParentEdgeKind() != edge.RangeStmt_Body && body.ParentEdgeKind() != edge.ForStmt_Body {
		return f, false
	}
	f = Fill{Var: Named(p.TypesInfo, x), Loop: at.Node().(ast.Stmt)}
	if _, ok := at.Parent().Node().(*ast.LabeledStmt); ok || f.Var == nil || !f.declared(p, at, x) {
		return f, false
	}
	if f.Src = iterates(p, f.Loop); f.Src == nil || Mentions(p.TypesInfo, f.Src, f.Var) || Few(p, f.Src, few) {
		return f, false
	}
	early, exact := Exits(p.TypesInfo, Body(f.Loop), add.Node().Pos())
	if early || !Predeclared(p.Pkg, f.Loop.Pos(), "len", "make") {
		return f, false
	}
	f.Exact = exact
	f.InPlace = f.Decl != nil && (f.Next || f.steady(p))
	return f, true
}

// iterates returns the expression whose len is the number of iterations of a loop, or a
// bound of it; nil where there is none.
func iterates(p *rule.Pass, loop ast.Stmt) ast.Expr {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		return Countable(p.TypesInfo, loop.X)
	case *ast.ForStmt:
		i, end := CountsUp(p.TypesInfo, loop)
		if i == nil || Written(p.Index, p.TypesInfo, i, loop.Body) {
			return nil
		}
		src := Countable(p.TypesInfo, end)
		if src == nil || src == end || Any(loop.Body, func(a *ast.AssignStmt) bool {
			return slices.ContainsFunc(a.Lhs, func(x ast.Expr) bool { return SameExpr(p.TypesInfo, x, src) })
		}) {
			return nil
		}
		return src
	}
	return nil
}

// declared finds the statement before the loop that gives x its first value.
func (f *Fill) declared(p *rule.Pass, loop inspector.Cursor, x ast.Expr) bool {
	f.Next = true
	for at, ok := loop.PrevSibling(); ok; at, ok = at.PrevSibling() {
		stmt, isStmt := at.Node().(ast.Stmt)
		if !isStmt {
			return false
		}
		if !f.Var.IsField() && Declares(stmt, f.Var) {
			f.Decl = stmt
			return f.read(p.TypesInfo)
		}
		if set, ok := stmt.(*ast.AssignStmt); ok && len(set.Lhs) == 1 && SameVariable(p.TypesInfo, set.Lhs[0], x) {
			f.Decl, f.Value, f.Set = stmt, ast.Unparen(set.Rhs[0]), true
			return set.Tok == token.ASSIGN
		}
		f.Next = false
		f.Used = f.Used || Mentions(p.TypesInfo, stmt, f.Var)
	}
	return !f.Used && f.result(p.TypesInfo, loop.Parent())
}

// result reports whether the variable is a result of the function whose body is at cur.
func (f *Fill) result(info *types.Info, cur inspector.Cursor) bool {
	var typ *ast.FuncType
	switch cur.ParentEdgeKind() {
	case edge.FuncDecl_Body:
		typ = cur.Parent().Node().(*ast.FuncDecl).Type
	case edge.FuncLit_Body:
		typ = cur.Parent().Node().(*ast.FuncLit).Type
	default:
		return false
	}
	if typ.Results == nil {
		return false
	}
	for _, field := range typ.Results.List {
		for _, name := range field.Names {
			if info.Defs[name] == f.Var {
				f.Type = field.Type
				return true
			}
		}
	}
	return false
}

// read takes the declaration apart.
func (f *Fill) read(info *types.Info) bool {
	name, typ, value := Declared(f.Decl)
	if value != nil {
		f.Value = ast.Unparen(value)
	}
	f.Type = typ
	return name != nil && (typ == nil || value == nil) && info.Defs[name] == f.Var
}

// Declared returns the one variable that a statement declares and does nothing else, with
// its type and its first value. One of these may be nil; all are nil for other statements.
func Declared(stmt ast.Stmt) (name *ast.Ident, typ, value ast.Expr) {
	switch d := stmt.(type) {
	case *ast.AssignStmt:
		if d.Tok == token.DEFINE && len(d.Lhs) == 1 && len(d.Rhs) == 1 {
			return d.Lhs[0].(*ast.Ident), nil, d.Rhs[0]
		}
	case *ast.DeclStmt:
		gd, ok := d.Decl.(*ast.GenDecl)
		if !ok || gd.Tok != token.VAR || len(gd.Specs) != 1 {
			break
		}
		spec := gd.Specs[0].(*ast.ValueSpec)
		if len(spec.Names) == 1 && len(spec.Values) == 1 {
			value = spec.Values[0]
		}
		if len(spec.Names) == 1 {
			return spec.Names[0], spec.Type, value
		}
	}
	return nil, nil, nil
}

// steady reports whether the length of Src is that of a local variable which
// is there before the declaration and keeps its value up to the loop.
func (f *Fill) steady(p *rule.Pass) bool {
	src := Var(p.TypesInfo, f.Src)
	if !Local(src) || src.Pos() >= f.Decl.Pos() || Captured(p.Index, p.TypesInfo, src) {
		return false
	}
	return !slices.ContainsFunc(p.Index.Uses(src), func(cur inspector.Cursor) bool {
		at := cur.Node().Pos()
		return at > f.Decl.Pos() && at < f.Loop.Pos() && Writes(p.TypesInfo, cur)
	})
}

// Countable returns the expression whose len is the number of iterations of a
// range over x, or a bound of it for a string; nil if there is none that is
// free to evaluate.
func Countable(info *types.Info, x ast.Expr) ast.Expr {
	t := info.TypeOf(x)
	if t == nil {
		return nil
	}
	switch t := Core(t).(type) {
	case *types.Slice, *types.Array, *types.Map:
	case *types.Pointer:
		if _, ok := t.Elem().Underlying().(*types.Array); !ok {
			return nil
		}
	case *types.Basic:
		if call, ok := ast.Unparen(x).(*ast.CallExpr); ok && len(call.Args) == 1 && IsBuiltin(info, call, "len") {
			return Countable(info, call.Args[0])
		}
		if t.Info()&types.IsString == 0 {
			return nil
		}
	default:
		return nil
	}
	if !free(info, x) {
		return nil
	}
	return x
}

// free reports whether an expression only reads variables.
func free(info *types.Info, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		if sel := info.Selections[x]; sel != nil {
			return sel.Kind() == types.FieldVal && free(info, x.X)
		}
		_, ok := info.Uses[x.Sel].(*types.Var)
		return ok
	case *ast.StarExpr:
		return free(info, x.X)
	case *ast.IndexExpr:
		return free(info, x.X) && free(info, x.Index)
	case *ast.SliceExpr:
		for _, part := range []ast.Expr{x.Low, x.High, x.Max} {
			if part != nil && !free(info, part) {
				return false
			}
		}
		return free(info, x.X)
	}
	return false
}

// few is what a map takes without growing, and a slice with three steps.
const few = 8

// IsBuiltin reports whether a call calls the predeclared function of a name.
//
//go:noinline
func IsBuiltin(info *types.Info, call *ast.CallExpr, name string) bool {
	return Builtin(info, call) == name
}

// Predeclared reports whether predeclared names mean what they should at pos.
func Predeclared(pkg *types.Package, pos token.Pos, names ...string) bool {
	scope := pkg.Scope().Innermost(pos)
	for _, name := range names {
		if scope == nil {
			return false
		}
		if _, obj := scope.LookupParent(name, pos); obj == nil || obj.Parent() != types.Universe {
			return false
		}
	}
	return true
}

// Exits reports whether a loop whose body this is may end early other than by
// returning an error, or an iteration before it reaches add; and whether the
// loop runs to its end unless a panic ends it.
func Exits(info *types.Info, body *ast.BlockStmt, add token.Pos) (early, exact bool) {
	e := exits{info: info, add: add, exact: true}
	e.block(body, false, false)
	return e.early, e.exact
}

// exits finds out how a loop body may leave before add or for good.
type exits struct {
	info  *types.Info
	add   token.Pos
	early bool // by break, goto or a return that is not for an error
	exact bool
}

// block looks at a node; inLoop and inSwitch say what an unlabeled continue or
// break would belong to.
func (e *exits) block(n ast.Node, inLoop, inSwitch bool) {
	ast.Inspect(n, func(c ast.Node) bool {
		if c == n {
			return true
		}
		switch c := c.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			e.block(c, true, true)
			return false
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			e.block(c, inLoop, true)
			return false
		case *ast.BranchStmt:
			switch {
			case c.Label != nil, c.Tok == token.GOTO, c.Tok == token.BREAK && !inSwitch:
				e.early = true
			case c.Tok == token.CONTINUE && !inLoop && c.Pos() < e.add:
				e.early = true
			}
		case *ast.ReturnStmt:
			e.exact = false
			e.early = e.early || !ReturnsError(e.info, c)
		}
		return true
	})
}

// ReturnsError reports whether a return passes on an error as its last result.
func ReturnsError(info *types.Info, r *ast.ReturnStmt) bool {
	if len(r.Results) == 0 {
		return false
	}
	t := info.TypeOf(r.Results[len(r.Results)-1])
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(tuple.Len() - 1).Type()
	}
	basic, isBasic := t.(*types.Basic)
	if t == nil || isBasic && basic.Kind() == types.UntypedNil {
		return false
	}
	return ImplementsError(t)
}
