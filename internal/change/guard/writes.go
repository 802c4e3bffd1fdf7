package guard

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// writes calls report for every package-level variable and struct field that
// the code below root writes, or gives away the address of, where the memory
// may outlive the call: what a function makes itself is its own until it is
// stored somewhere.
func (p *program) writes(u *unit, root ast.Node, report func(o types.Object, at ast.Node)) {
	w := &writer{p: p, info: u.info(), report: report, own: ownLocals(u.info(), root), same: aliases(u.info(), root), passed: map[types.Object]bool{}}
	w.walk(root)
}

// walk reports what code writes.
func (w *writer) walk(root ast.Node) {
	looked := w.lookedAt(root)
	for n := range code.All[ast.Node](root) {
		for _, to := range code.Assigned(n) {
			w.target(to, n)
		}
		switch n := n.(type) {
		case *ast.SendStmt:
			w.target(n.Chan, n)
		case *ast.UnaryExpr:
			if n.Op == token.AND && !looked[n] {
				w.target(n.X, n)
			}
		case *ast.CallExpr:
			w.call(n)
		}
	}
}

// lookedAt returns the addresses of arrays and structs that are given to variables which the code declares with such an
// address, and through which it only reads. A result with a name is returned without naming it again.
func (w *writer) lookedAt(root ast.Node) map[*ast.UnaryExpr]bool {
	reads := map[*ast.Ident]bool{}
	given, declared := map[*ast.UnaryExpr]types.Object{}, map[types.Object]bool{}
	for n := range code.All[*ast.AssignStmt](root) {
		for i, l := range n.Lhs {
			if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
				if at, ok := n.Rhs[i].(*ast.UnaryExpr); ok && at.Op == token.AND && (code.May[*types.Array](w.info.TypeOf(at.X)) || code.May[*types.Struct](w.info.TypeOf(at.X))) {
					reads[id], given[at] = true, w.info.ObjectOf(id)
					declared[w.info.Defs[id]] = true
				}
			}
		}
	}
	if len(given) == 0 {
		return nil
	}
	used := w.used(root, reads)
	looked := map[*ast.UnaryExpr]bool{}
	for at, o := range given {
		looked[at] = o != nil && declared[o] && !used[o]
	}
	return looked
}

// used returns the variables with which code does more than to read elements or fields through them; reads are further uses that
// are no more than that.
func (w *writer) used(root ast.Node, reads map[*ast.Ident]bool) map[types.Object]bool {
	read := func(e ast.Expr) {
		if x, ok := e.(*ast.SelectorExpr); ok && w.field(x) != nil {
			e = x.X
		}
		if id, ok := e.(*ast.Ident); ok {
			reads[id] = true
		}
	}
	used := map[types.Object]bool{}
	set := func(e ast.Expr) {
		switch e := ast.Unparen(e).(type) {
		case *ast.IndexExpr, *ast.SelectorExpr:
			used[w.info.ObjectOf(code.RootIdent(e))] = true
		}
	}
	for n := range code.All[ast.Node](root) {
		for _, to := range code.Assigned(n) {
			set(to)
		}
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set(n.X)
			}
		case *ast.IndexExpr:
			if _, basic := types.Unalias(w.info.TypeOf(n)).(*types.Basic); basic { // without methods that write it
				read(n.X)
			}
		case *ast.SelectorExpr:
			if w.readsField(n) || w.callsReader(n) {
				read(n.X)
			}
		case *ast.CallExpr:
			if code.IsBuiltin(w.info, n, "len") || code.IsBuiltin(w.info, n, "cap") {
				read(n.Args[0])
			}
		}
	}
	for id := range code.All[*ast.Ident](root) {
		if o := w.info.Uses[id]; o != nil && !reads[id] {
			used[o] = true
		}
	}
	return used
}

// deepReader is how many methods that call each other are looked into.
const deepReader = 3

