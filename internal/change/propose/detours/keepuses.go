package detours

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// alike are the functions that packages bytes and strings share. Of those that are
// given texts to search for, both search for bytes or for runes alike.
const alike = " Compare Contains ContainsRune Count Cut EqualFold HasPrefix HasSuffix Index IndexByte IndexFunc IndexRune LastIndex LastIndexByte TrimFunc TrimPrefix TrimSpace TrimSuffix "

// ofSet are those that are given a set of characters.
const ofSet = " ContainsAny IndexAny LastIndexAny Trim TrimLeft TrimRight "

var runesTwins = map[string]string{"DecodeRune": "DecodeRuneInString", "DecodeLastRune": "DecodeLastRuneInString", "FullRune": "FullRuneInString", "RuneCount": "RuneCountInString", "Valid": "ValidString"}

// use checks a use of the bytes that an expression gives.
func (r *reading) use(e ast.Expr) *prove.Reason {
	switch up := r.fn.File.Parent(e).(type) {
	case *ast.SliceExpr:
		if up.X != e {
			break
		}
		if why := r.bounded(up); why != nil {
			return why
		}
		return r.use(up)
	case *ast.IndexExpr:
		if up.X == e && !r.fn.File.AssignedTo(up) && !prove.Addressed(r.fn.File, up) {
			return nil
		}
	case *ast.AssignStmt:
		if k := slices.Index(up.Rhs, e); k >= 0 && len(up.Lhs) == len(up.Rhs) {
			return r.stored(up.Lhs[k])
		}
	case *ast.CallExpr:
		return r.handed(up, e)
	}
	return prove.Refuse(types.ExprString(e) + " is used in a way that a string is not (" + r.p.Pos(e.Pos()).String() + ")")
}

func (r *reading) stored(lhs ast.Expr) *prove.Reason {
	if id, ok := lhs.(*ast.Ident); ok {
		if v, ok := r.fn.Info().ObjectOf(id).(*types.Var); ok {
			r.add(v)
		}
		if id.Name == "_" || r.holds(id) {
			return nil
		}
	}
	return prove.Refuse("it is stored in " + types.ExprString(lhs))
}

