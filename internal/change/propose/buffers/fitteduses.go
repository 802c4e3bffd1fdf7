package buffers

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A fitted asks what a package does with all values of a buffered type.
type fitted struct {
	*prove.Program
	*buffered
	pkg *prove.Package
}

// uses says where a value of the type leaves the package, or is asked for more than the text.
func (t *fitted) uses() *prove.Reason {
	for _, name := range []string{"bufio", "Peek", "ReadSlice", "ReadLine", "Reset", "Size", "Buffer", "Bytes"} {
		if other := t.IgnoredMention(t.pkg, name); other != "" {
			return prove.Refuse(other + ", for other builds, may ask more of one")
		}
	}
	if why := t.readBack(); why != nil {
		return why
	}
	for _, f := range t.pkg.Files {
		for e := range code.All[ast.Expr](f.Syntax) {
			if how := t.use(f, e); how != "" {
				return prove.Refuse(types.ExprString(e) + " " + how + " (" + t.Pos(e.Pos()).String() + ")")
			}
		}
		for _, d := range f.Syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !t.among(t.pkg.TypesInfo.Defs[fn.Name].(*types.Func).Signature().Results()) {
				continue
			}
			if fn.Name.IsExported() || t.IgnoredMention(t.pkg, fn.Name.Name) != "" {
				return prove.Refuse("others get one from " + fn.Name.Name + " (" + t.Pos(fn.Pos()).String() + ")")
			}
		}
		for str := range code.All[*ast.StructType](f.Syntax) {
			for _, field := range str.Fields.List {
				if code.IsNamed(t.pkg.TypesInfo.TypeOf(field.Type), "bufio", t.name) && len(field.Names) == 0 {
					return prove.Refuse("a struct embeds a bufio." + t.name + " (" + t.Pos(field.Pos()).String() + ")")
				}
			}
		}
	}
	return nil
}

// use says what is wrong about the place of an expression that has such a value, and of a type that is no pointer to one.
func (t *fitted) use(f *prove.File, e ast.Expr) string {
	info := t.pkg.TypesInfo
	tv, isExpr := info.Types[e]
	if _, paren := e.(*ast.ParenExpr); paren || !isExpr {
		return ""
	}
	up := f.Parent(e)
	for paren, ok := up.(*ast.ParenExpr); ok; paren, ok = up.(*ast.ParenExpr) {
		up = f.Parent(paren)
	}
	call, _ := up.(*ast.CallExpr)
	sel, _ := up.(*ast.SelectorExpr)
	if sel != nil && ast.Expr(sel.Sel) == e {
		return "" // the selector is looked at
	}
	switch several := tv.Type.(type) {
	case *types.Tuple:
		return t.several(f, up, several)
	case *types.Signature:
		if t.among(several.Results()) && !tv.IsType() && (call == nil || ast.Unparen(call.Fun) != e) {
			return "may be called elsewhere"
		}
		return ""
	}
	_, pointer := tv.Type.(*types.Pointer)
	_, pointedTo := up.(*ast.StarExpr)
	switch {
	case !code.IsNamed(tv.Type, "bufio", t.name), tv.IsType() && (pointer || pointedTo):
		return ""
	case pointer:
		return t.place(f, e, up)
	}
	return "is held by value"
}

// readBack says where the package unreads a rune of a Reader that it also reads by Read: at the end of the text, Read forgets
// the rune where it fills the buffer, and does not where it was asked for more than the buffer has room for.
func (t *fitted) readBack() *prove.Reason {
	var unread, read ast.Node
	for _, f := range t.pkg.Files {
		for call := range code.All[*ast.CallExpr](f.Syntax) {
			switch fn := code.Callee(t.pkg.TypesInfo, call); {
			case fn == nil:
			case fn.FullName() == "(*bufio.Reader).UnreadRune":
				unread = call
			case fn.FullName() == "(*bufio.Reader).Read", slices.Contains(readsOnly, fn.FullName()):
				read = call
			}
		}
	}
	if unread == nil || read == nil || t.name != "Reader" {
		return nil
	}
	return prove.Refuse("the package calls UnreadRune (" + t.Pos(unread.Pos()).String() + ") and Read (" + t.Pos(read.Pos()).String() + "), which tell the size at the end")
}

