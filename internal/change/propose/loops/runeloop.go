package loops

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// decoded recognises a range over the characters of a string. It becomes a loop that
// decodes by itself, since a range moves on by one character only. What is not one byte
// is never part of a run: of bad UTF-8, a range makes other bytes than are there.
func (l *byteLoop) decoded(n *ast.RangeStmt) bool {
	info := l.fn.Info()
	value, ok := n.Value.(*ast.Ident)
	if l.src = l.bytesVar(ast.Unparen(n.X)); l.src == nil || !ok || value.Name == "_" || n.Tok != token.DEFINE {
		return false
	}
	c := info.Defs[value]
	if code.WrittenIn(info, n.Body, c) || !l.keyed(n) || !code.Predeclared(l.fn.Obj.Pkg(), n.Pos(), "len", "rune") {
		return false
	}
	l.body, l.post, l.bound, l.vars = n.Body, true, "len("+l.src.Name()+")", append(l.vars, c)
	if l.size = code.FirstFree(l.fn.Decl, "size", "width", "step"); l.size == "" {
		return false
	}
	l.header = fmt.Sprintf("for %[1]s, %[2]s := 0, 1; %[1]s < %[3]s; %[1]s += %[2]s ", l.index, l.size, l.bound)
	l.first = fmt.Sprintf("%[1]s := rune(%[2]s[%[3]s])\nif %[4]s = 1; %[1]s >= %[5]s {\n\t%[1]s, %[4]s = %[6]s(%[2]s[%[3]s:])\n}",
		value.Name, l.src.Name(), l.index, l.size, runeSelf, decodeRune)
	return true
}

// What is written of package unicode/utf8 before it is known under which name.
const (
	runeSelf   = "\x00RuneSelf"
	decodeRune = "\x00DecodeRuneInString"
)

// keyed names the index of a range loop, which must keep its value in the body.
func (l *byteLoop) keyed(n *ast.RangeStmt) bool {
	info := l.fn.Info()
	if key, ok := n.Key.(*ast.Ident); ok && key.Name != "_" {
		l.byteScope.index, l.index = info.Defs[key], key.Name
		return !code.WrittenIn(info, n.Body, l.byteScope.index)
	}
	l.index = code.FirstFree(l.fn.Decl, "i", "j", "pos")
	return l.index != ""
}

// taken returns what a loop would append of what is written in the source: of
// characters, a conversion to a byte or a string is the same for those of one byte.
func (l *byteLoop) taken(e ast.Expr) ast.Expr {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && l.size != "" && len(call.Args) == 1 && l.fn.Info().Types[call.Fun].IsType() {
		return call.Args[0]
	}
	return e
}

// ofRunes writes the append of a run of characters of one byte in the place of that of
// one, which stays for others.
func (r *byteRun) ofRunes(end, search string) string {
	l := r.loop
	one := l.p.Source(l.fn.File, r.stmt)
	return fmt.Sprintf("if %s < %s {\n%s := %s + 1\n%s%s\n%s = %s - %s\n} else {\n%s\n}",
		l.vars[0].Name(), runeSelf, end, l.index, search, r.add(end), l.size, end, l.index, one)
}

// qualified puts the name of package unicode/utf8 into edits, and imports it.
func (l *byteLoop) qualified(edits []model.Edit) ([]model.Edit, *prove.Reason) {
	f, pos := l.fn.File, l.stmt.Pos()
	q := l.p.Qualifier(f, pos, "unicode/utf8")
	imports, ok := l.p.Reimport(f, pos, []string{"unicode/utf8"}, "")
	if q == "" || !ok {
		return nil, prove.Refuse("package unicode/utf8 cannot be imported in " + f.Name)
	}
	for i := range edits {
		edits[i].New = strings.ReplaceAll(edits[i].New, "\x00", q+".")
	}
	return append(edits, imports...), nil
}

// small reports whether a condition only compares the character with constants of one
// byte, so that it can be asked of a byte as well.
func (c byteCond) small() bool {
	info := c.scope.fn.Info()
	if c.equal {
		n, ok := prove.ConstInt(info, c.e)
		return ok && n < 0x80
	}
	ok := true
	ast.Inspect(c.e, func(n ast.Node) bool {
		switch n := n.(type) {
		case ast.Expr:
			if c.scope.isByte(n) {
				return false
			}
			if v := info.Types[n].Value; v != nil {
				k, isInt := prove.ConstInt(info, n)
				ok = ok && isInt && 0 <= k && k < 0x80
				return false
			}
			switch n := n.(type) {
			case *ast.BinaryExpr, *ast.ParenExpr:
			case *ast.UnaryExpr:
				ok = ok && n.Op == token.NOT
			default:
				ok = false
			}
		}
		return ok
	})
	return ok
}
