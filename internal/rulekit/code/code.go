// Package code asks the questions about typed syntax that rules and
// transformations have in common: which loop is this in, is this variable
// written there, what does evaluating this do, which name is free. Each answer
// is conservative in the direction that its name states. It does not know what
// calls do: see package effects, and internal/change/propose/prove for a whole
// program.
package code

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Loop returns the innermost loop in whose repeated part the node at cur
// stands, within the same function or literal; ok is false if there is none.
// The first clause of a for and the operand of a range are not repeated.
func Loop(cur inspector.Cursor) (loop inspector.Cursor, ok bool) {
	at := cur.Node()
	for p := range cur.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		if p.Index() == cur.Index() {
			continue
		}
		switch n := p.Node().(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return p, false
		case *ast.ForStmt:
			if n.Init == nil || !Within(n.Init, at) {
				return p, true
			}
		case *ast.RangeStmt:
			if Within(n.Body, at) {
				return p, true
			}
		}
	}
	return cur, false
}

// Body returns the body of a loop statement, or nil.
func Body(loop ast.Node) *ast.BlockStmt {
	switch n := loop.(type) {
	case *ast.ForStmt:
		return n.Body
	case *ast.RangeStmt:
		return n.Body
	}
	return nil
}

// CountsUp reads the head of for i := 0; i < end; i++, which may define more behind i. It returns i and end, nil for other
// loops. The body is not looked at.
func CountsUp(info *types.Info, s *ast.ForStmt) (i *types.Var, end ast.Expr) {
	init, ok1 := s.Init.(*ast.AssignStmt)
	cond, ok2 := s.Cond.(*ast.BinaryExpr)
	post, ok3 := s.Post.(*ast.IncDecStmt)
	if !ok1 || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != len(init.Rhs) || cond.Op != token.LSS || post.Tok != token.INC {
		return nil, nil
	}
	i, _ = info.Defs[init.Lhs[0].(*ast.Ident)].(*types.Var)
	if zero, ok := Int(info, init.Rhs[0]); !ok || zero != 0 || i == nil || Var(info, cond.X) != i || Var(info, post.X) != i {
		return nil, nil
	}
	return i, cond.Y
}