// several is for the results of a call that are used at once.
func (t *fitted) several(f *prove.File, up ast.Node, results *types.Tuple) (how string) {
	for i := 0; i < results.Len() && how == ""; i++ {
		if !code.IsNamed(results.At(i).Type(), "bufio", t.name) {
			continue
		}
		switch up := up.(type) {
		case *ast.CallExpr:
			how = "is given on"
		case *ast.ReturnStmt:
			how = t.returned(f, up, i)
		case *ast.AssignStmt:
			how = t.stored(up.Lhs[i])
		case *ast.ValueSpec:
			how = t.stored(up.Names[i])
		}
	}
	return how
}

// among reports whether a value of the type is one of several.
func (t *fitted) among(tuple *types.Tuple) bool {
	for v := range tuple.Variables() {
		if code.IsNamed(v.Type(), "bufio", t.name) {
			return true
		}
	}
	return false
}

// place says what is wrong about where a pointer stands; "" for what keeps it in the package.
func (t *fitted) place(f *prove.File, e ast.Expr, up ast.Node) string {
	info := t.pkg.TypesInfo
	switch up := up.(type) {
	case *ast.ExprStmt:
		return ""
	case *ast.ReturnStmt:
		return t.returned(f, up, slices.IndexFunc(up.Results, func(x ast.Expr) bool { return ast.Unparen(x) == e }))
	case *ast.SelectorExpr:
		return t.method(f, up)
	case *ast.CallExpr:
		return t.argument(up, e)
	case *ast.BinaryExpr:
		if (up.Op == token.EQL || up.Op == token.NEQ) && (code.IsNil(info, up.X) || code.IsNil(info, up.Y)) {
			return ""
		}
	case *ast.AssignStmt:
		return t.assigned(up, e)
	case *ast.ValueSpec:
		if i := slices.IndexFunc(up.Values, func(x ast.Expr) bool { return ast.Unparen(x) == e }); i >= 0 {
			return t.stored(up.Names[i])
		}
	case *ast.KeyValueExpr:
		if key, ok := up.Key.(*ast.Ident); ok && ast.Unparen(up.Value) == e {
			return t.private(info.Uses[key])
		}
	case *ast.CompositeLit:
		if str, ok := info.TypeOf(up).Underlying().(*types.Struct); ok {
			return t.private(str.Field(slices.IndexFunc(up.Elts, func(x ast.Expr) bool { return ast.Unparen(x) == e })))
		}
	}
	return "is used in another way than to read"
}

// returned is for a result of that index. Who may call the function, use and uses ask.
func (t *fitted) returned(f *prove.File, ret *ast.ReturnStmt, i int) string {
	var results *types.Tuple
	if lit := f.Literal(ret); lit != nil {
		results = t.pkg.TypesInfo.TypeOf(lit).(*types.Signature).Results()
	} else if fn := t.FunctionAt(t.Pos(ret.Pos())); fn != nil {
		results = fn.Obj.Signature().Results()
	}
	if i < results.Len() && code.IsNamed(results.At(i).Type(), "bufio", t.name) {
		return ""
	}
	return "is returned as any reader"
}

// method is for a method that is called on a pointer.
func (t *fitted) method(f *prove.File, sel *ast.SelectorExpr) string {
	name := sel.Sel.Name
	call, ok := f.Parent(sel).(*ast.CallExpr)
	switch {
	case !ok || call.Fun != ast.Expr(sel):
	case slices.Contains(t.shows, name):
		return t.shown(call, name)
	case name == "Split":
		if split, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr); ok {
			if fn, ok := t.pkg.TypesInfo.Uses[split.Sel].(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == "bufio" {
				return ""
			}
		}
		return "is split by a function of its own"
	case slices.Contains(t.methods, name):
		return ""
	}
	return "has " + name + ", which may tell its size"
}

// leastBuffer is what a bufio.Reader has room for, whatever size it is given.
const leastBuffer = 16