// callsReader reports whether a selector is of a method that only reads what its receiver points to.
func (w *writer) callsReader(x *ast.SelectorExpr) bool {
	sel := w.info.Selections[x]
	if sel == nil || sel.Kind() != types.MethodVal || len(sel.Index()) > 1 {
		return false
	}
	f, ok := sel.Obj().(*types.Func)
	return ok && w.readsOnly(f)
}

// readsOnly reports whether a method with a pointer receiver only reads what that points to.
func (w *writer) readsOnly(f *types.Func) bool {
	u := w.p.decls[f.Origin().FullName()]
	if u == nil || u.fn == nil || u.fn.Body == nil || u.fn.Recv == nil || w.depth == deepReader {
		return false
	}
	inner := &writer{p: w.p, info: u.info(), depth: w.depth + 1}
	used := inner.used(u.fn.Body, map[*ast.Ident]bool{})
	for field := range code.All[*ast.Field](u.fn.Recv) {
		for _, id := range field.Names {
			if used[inner.info.Defs[id]] {
				return false
			}
		}
	}
	return true
}

// readsField reports whether a selector is of a field with a value that is no part of the struct once it is read.
func (w *writer) readsField(x *ast.SelectorExpr) bool {
	if w.field(x) == nil {
		return false
	}
	t := w.info.TypeOf(x)
	switch types.Unalias(t).(type) {
	case *types.Basic, *types.Pointer:
		return true
	}
	return types.IsInterface(t)
}

// field is that which a selector is of; nil where it is of something else.
func (w *writer) field(x *ast.SelectorExpr) types.Object {
	if sel := w.info.Selections[x]; sel != nil && sel.Kind() == types.FieldVal {
		return sel.Obj()
	}
	return nil
}

type writer struct {
	p      *program
	info   *types.Info
	depth  int // of methods that are looked into
	report func(o types.Object, at ast.Node)
	own    map[types.Object]bool
	same   map[types.Object][]ast.Expr // what local variables have the memory of
	passed map[types.Object]bool       // takes the local variables whose memory is written
}

// target reports what an expression that is assigned to belongs to. A local variable is the function's own.
func (w *writer) target(e ast.Expr, at ast.Node) {
	if id, ok := ast.Unparen(e).(*ast.Ident); !ok || !isLocalUse(w.info, id) {
		w.memory(e, at)
	}
}

func isLocalUse(info *types.Info, id *ast.Ident) bool {
	o := info.ObjectOf(id)
	return o == nil || isLocal(o)
}

// memory reports what the memory of an expression belongs to: every field on
// the way, and the package variable at its root, or what a local variable has the memory of.
func (w *writer) memory(e ast.Expr, at ast.Node) {
	var fields []types.Object
	for ; e != nil; e = code.Base(e) {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			if f := w.field(x); f != nil {
				fields = append(fields, f)
			} else if v, ok := w.info.Uses[x.Sel].(*types.Var); ok { // pkg.Var
				w.report(v, at)
			}
		case *ast.Ident:
			o := w.info.Uses[x]
			if v, ok := o.(*types.Var); ok && !v.IsField() && !isLocal(v) {
				w.report(v, at)
			} else if o != nil && w.own[o] {
				return
			} else if o != nil {
				w.behind(o, at)
			}
		}
	}
	for _, f := range fields {
		w.report(f, at)
	}
}

// call reports what a call writes: the builtins' targets, methods that take
// the address of a variable, slices of arrays that are passed on, and what functions of the module write of what they get.
func (w *writer) call(c *ast.CallExpr) {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		if b, ok := w.info.Uses[f].(*types.Builtin); ok {
			switch b.Name() {
			case "copy", "delete", "clear", "close":
				w.memory(c.Args[0], c)
			}
			return
		}
	case *ast.SelectorExpr:
		if sel := w.info.Selections[f]; sel != nil && sel.Kind() == types.MethodVal && w.mutates(sel) {
			w.target(f.X, c)
		}
	}
	for _, a := range c.Args {
		if s, ok := ast.Unparen(a).(*ast.SliceExpr); ok && w.isByteBuffer(s) {
			w.memory(s, c)
		}
	}
	w.arguments(c)
}