// Func returns the innermost function declaration or literal around cur.
func Func(cur inspector.Cursor) (f inspector.Cursor, ok bool) {
	for p := range cur.Enclosing((*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		if p.Index() != cur.Index() {
			return p, true
		}
	}
	return cur, false
}

// Decl returns the function declaration around cur and its object; nil at
// package level.
func Decl(info *types.Info, cur inspector.Cursor) (*ast.FuncDecl, *types.Func) {
	for p := range cur.Enclosing((*ast.FuncDecl)(nil)) {
		fd := p.Node().(*ast.FuncDecl)
		f, _ := info.Defs[fd.Name].(*types.Func)
		return fd, f
	}
	return nil, nil
}

// Stmt returns the innermost statement that holds cur and is an element of a
// block, case or communication clause.
func Stmt(cur inspector.Cursor) (stmt inspector.Cursor, ok bool) {
	for c := cur; c.Valid() && c.Node() != nil; c = c.Parent() {
		if _, isStmt := c.Node().(ast.Stmt); isStmt {
			switch c.Parent().Node().(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				return c, true
			}
		}
		if _, file := c.Node().(*ast.File); file {
			break
		}
	}
	return cur, false
}

// Conditional reports whether cur stands in a branch of an if, switch or
// select of its function or literal.
func Conditional(cur inspector.Cursor) bool {
	at := cur.Node()
	for p := range cur.Enclosing((*ast.IfStmt)(nil), (*ast.CaseClause)(nil), (*ast.CommClause)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		switch n := p.Node().(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			if n != at {
				return false
			}
		case *ast.IfStmt:
			if Within(n.Body, at) || n.Else != nil && Within(n.Else, at) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// Later reports whether cur stands in a function literal that is not called where it
// stands, so that it may run at another time, or never.
func Later(cur inspector.Cursor) bool {
	fn, ok := Func(cur)
	_, lit := fn.Node().(*ast.FuncLit)
	return ok && lit && fn.ParentEdgeKind() != edge.CallExpr_Fun
}

// Finalizes reports whether a package waits for collections to run something:
// finalizers, cleanups or weak pointers.
func Finalizes(ix *index.Index) bool {
	for _, name := range []string{"AddCleanup", "SetFinalizer"} {
		for range ix.Calls("runtime", name) {
			return true
		}
	}
	return ix.Imports("weak")
}

// Within reports whether inner lies in outer.
func Within(outer, inner ast.Node) bool {
	return outer != nil && inner != nil && outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// WithUnary returns the expression at cur with the parentheses and the unary
// operators around it, such as the & of a literal.
func WithUnary(cur inspector.Cursor) inspector.Cursor {
	for {
		switch cur.Parent().Node().(type) {
		case *ast.ParenExpr, *ast.UnaryExpr:
			cur = cur.Parent()
		default:
			return cur
		}
	}
}

// MethodCall returns the call of a method of the value at cur.
func MethodCall(cur inspector.Cursor) (call inspector.Cursor, ok bool) {
	for cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	if cur.ParentEdgeKind() == edge.SelectorExpr_X && cur.Parent().ParentEdgeKind() == edge.CallExpr_Fun {
		return cur.Parent().Parent(), true
	}
	return cur, false
}

// Deferred reports whether a call is the one of a defer or go statement.
func Deferred(call inspector.Cursor) bool {
	kind := call.ParentEdgeKind()
	return kind == edge.GoStmt_Call || kind == edge.DeferStmt_Call
}

// Var returns the variable that an expression names, or nil.
//
//go:noinline
func Var(info *types.Info, x ast.Expr) *types.Var {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		v, _ := info.ObjectOf(id).(*types.Var)
		return v
	}
	return nil
}

// Local reports whether v is declared in a function (as a parameter, too).
//
//go:noinline
func Local(v *types.Var) bool {
	return v != nil && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
}

// String returns the value of a constant string expression.
func String(info *types.Info, x ast.Expr) (string, bool) {
	tv := info.Types[x]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(tv.Value), true
}

// Int returns the value of a constant integer expression.
func Int(info *types.Info, x ast.Expr) (int64, bool) {
	tv := info.Types[x]
	if tv.Value == nil || tv.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(tv.Value)
}

// IsFunc reports whether a call statically calls the package-level function
// pkg.name.
func IsFunc(info *types.Info, call *ast.CallExpr, pkg, name string) bool {
	f := typeutil.StaticCallee(info, call)
	return f != nil && f.Signature().Recv() == nil && f.Name() == name && f.Pkg() != nil && f.Pkg().Path() == pkg
}

// IsNamed reports whether t, or what it points to, is the named type pkg.name.
func IsNamed(t types.Type, pkg, name string) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg
}

// Written reports whether v may be assigned, or its address taken, in a node, or that
// of a part of it; in nil is the whole package. A method with a pointer receiver that
// is called on it counts as well.
func Written(ix *index.Index, info *types.Info, v *types.Var, in ast.Node) bool {
	return slices.ContainsFunc(ix.Uses(v), func(cur inspector.Cursor) bool { return (in == nil || Within(in, cur.Node())) && Writes(info, cur) })
}

// UsedBeyond reports whether an object is used outside some pieces of syntax.
func UsedBeyond(ix *index.Index, obj types.Object, pieces ...ast.Node) bool {
	return slices.ContainsFunc(ix.Uses(obj), func(cur inspector.Cursor) bool {
		return !slices.ContainsFunc(pieces, func(n ast.Node) bool { return Within(n, cur.Node()) })
	})
}

// WrittenIn is Written for code that no index was made of. v may be nil: then it is
// not written.
//
//go:noinline
func WrittenIn(info *types.Info, in ast.Node, v types.Object) bool {
	return usedAs(info, in, v, func(u use) bool { return u != reading })
}

// AddressTaken reports whether the address of v, or of a part of it, is taken in a
// node, be it by calling a method with a pointer receiver.
//
//go:noinline
func AddressTaken(info *types.Info, in ast.Node, v types.Object) bool {
	return usedAs(info, in, v, func(u use) bool { return u == referring })
}

// Reassigned reports whether v, or a part of it, is assigned in a node.
func Reassigned(info *types.Info, in ast.Node, v types.Object) bool {
	return usedAs(info, in, v, func(u use) bool { return u == assigning })
}

// usedAs reports whether a use of v in a node is of some kind.
func usedAs(info *types.Info, in ast.Node, v types.Object, is func(use) bool) bool {
	var around []ast.Node
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && v != nil && info.Uses[id] == v {
			up := len(around)
			found = found || is(useOf(info, id, func() ast.Node {
				if up--; up < 0 {
					return nil
				}
				return around[up]
			}))
		}
		around = append(around, n)
		return !found
	})
	return found
}

// Writes reports whether what stands at cur, a variable or a part of one, is assigned
// there, or a part of it, or its address taken. A method with a pointer receiver that
// is called on it counts as well.
func Writes(info *types.Info, cur inspector.Cursor) bool { return useAt(info, cur) != reading }

// A use is what is done with a variable, or a part of it, where it is named.
type use int

const (
	reading use = iota
	assigning
	referring // taking an address: by &, by slicing an array, or for a method's receiver
)

func useAt(info *types.Info, cur inspector.Cursor) use {
	at := cur
	return useOf(info, cur.Node(), func() ast.Node {
		if at = at.Parent(); !at.Valid() {
			return nil
		}
		return at.Node()
	})
}

// useOf is given a name, and what returns the next node around it each time.
func useOf(info *types.Info, x ast.Node, next func() ast.Node) use {
	for p := next(); p != nil; p = next() {
		switch n := p.(type) {
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			if n.Sel == x {
				break // a field, or a variable of another package
			}
			sel := info.Selections[n]
			if sel == nil || sel.Kind() == types.FieldVal && sel.Indirect() {
				return reading
			}
			if sel.Kind() == types.MethodVal {
				return is(Addressing(info, n), referring)
			}
		case *ast.IndexExpr:
			if n.X != x || !May[*types.Array](info.TypeOf(n.X)) {
				return reading
			}
		case *ast.SliceExpr:
			return is(n.X == x && May[*types.Array](info.TypeOf(n.X)), referring)
		case *ast.UnaryExpr:
			return is(n.Op == token.AND, referring)
		case *ast.IncDecStmt:
			return assigning
		case *ast.AssignStmt:
			return is(slices.ContainsFunc(n.Lhs, func(lhs ast.Expr) bool { return lhs == x }), assigning)
		case *ast.RangeStmt:
			return is(n.Key == x || n.Value == x, assigning)
		default:
			return reading
		}
		x = p
	}
	return reading
}

func is(so bool, what use) use {
	if so {
		return what
	}
	return reading
}

// FreeName returns a name for a new package-level declaration: want, or want
// with a number, such that no scope of the package has it.
func FreeName(pkg *types.Package, info *types.Info, want string) string {
	used := map[string]bool{}
	for _, s := range info.Scopes {
		for _, n := range s.Names() {
			used[n] = true
		}
	}
	for name, i := want, 2; ; name, i = want+strconv.Itoa(i), i+1 {
		if !used[name] && pkg.Scope().Lookup(name) == nil && types.Universe.Lookup(name) == nil {
			return name
		}
	}
}

// FreeLocal returns a name for a new variable in a function: want, or want
// with a number, such that no identifier in the function is written like it.
func FreeLocal(fn ast.Node, want string) string {
	taken := words(fn)
	for name, i := want, 2; ; name, i = want+strconv.Itoa(i), i+1 {
		if !taken[name] {
			return name
		}
	}
}

// FirstFree returns the first of some names that no identifier in a function is
// written like, nor anything predeclared; "" if there is none.
func FirstFree(fn ast.Node, names ...string) string {
	taken := words(fn)
	for _, name := range names {
		if name != "_" && !taken[name] && Nameable(name) {
			return name
		}
	}
	return ""
}

// Names are the names that fixes of one run declare, by what they could meet in: a function,
// or a statement. Two fixes that are made at once must not declare one name there.
type Names map[ast.Node][]string

// FirstFree returns what the function of that name does, but no name twice within a node.
func (n Names) FirstFree(fn, within ast.Node, names ...string) string {
	name := FirstFree(fn, slices.DeleteFunc(names, func(s string) bool { return slices.Contains(n[within], s) })...)
	n[within] = append(n[within], name)
	return name
}

// FreeLocal returns what the function of that name does, but no name twice for a function.
func (n Names) FreeLocal(fn ast.Node, want string) string {
	name := n.Left(fn, want)
	n[fn] = append(n[fn], name)
	return name
}

// Left returns the same, and does not note it: for a name that the next statement alone reads.
func (n Names) Left(fn ast.Node, want string) string {
	for name, i := FreeLocal(fn, want), 2; ; name, i = FreeLocal(fn, want+strconv.Itoa(i)), i+1 {
		if !slices.Contains(n[fn], name) {
			return name
		}
	}
}

// Outermost returns the function around code that no other is around: a declaration, or a
// literal that a package variable has.
func Outermost(cur inspector.Cursor) (fn ast.Node) {
	for at := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		fn = at.Node()
	}
	return fn
}