// handed checks a call that is given bytes.
func (r *reading) handed(call *ast.CallExpr, e ast.Expr) *prove.Reason {
	info := r.fn.Info()
	switch b := code.Builtin(info, call); {
	case b == "len", b == "copy" && call.Args[1] == e, b == "append" && call.Ellipsis.IsValid() && len(call.Args) == 2 && call.Args[1] == e:
		return nil
	}
	if id, ok := call.Fun.(*ast.Ident); ok && info.Uses[id] == types.Universe.Lookup("string") {
		r.put(call.Pos(), e.Pos(), "")
		r.put(e.End(), call.End(), "")
		if !r.passing(call) {
			r.texts = append(r.texts, call)
		}
		return nil
	}
	fn := code.Callee(info, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok && fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "unicode/utf8" && runesTwins[fn.Name()] != "" {
		r.put(sel.Sel.Pos(), sel.Sel.End(), runesTwins[fn.Name()])
		return nil
	}
	why := r.call(call)
	if why == nil && code.IsBytes(info.TypeOf(call)) {
		return r.use(call)
	}
	return why
}

// passing reports whether the compiler makes no string of a conversion: for a comparison, a look-up or a switch.
func (r *reading) passing(call *ast.CallExpr) bool {
	switch up := r.fn.File.Parent(call).(type) {
	case *ast.BinaryExpr, *ast.SwitchStmt:
		return true
	case *ast.IndexExpr:
		return !r.fn.File.AssignedTo(up)
	}
	return false
}

// call turns a call of package bytes into one of package strings.
func (r *reading) call(call *ast.CallExpr) *prove.Reason {
	info := r.fn.Info()
	fn := code.Callee(info, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || !ok || fn.Pkg() == nil || fn.Pkg().Path() != "bytes" || fn.Signature().Recv() != nil || len(call.Args) != fn.Signature().Params().Len() {
		return prove.Refuse("it is handed to " + prove.Short(types.ExprString(call.Fun)))
	}
	name := " " + fn.Name() + " "
	switch {
	case fn.Name() == "Equal":
		r.equal(call)
	case strings.Contains(alike, name), strings.Contains(ofSet, name) && r.ascii(call.Args[1]):
		r.put(sel.X.Pos(), sel.X.End(), "strings")
		r.paths = []string{"strings"}
	default:
		return prove.Refuse("package strings has nothing that is sure to do what " + prove.Short(types.ExprString(call.Fun)) + " does here")
	}
	r.bytes = append(r.bytes, call.Fun)
	if fn.Name() == "Cut" {
		if why := r.cut(call); why != nil {
			return why
		}
	}
	for i, a := range call.Args {
		if code.IsBytes(fn.Signature().Params().At(i).Type()) {
			if why := r.value(a); why != nil {
				return why
			}
		}
	}
	return nil
}

// cut adds the variables that bytes.Cut sets.
func (r *reading) cut(call *ast.CallExpr) *prove.Reason {
	a, ok := r.fn.File.Parent(call).(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 3 {
		return prove.Refuse("the results of bytes.Cut are not assigned")
	}
	for _, l := range a.Lhs[:2] {
		if why := r.stored(l); why != nil {
			return why
		}
	}
	return nil
}

// equal turns bytes.Equal(a, b) into a == b.
func (r *reading) equal(call *ast.CallExpr) {
	op, all, open, end := " == ", ast.Expr(call), "(", ")"
	if not, ok := r.fn.File.Parent(call).(*ast.UnaryExpr); ok {
		op, all = " != ", not
	}
	switch up := r.fn.File.Parent(all).(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.ReturnStmt, *ast.AssignStmt, *ast.CaseClause:
		open, end = "", ""
	case *ast.BinaryExpr:
		if up.Op == token.LAND || up.Op == token.LOR {
			open, end = "", ""
		}
	}
	r.put(all.Pos(), call.Args[0].Pos(), open)
	r.put(call.Args[0].End(), call.Args[1].Pos(), op)
	r.put(call.Args[1].End(), call.End(), end)
}

// ascii reports whether a set of characters is constant and has none that stands for
// bytes that are no character.
func (r *reading) ascii(e ast.Expr) bool {
	s, ok := code.String(r.fn.Info(), e)
	return ok && !strings.ContainsFunc(s, func(c rune) bool { return c >= 0x80 })
}

// bounded says why a slice may go on behind the length, as bytes may and strings may
// not.
func (r *reading) bounded(s *ast.SliceExpr) *prove.Reason {
	info := r.fn.Info()
	if s.Slice3 {
		return prove.Refuse(types.ExprString(s) + " sets the capacity")
	}
	if prove.EndsWithin(info, s) {
		return nil
	}
	high, next := s.High, false
	if plus, ok := high.(*ast.BinaryExpr); ok && plus.Op == token.ADD {
		if n, ok := prove.ConstInt(info, plus.Y); ok && n == 1 {
			high, next = plus.X, true
		}
	}
	i, isIdent := high.(*ast.Ident)
	x, ofIdent := s.X.(*ast.Ident)
	if isIdent && ofIdent && r.found(i, x, s, next) {
		return nil
	}
	return prove.Refuse(types.ExprString(s) + " may go on behind the length, as far as the bytes have room")
}

// found reports whether i is a place that was found in x, which is still the same. There
// is a byte at the place, unless nothing was looked for.
func (r *reading) found(i, x *ast.Ident, at *ast.SliceExpr, next bool) bool {
	info, f := r.fn.Info(), r.fn.File
	place, of := info.Uses[i], info.Uses[x]
	return code.Any(r.fn.Decl.Body, func(a *ast.AssignStmt) bool {
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok || place == nil || info.Defs[id] != place || len(a.Lhs) != 1 {
			return false
		}
		call, ok := a.Rhs[0].(*ast.CallExpr)
		return ok && searches(code.Callee(info, call), next) && prove.IsUseOf(info, call.Args[0], of) && f.Loop(a) == f.Loop(at) && f.Literal(a) == f.Literal(at) && !r.setBetween(of, a.End(), at.Pos())
	}) && !code.WrittenIn(info, r.fn.Decl.Body, place)
}

// searches reports whether a function returns a place in bytes, or -1; next, that there
// is a byte at the place.
func searches(fn *types.Func, next bool) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "bytes" && strings.Contains(fn.Name(), "Index") &&
		!(next && (fn.Name() == "Index" || fn.Name() == "LastIndex"))
}

// setBetween reports whether a variable is set between two places, or anywhere by a
// function literal.
func (r *reading) setBetween(v types.Object, from, to token.Pos) bool {
	return code.Any(r.fn.Decl.Body, func(a *ast.AssignStmt) bool {
		return (a.Pos() >= from && a.End() <= to || r.fn.File.Literal(a) != nil) &&
			slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return prove.IsUseOf(r.fn.Info(), e, v) })
	})
}