// mutates reports whether a method call may change its receiver: it has a
// pointer receiver through which it does more than to read, and its receiver is no lock and no type that is known not
// to change.
func (w *writer) mutates(sel *types.Selection) bool {
	f, ok := sel.Obj().(*types.Func)
	if !ok {
		return false
	}
	recv := f.Signature().Recv()
	ptr, ok := types.Unalias(recv.Type()).(*types.Pointer)
	if !ok {
		return false
	}
	name := ptr.Elem().String()
	switch name {
	case "sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "sync.Once", "sync.Cond", "regexp.Regexp", "strings.Replacer", "time.Location",
		"text/template.Template", "html/template.Template", "unicode.RangeTable", "encoding/base64.Encoding", "encoding/base32.Encoding",
		"math/big.Int", "math/big.Float", "math/big.Rat", "log.Logger", "log/slog.Logger", "net.IPNet", "net/url.URL", "reflect.rtype":
		return false
	}
	_, isPtr := types.Unalias(sel.Recv()).(*types.Pointer)
	if isPtr { // of the module's own types, the fields that methods write count
		return isStd(f.Pkg().Path())
	}
	return !w.readsOnly(f)
}

func (w *writer) isByteBuffer(s *ast.SliceExpr) bool {
	t := w.info.TypeOf(s.X)
	if t == nil {
		return false
	}
	switch t := code.Pointee(t).Underlying().(type) {
	case *types.Array:
		return true
	case *types.Slice:
		b := basicOf(t.Elem())
		return b != nil && b.Kind() == types.Byte
	}
	return false
}

// ownLocals returns the local variables that hold memory which the function
// made itself: values of struct or array type, and pointers to new ones.
func ownLocals(info *types.Info, root ast.Node) map[types.Object]bool {
	own := make(map[types.Object]bool)
	note := func(id *ast.Ident, made bool) {
		if o := info.Defs[id]; o != nil && isLocal(o) && (made || isValue(o.Type())) {
			own[o] = true
		}
	}
	for n := range code.All[ast.Node](root) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					note(id, isMade(info, n.Rhs[i]))
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				note(id, i < len(n.Values) && isMade(info, n.Values[i]))
			}
		case *ast.FuncType:
			for f := range code.All[*ast.Field](n) {
				for _, id := range f.Names {
					note(id, false)
				}
			}
		}
	}
	return own
}

// isValue reports whether a variable of the type holds its memory itself.
func isValue(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// isMade reports whether an expression makes new memory.
func isMade(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && ok
	case *ast.CallExpr:
		return code.IsBuiltin(info, e, "new") || code.IsBuiltin(info, e, "make")
	}
	return false
}

// stateName names a package variable or a field, the same in all programs.
func (p *program) stateName(o types.Object) string {
	if v, ok := o.(*types.Var); ok && v.IsField() {
		if name := p.fields[v.Origin()]; name != "" {
			return name
		}
		if v.Pkg() != nil {
			return v.Pkg().Path() + ".?." + v.Name()
		}
	}
	return objectName(o)
}

// nameFields notes which type each field of a package belongs to.
func (p *program) nameFields(pkg *types.Package) {
	if p.fields == nil {
		p.fields = make(map[*types.Var]string)
	}
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.TypeName, *types.Var:
			p.fieldsOf(o.Type(), pkg.Path()+"."+name, 0)
		}
	}
}

func (p *program) fieldsOf(t types.Type, owner string, depth int) {
	if _, named := types.Unalias(t).(*types.Named); named && depth > 0 || depth > 4 {
		return
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			p.fields[f] = owner + "." + f.Name()
			p.fieldsOf(f.Type(), owner+"."+f.Name(), depth+1)
		}
	case interface{ Elem() types.Type }:
		p.fieldsOf(t.Elem(), owner, depth+1)
	}
}
