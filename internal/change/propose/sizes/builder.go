package sizes

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A builder is a local strings.Builder or bytes.Buffer that starts empty, with
// what the statements after it write.
type builder struct {
	growing
	name  string
	first int // index of the first statement that writes to it
	fixed int // bytes, in all
	once  []string
	loops []listed
	fewer bool // the loop may end early, for an error
	spare bool // a few bytes are written under a condition
}

// A listed is a loop that writes parts of each element.
type listed struct {
	loop  *ast.RangeStmt
	each  []string // lengths, in terms of the loop's variables
	fixed int      // bytes in each iteration
}

// writes returns what a statement writes to a builder, nil if it does not.
func writes(info *types.Info, s ast.Stmt) (b *ast.Ident, call *ast.CallExpr) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = s.X.(*ast.CallExpr)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			call, _ = s.Rhs[0].(*ast.CallExpr)
		}
	}
	if call == nil || len(call.Args) != 1 {
		return nil, nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	fn := code.Callee(info, call)
	if !ok || fn == nil || !strings.HasPrefix(fn.Name(), "Write") || fn.Name() == "WriteTo" {
		return nil, nil
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok || !code.IsNamed(info.TypeOf(id), "strings", "Builder") && !code.IsNamed(info.TypeOf(id), "bytes", "Buffer") {
		return nil, nil
	}
	return id, call
}

// builderAt returns what a statement on a line writes to, if it is a local
// variable that is declared empty.
func builderAt(p *prove.Program, fn *prove.Function, line int) *builder {
	for s := range code.All[ast.Stmt](fn.Decl.Body) {
		if !p.Covers(s, line) {
			continue
		}
		id, _ := writes(fn.Info(), s)
		if id == nil || fn.File.Literal(id) != nil {
			continue
		}
		b := &builder{growing: growing{counter: counter{p, fn, id}, typ: fn.Info().TypeOf(id)}, name: id.Name}
		if b.declared(id) {
			return b
		}
	}
	return nil
}

// declared finds the declaration of the builder, in the function itself.
func (b *builder) declared(id *ast.Ident) bool {
	v := code.Var(b.fn.Info(), id)
	if !code.Local(v) || code.Reassigned(b.fn.Info(), b.fn.Decl.Body, v) {
		return false
	}
	found := false
	ast.Inspect(b.fn.Decl.Body, func(n ast.Node) bool {
		list := code.StmtList(n)
		for i, s := range list {
			switch s := s.(type) {
			case *ast.DeclStmt:
				gen := s.Decl.(*ast.GenDecl)
				for _, spec := range gen.Specs {
					vs, ok := spec.(*ast.ValueSpec)
					if ok && len(vs.Values) == 0 && slices.ContainsFunc(vs.Names, func(id *ast.Ident) bool { return b.fn.Info().Defs[id] == v }) {
						_, ptr := v.Type().Underlying().(*types.Pointer)
						found, b.list, b.made = !ptr, list, i
					}
				}
			case *ast.AssignStmt:
				if l, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 && b.fn.Info().Defs[l] == v && prove.Zero(b.fn.Info(), s.Rhs[0]) {
					found, b.list, b.made = true, list, i
				}
			}
		}
		return !found
	})
	return found
}

// collect adds up what the statements after the declaration write. It says why
// that is not known before the first of them.
func (b *builder) collect() *prove.Reason {
	b.first = -1
	for i := b.made + 1; i < len(b.list); i++ {
		s := b.list[i]
		if !code.Mentions(b.fn.Info(), s, b.fn.Info().Uses[b.to.(*ast.Ident)]) {
			continue
		}
		done, why := b.statement(s, i)
		if why != nil {
			return why
		}
		if done {
			return nil
		}
	}
	return nil
}

// statement reads a statement that mentions the builder. done is set for the
// first one that does not write: it takes the text.
func (b *builder) statement(s ast.Stmt, i int) (done bool, why *prove.Reason) {
	start := max(b.first, 0)
	if b.first < 0 {
		start = i
	}
	info := b.fn.Info()
	switch s := s.(type) {
	case *ast.RangeStmt:
		early, exact := code.Exits(info, s.Body, token.NoPos)
		of := code.Countable(info, s.X)
		if early || of == nil || code.IsInteger(info.TypeOf(s.X)) {
			return false, prove.Refuse("the number of iterations is not known before the loop")
		}
		if why := b.at(of, start, i); why != nil {
			return false, why
		}
		l := listed{loop: s}
		if why := b.body(s.Body.List, &l); why != nil {
			return false, why
		}
		b.fewer = b.fewer || !exact
		b.loops = append(b.loops, l)
	default:
		id, call := writes(info, s)
		if id == nil {
			return b.first >= 0, b.unwritten(s)
		}
		n, text, arg := b.length(call)
		if arg != nil {
			if code.Countable(info, arg) == nil {
				return false, prove.Refuse("the length of " + types.ExprString(arg) + " is not known before")
			}
			if why := b.at(arg, start, i); why != nil {
				return false, why
			}
			b.once = append(b.once, text)
		}
		b.fixed += n
	}
	if b.first < 0 {
		b.first = i
	}
	return false, nil
}

// unwritten refuses statements that may write in a way that is not read here.
func (b *builder) unwritten(s ast.Stmt) *prove.Reason {
	if _, ok := s.(*ast.ReturnStmt); ok {
		return nil
	}
	for id := range code.All[*ast.Ident](s) {
		sel, ok := b.fn.File.Parent(id).(*ast.SelectorExpr)
		if b.fn.Info().Uses[id] == b.fn.Info().Uses[b.to.(*ast.Ident)] && (!ok || !slices.Contains([]string{"String", "Len", "Bytes"}, sel.Sel.Name)) {
			return prove.Refuse("what is written at " + b.p.Pos(id.Pos()).String() + " is not known before")
		}
	}
	return nil
}

// handed returns the first place where the builder is used other than by its
// methods, "" if there is none.
func (b *builder) handed() string {
	for id := range code.All[*ast.Ident](b.fn.Decl.Body) {
		if _, ok := b.fn.File.Parent(id).(*ast.SelectorExpr); !ok && b.fn.Info().Uses[id] == b.fn.Info().Uses[b.to.(*ast.Ident)] {
			return b.p.Pos(id.Pos()).String()
		}
	}
	return ""
}

// asksRoom reports whether anything in a part of the function looks at the
// builder's room or changes it, but for one call.
func (b *builder) asksRoom(s ast.Node, but *ast.CallExpr) bool {
	return code.Any(s, func(sel *ast.SelectorExpr) bool {
		return (but == nil || sel != but.Fun) && b.calls(sel, "Grow", "Cap", "Available", "AvailableBuffer") ||
			b.calls(sel, "Reset") && code.IsNamed(b.typ, "strings", "Builder") // it gives the room up
	})
}

// cut reports whether the text may become shorter, so that what Bytes returned is overwritten.
func (b *builder) cut() bool {
	return code.Any(b.fn.Decl.Body, func(sel *ast.SelectorExpr) bool { return b.calls(sel, "Reset", "Truncate") })
}

// calls reports whether a selector is one of the builder's methods.
func (b *builder) calls(sel *ast.SelectorExpr, names ...string) bool {
	return code.SameVariable(b.fn.Info(), sel.X, b.to) && slices.Contains(names, sel.Sel.Name)
}

// length reads what a call writes: so many bytes, or all of an argument.
func (b *builder) length(call *ast.CallExpr) (n int, text string, arg ast.Expr) {
	info, x := b.fn.Info(), call.Args[0]
	switch code.Callee(info, call).Name() {
	case "WriteByte":
		return 1, "", nil
	case "WriteRune":
		return 4, "", nil
	}
	if v := info.Types[x].Value; v != nil && v.Kind() == constant.String {
		return len(constant.StringVal(v)), "", nil
	}
	return 0, "len(" + b.p.Source(b.fn.File, x) + ")", x
}

// body reads the writes in a loop: statements of its body, or under
// conditions if they are of constants.
func (b *builder) body(list []ast.Stmt, l *listed) *prove.Reason {
	info := b.fn.Info()
	for _, s := range list {
		if !code.Mentions(info, s, info.Uses[b.to.(*ast.Ident)]) {
			continue
		}
		if test, ok := s.(*ast.IfStmt); ok && test.Else == nil {
			under := listed{}
			if why := b.body(test.Body.List, &under); why != nil || len(under.each) > 0 {
				return prove.Refuse("a condition decides what is written")
			}
			l.fixed, b.spare = l.fixed+under.fixed, true
			continue
		}
		id, call := writes(info, s)
		if id == nil {
			return prove.Refuse("what is written at " + b.p.Pos(s.Pos()).String() + " is not known before")
		}
		n, text, arg := b.length(call)
		if arg != nil {
			if !b.ofElement(arg, l.loop) {
				return prove.Refuse("the length of " + types.ExprString(arg) + " is not known before the loop")
			}
			l.each = append(l.each, text)
		}
		l.fixed += n
	}
	return nil
}

// ofElement reports whether e is a loop's key or value, or a field of it, and
// the loop does not change it.
func (b *builder) ofElement(e ast.Expr, loop *ast.RangeStmt) bool {
	info := b.fn.Info()
	if loop == nil || loop.Tok != token.DEFINE {
		return false
	}
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			break
		}
		s := info.Selections[sel]
		if _, ptr := info.TypeOf(sel.X).Underlying().(*types.Pointer); s == nil || s.Kind() != types.FieldVal || code.ThroughPointer(s) || ptr {
			return false
		}
		e = sel.X
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	for _, x := range []ast.Expr{loop.Key, loop.Value} {
		if def, ok := x.(*ast.Ident); ok && info.Defs[def] != nil && info.Defs[def] == info.Uses[id] {
			return !changes(info, loop.Body, id)
		}
	}
	return false
}