// words returns all identifiers in a piece of syntax.
func words(n ast.Node) map[string]bool {
	all := map[string]bool{}
	for id := range All[*ast.Ident](n) {
		all[id.Name] = true
	}
	return all
}

// Qualifier returns the name under which a file refers to an imported
// package, "" if it does not import it under a usable name or if the name
// means something else at pos.
func Qualifier(info *types.Info, pkg *types.Package, file *ast.File, pos token.Pos, path string) string {
	for _, imp := range file.Imports {
		if p, err := strconv.Unquote(imp.Path.Value); err != nil || p != path {
			continue
		}
		obj := info.PkgNameOf(imp)
		if obj == nil || obj.Name() == "_" || obj.Name() == "." {
			continue
		}
		scope := info.Scopes[file]
		if inner := scope.Innermost(pos); inner != nil {
			scope = inner
		} else if in := pkg.Scope().Innermost(pos); in != nil {
			scope = in
		}
		if _, found := scope.LookupParent(obj.Name(), pos); found == obj {
			return obj.Name()
		}
	}
	return ""
}

// IsNil reports whether e is the predeclared nil, possibly converted.
func IsNil(info *types.Info, e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
		return IsNil(info, call.Args[0])
	}
	return info.Types[e].IsNil()
}

// HasPointers reports whether values of a type may refer to other memory.
func HasPointers(t types.Type) bool {
	return Inside(t, func(t types.Type) bool {
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer || u.Kind() == types.UntypedNil
		case *types.Tuple:
			return slices.ContainsFunc(slices.Collect(u.Variables()), func(v *types.Var) bool { return HasPointers(v.Type()) })
		case *types.Array, *types.Struct:
			return false
		}
		return true
	})
}

// IsString reports whether t is a string, under whatever name.
//
//go:noinline
func IsString(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