// shown is for a call that returns a part of the buffer: the room behind it is less, and a Scanner moves it sooner.
func (t *fitted) shown(call *ast.CallExpr, name string) string {
	if name == "Peek" {
		if n, known := prove.ConstInt(t.pkg.TypesInfo, call.Args[0]); !known || n > leastBuffer {
			return "is asked for more than it may have room for"
		}
	}
	fn := t.FunctionAt(t.Pos(call.Pos()))
	if fn == nil {
		return "shows its buffer outside of a function"
	}
	fl := t.Flow(fn)
	fl.NoLocals = t.name == "Scanner"
	fl.Given(call, 1)
	fl.Drain()
	cut := code.Any(fn.Decl.Body, func(cut *ast.SliceExpr) bool {
		id, ok := ast.Unparen(cut.X).(*ast.Ident)
		return (ok && fl.Tracks(id) || ast.Unparen(cut.X) == ast.Expr(call)) && !prove.Shortens(fn.Info(), cut)
	})
	given := slices.ContainsFunc(fl.Calls, func(h flow.Handing) bool { return t.InModule(h.Fn) })
	given = given || t.name == "Scanner" && t.movedMeanwhile(fn, call)
	if cut || given || fl.Outlives() || fl.CapSeen || len(fl.Extends) > 0 {
		return "shows its buffer by " + name + " to code that may see its end, or keep it"
	}
	return ""
}

// movedMeanwhile reports whether other code that may scan on runs in the statement that a Scanner shows its buffer to.
func (t *fitted) movedMeanwhile(fn *prove.Function, call *ast.CallExpr) bool {
	stmt := fn.File.Stmt(call)
	var around ast.Node = stmt
	switch stmt.(type) {
	case *ast.RangeStmt:
		return true
	case *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.CaseClause:
		for n := ast.Node(call); n != ast.Node(stmt); n = fn.File.Parent(n) {
			around = n // what stands in its head
		}
	}
	return !code.Only(fn.Info(), around, func(other *ast.CallExpr) bool {
		if other == call {
			return true
		}
		to := code.Callee(fn.Info(), other)
		return to != nil && !t.InModule(to) && to.FullName() != "(*bufio.Scanner).Scan" && (code.Within(other, call) || !code.IsInterfaceMethod(to))
	})
}

// readsOnly are functions that read from what they are given, by the methods that are known, and forget it.
var readsOnly = []string{"io.ReadFull", "io.ReadAtLeast", "io.ReadAll", "encoding/binary.Read", "encoding/binary.ReadUvarint", "encoding/binary.ReadVarint"}

// argument is for a pointer that a call is given: functions of the package take it as what it is.
func (t *fitted) argument(call *ast.CallExpr, e ast.Expr) string {
	info := t.pkg.TypesInfo
	fn := code.Callee(info, call)
	i := slices.IndexFunc(call.Args, func(x ast.Expr) bool { return ast.Unparen(x) == e })
	switch {
	case fn == nil || i < 0:
	case slices.Contains(readsOnly, fn.FullName()):
		return ""
	case t.Function(fn) == nil || t.Function(fn).File.Pkg != t.pkg || t.DeclaredElsewhere(t.Function(fn)) != "":
	default:
		sig := fn.Origin().Signature()
		if i < sig.Params().Len() && code.IsNamed(sig.Params().At(i).Type(), "bufio", t.name) {
			return ""
		}
	}
	return "is given to what may ask it for more"
}

// assigned is for both sides of an assignment.
func (t *fitted) assigned(a *ast.AssignStmt, e ast.Expr) string {
	at := slices.IndexFunc(a.Lhs, func(x ast.Expr) bool { return ast.Unparen(x) == e })
	if at < 0 {
		at = slices.IndexFunc(a.Rhs, func(x ast.Expr) bool { return ast.Unparen(x) == e })
	}
	return t.stored(a.Lhs[at])
}

// stored is for what is set to such a value.
func (t *fitted) stored(to ast.Expr) string {
	info := t.pkg.TypesInfo
	to = ast.Unparen(to)
	if id, ok := to.(*ast.Ident); ok && id.Name == "_" {
		return ""
	}
	if !code.IsNamed(info.TypeOf(to), "bufio", t.name) {
		return "is stored as any reader"
	}
	if sel, ok := to.(*ast.SelectorExpr); ok {
		return t.private(info.Uses[sel.Sel])
	}
	v := code.Var(info, to)
	if v == nil {
		return "is stored where others may find it"
	} else if code.Local(v) {
		return ""
	}
	return t.private(v)
}

// private says why a field, or a package's variable, is no place for such a value. One whose type is a parameter is a value
// of any type to the methods of its struct.
func (t *fitted) private(at types.Object) string {
	v, ok := at.(*types.Var)
	switch {
	case !ok || v.Pkg() != t.pkg.Types || v.Exported() || code.Local(v) || !code.IsNamed(v.Origin().Type(), "bufio", t.name):
		return "is stored where others may find it"
	case t.IgnoredMention(t.pkg, v.Name()) != "":
		return "is stored where code for other builds may find it"
	}
	return ""
}
