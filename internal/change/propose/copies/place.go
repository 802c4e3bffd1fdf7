package copies

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A place is a call of a maker whose result is only copied.
type place struct {
	m     *maker
	in    *prove.Function
	call  *ast.CallExpr // of the maker
	outer *ast.CallExpr // append, Write or WriteString
	arg   ast.Expr      // the result, as outer is given it
	to    ast.Expr      // the destination
	kind  string        // of writer; "" for a slice
	kept  *types.Var    // that has the result until then, or nil
	def   ast.Stmt      // that defines it
	next  ast.Stmt      // that copies it, if the next statement does
}

// placeOf reads what becomes of the result of a call; nil if it is not only copied.
func placeOf(m *maker, f *prove.File, call *ast.CallExpr) *place {
	s := &place{m: m, in: m.p.FunctionAt(m.p.Pos(call.Pos())), call: call}
	if s.in == nil || s.in.File != f || prove.Editable(f) != nil || s.name() == nil {
		return nil
	}
	if s.copied(call) {
		if m.fails {
			return nil
		}
		return s
	}
	a, ok := f.Parent(call).(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Rhs) != 1 {
		return nil
	}
	s.kept, _ = f.Pkg.TypesInfo.Defs[a.Lhs[0].(*ast.Ident)].(*types.Var)
	var use *ast.Ident
	uses := 0
	for id := range code.All[*ast.Ident](s.in.Decl.Body) {
		if s.kept != nil && f.Pkg.TypesInfo.Uses[id] == s.kept {
			use, uses = id, uses+1
		}
	}
	if uses != 1 || !s.copied(use) || !s.follows(a) {
		return nil
	}
	return s
}

// copied reports whether an expression is what append, Write or WriteString copies.
func (s *place) copied(e ast.Expr) bool {
	f, info := s.in.File, s.in.Info()
	up, ok := f.Parent(e).(*ast.CallExpr)
	if ok && info.Types[up.Fun].IsType() && up.Args[0] == e && (code.IsString(info.TypeOf(up)) || code.IsBytes(info.TypeOf(up))) {
		e = up
		up, ok = f.Parent(e).(*ast.CallExpr)
	}
	if !ok || f.Later(up) {
		return false
	}
	if code.Builtin(info, up) == "append" {
		s.outer, s.arg, s.to = up, e, up.Args[0]
		return len(up.Args) == 2 && up.Args[1] == e && up.Ellipsis.IsValid() && types.Identical(info.TypeOf(up), bytesType) && (prove.Path(s.to) || isNew(info, s.to))
	}
	sel, ok := ast.Unparen(up.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Write" && sel.Sel.Name != "WriteString" || len(up.Args) != 1 || up.Args[0] != e {
		return false
	}
	s.outer, s.arg, s.to, s.kind = up, e, sel.X, writer(info.TypeOf(sel.X))
	return s.kind != "" && prove.Path(sel.X) && s.room() != ""
}

// isNew reports whether an expression makes a slice.
func isNew(info *types.Info, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return code.Builtin(info, e) == "make" || info.Types[e.Fun].IsType() && code.IsString(info.TypeOf(e.Args[0]))
	}
	return false
}

// writer names the type of writer that a type is, or points to; "" for others.
func writer(t types.Type) string {
	for _, name := range [][2]string{{"bytes", "Buffer"}, {"strings", "Builder"}, {"bufio", "Writer"}} {
		if code.IsNamed(t, name[0], name[1]) {
			return name[0] + "." + name[1]
		}
	}
	return ""
}

// follows reports whether a definition of the result is followed by what copies it, with nothing between but the
// question whether the call has failed.
func (s *place) follows(def *ast.AssignStmt) bool {
	f, info := s.in.File, s.in.Info()
	list := code.StmtList(f.Parent(def))
	for i, stmt := range list {
		if stmt != def {
			continue
		}
		rest := list[i+1:]
		if s.m.fails {
			if len(rest) == 0 || !prove.LeavesOn(info, rest[0], def.Lhs[1]) {
				return false
			}
			rest = rest[1:]
		}
		if len(rest) == 0 || !code.Within(rest[0], s.outer) {
			return false
		}
		if s.def = def; !s.m.fails {
			s.next = rest[0]
		}
		switch copies := rest[0].(type) {
		case *ast.ExprStmt:
			return copies.X == s.outer
		case *ast.AssignStmt:
			return len(copies.Rhs) == 1 && copies.Rhs[0] == s.outer && (s.kind != "" || copies.Tok == token.ASSIGN && types.ExprString(copies.Lhs[0]) == types.ExprString(s.to))
		}
	}
	return false
}

// name returns the name that the call has for the function.
func (s *place) name() *ast.Ident {
	switch fun := s.call.Fun.(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// apart reports whether the writer has no room of its own to append to.
func (s *place) apart() bool {
	return s.kind == "strings.Builder" || s.kind == "bytes.Buffer" && !s.m.p.GoAtLeast(s.in.File, "go1.21")
}

// room returns what the call appends to.
func (s *place) room() string {
	to := s.m.p.Source(s.in.File, s.to)
	switch s.kind {
	case "":
		return to
	case "bufio.Writer":
		if !s.m.p.GoAtLeast(s.in.File, "go1.18") {
			return ""
		}
	default:
		if s.apart() {
			return "make([]byte, 0, 64)"
		}
	}
	return to + ".AvailableBuffer()"
}

// passes writes the place anew as a call of a function that writes to the destination.
func (s *place) passes(name string) []model.Edit {
	room := s.m.p.Source(s.in.File, s.to)
	if !isPointer(s.in.Info().TypeOf(s.to)) && code.Var(s.in.Info(), s.to) != s.m.made {
		room = "&" + room
	}
	return s.becomes(name, room, s.call, s.outer)
}

// change writes the place anew, with the new function's name.
func (s *place) change(name string) (edits []model.Edit) {
	f := s.in.File
	var what ast.Expr = s.call
	if s.kept != nil {
		what = s.arg
		if conv, ok := s.arg.(*ast.CallExpr); ok {
			what = conv.Args[0]
		}
	}
	if s.kind == "" && s.next != nil {
		to := s.m.p.Source(f, s.to) + " = "
		edits = append(s.becomes(name, s.room(), s.call, s.call), s.m.p.Drop(f, s.next))
		return append(edits, s.m.p.Put(f, s.def.Pos(), s.call.Pos(), to))
	}
	if s.kind == "" {
		return s.becomes(name, s.room(), what, s.outer)
	}
	if sel := ast.Unparen(s.outer.Fun).(*ast.SelectorExpr).Sel; sel.Name == "WriteString" {
		edits = append(edits, s.m.p.Put(f, sel.Pos(), sel.End(), "Write"))
	}
	return append(edits, s.becomes(name, s.room(), what, s.arg)...)
}

// becomes lets the call be one of the new function, and what is around a part of the code be the part.
func (s *place) becomes(name, room string, part, around ast.Expr) (edits []model.Edit) {
	put := func(from, to token.Pos, text string) {
		if from != to || text != "" {
			edits = append(edits, s.m.p.Put(s.in.File, from, to, text))
		}
	}
	if len(s.call.Args) > 0 {
		room += ", "
	}
	put(s.name().Pos(), s.name().End(), name)
	put(s.call.Lparen+1, s.call.Lparen+1, room)
	put(around.Pos(), part.Pos(), "")
	put(part.End(), around.End(), "")
	return edits
}
