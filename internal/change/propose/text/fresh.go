package text

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// commonRoom is how many bytes a new buffer has where the length of a text is not known.
const commonRoom = 64

// fresh reports whether the text is put together in a new buffer, which nothing else knows.
func (k writerKind) fresh() bool { return k == toWriter || k == toText }

// leads returns the statement whose first work a call is: nothing else in it is done
// before that could be noticed. It is nil where there is none, or where none can stand before it.
func (s *formatSite) leads() ast.Stmt {
	child, info := ast.Node(s.node()), s.fn.Info()
	for up := s.fn.File.Parent(child); up != nil; child, up = up, s.fn.File.Parent(up) {
		if code.StmtList(up) != nil {
			stmt, _ := child.(ast.Stmt)
			return stmt
		}
		var beside []ast.Expr
		switch up := up.(type) {
		case *ast.ParenExpr, *ast.ExprStmt, *ast.KeyValueExpr:
		case *ast.ReturnStmt:
			beside = up.Results
		case *ast.AssignStmt:
			beside = slices.Concat(up.Lhs, up.Rhs)
		case *ast.CallExpr:
			beside = append([]ast.Expr{up.Fun}, up.Args...)
		case *ast.IndexExpr:
			beside = []ast.Expr{up.X, up.Index}
		case *ast.BinaryExpr:
			if code.IsString(info.TypeOf(up.X)) { // a && or || may not get there
				beside = []ast.Expr{up.X, up.Y}
				break
			}
			return nil
		case *ast.IfStmt:
			if child == up.Init || up.Init == nil && child == up.Cond {
				continue
			}
			return nil
		default:
			return nil
		}
		if slices.ContainsFunc(beside, func(e ast.Expr) bool { return e != child && !s.quiet(e) }) {
			return nil
		}
	}
	return nil
}

// quiet reports whether an expression beside the text is a constant, a type, a function by its
// name, or a variable that only this function knows: it is the same before and after.
func (s *formatSite) quiet(e ast.Expr) bool {
	info := s.fn.Info()
	if tv := info.Types[e]; tv.Value != nil || tv.IsType() || tv.IsNil() || tv.IsBuiltin() {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		switch obj := info.ObjectOf(e).(type) {
		case *types.Func, nil:
			return true
		case *types.Var:
			w := &formatWriter{formatSite: s}
			return e.Name == "_" || obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() && w.private(obj)
		}
	case *ast.SelectorExpr:
		_, isFunc := info.Uses[e.Sel].(*types.Func)
		sel := info.Selections[e]
		return isFunc && (sel == nil || s.quiet(e.X) && !types.IsInterface(sel.Recv()))
	}
	return false
}

// makes writes the statements that put the text into a new buffer, and what takes the place
// of the call.
func (w *formatWriter) makes() *prove.Reason {
	if w.stmt == nil && w.alone() == "" {
		return prove.Refuse("something else in the statement comes before it, or nothing can stand before the statement")
	}
	if !code.Predeclared(w.fn.Obj.Pkg(), w.call.Pos(), "string", "byte", "make", "append", "int64", "uint64") {
		return prove.Refuse("string, byte, make or append means something else there")
	}
	if one := w.alone(); one != "" {
		w.out = one
		return nil
	}
	b := w.free("buf")
	lines := append(w.lead(), fmt.Sprintf("%s := make([]byte, 0, %d)", b, w.size()))
	for _, f := range w.pieces {
		lines = append(lines, w.assigned(f, b))
	}
	w.first, w.out = strings.Join(lines, "\n")+"\n", "string("+b+")"
	if w.kind == toWriter {
		w.out = w.receiver() + ".Write(" + b + ")"
	} else if conv := w.toBytes(); conv != nil {
		w.at, w.out = conv, "append("+w.p.Source(w.fn.File, conv.Fun)+"{}, "+b+"...)"
	}
	return nil
}

// toBytes returns the conversion that makes bytes of the text at once, nil where it stays a text.
func (w *formatWriter) toBytes() *ast.CallExpr {
	conv, ok := w.fn.File.Parent(w.call).(*ast.CallExpr)
	if !ok || w.kind != toText {
		return nil
	}
	if _, paren := conv.Fun.(*ast.ParenExpr); paren || !w.fn.Info().Types[conv.Fun].IsType() || !code.IsBytes(w.fn.Info().TypeOf(conv)) || w.fn.File.Commented(conv) {
		return nil
	}
	return conv
}

// alone returns a text of one part as one expression, "" where there is none.
func (w *formatWriter) alone() string {
	if w.kind != toText || len(w.pieces) > 1 || len(w.names) > 0 {
		return ""
	}
	f := w.pieces[0]
	switch {
	case f.stands():
		return ""
	case f.str != "":
		return f.fill(f.str, "", w.operand)
	case f.bytes:
		return "string(" + f.fill(f.append, fmt.Sprintf("make([]byte, 0, %d)", w.size()), w.operand) + ")"
	}
	text := f.fill(f.append, "", w.operand)
	if fn, args, ok := strings.Cut(text, ".AppendInt(, int64("); ok && strings.HasSuffix(args, "), 10)") && w.plainInt(f.operands[0]) {
		return fn + ".Itoa(" + strings.TrimSuffix(args, "), 10)") + ")"
	}
	for _, kind := range []string{"Int", "Uint", "Float"} {
		if fn, args, ok := strings.Cut(text, ".Append"+kind+"(, "); ok {
			return fn + ".Format" + kind + "(" + args
		}
	}
	if _, char, ok := strings.Cut(text, ".AppendRune(, "); ok {
		return "string(" + char
	}
	return ""
}

func (w *formatWriter) plainInt(e ast.Expr) bool {
	return types.Identical(w.fn.Info().TypeOf(e), types.Typ[types.Int])
}

// size returns how many bytes the text takes at most, or where that is not known, what most do.
func (w *formatWriter) size() int {
	n, known := 0, true
	for _, f := range w.pieces {
		n += len(f.text) + f.room
		known = known && (f.text != "" || f.room > 0)
	}
	if known {
		return n
	}
	return max(n, commonRoom)
}

// boxes counts the operands that fmt takes as values of their own in memory.
func (w *formatWriter) boxes() int {
	n := 0
	for _, f := range w.pieces {
		if !f.stands() && f.operands != nil && w.fn.Info().Types[f.operands[0]].Value == nil {
			n++
		}
	}
	return n
}
