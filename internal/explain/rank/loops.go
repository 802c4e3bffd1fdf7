package rank

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A loop is where a loop statement stands.
type loop struct{ at model.Pos }

// loopAt returns the innermost loop of its function that repeats a line. What
// stands behind range is evaluated once, and what a function literal in a loop
// does is done where that is called.
func (r *reader) loopAt(file string, line int) (loop, bool) {
	s := r.parse(file)
	if s == nil {
		return loop{}, false
	}
	var found ast.Stmt
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || line < s.line(n.Pos()) || s.line(n.End()) < line {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			// On its first line stands what makes it, which the loop repeats.
			if line > s.line(n.Pos()) {
				found = nil
			}
		case *ast.ForStmt:
			found = n
		case *ast.RangeStmt:
			if line > s.line(n.Pos()) || s.line(n.Body.Lbrace) == s.line(n.Body.Rbrace) {
				found = n
			}
		}
		return true
	})
	if found == nil {
		return loop{}, false
	}
	return loop{model.Pos{File: file, Line: s.line(found.Pos())}}, true
}

// statement returns where the simple statement begins that a line is in, which
// may have several lines; else the line.
func (r *reader) statement(at model.Pos) model.Pos {
	at.Col = 0
	if at.File == "" || isTest(at.File) {
		return at
	}
	s := r.parse(at.File)
	if s == nil {
		return at
	}
	begin := at.Line
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || at.Line < s.line(n.Pos()) || s.line(n.End()) < at.Line {
			return false
		}
		switch n.(type) {
		case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.DeclStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.ValueSpec:
			begin = s.line(n.Pos())
		case *ast.FuncLit, *ast.FuncDecl: // what is in it are statements of their own
			begin = at.Line
		}
		return true
	})
	at.Line = begin
	return at
}

// loopAround returns the innermost loop around a frame of the module or
// around the calls that lead to it, over at most calls of them; calls inside
// the code of one function that were inlined do not count.
func (r *reader) loopAround(stack []model.Frame, i, calls int) (loop, bool) {
	for ; i >= 0 && i < len(stack) && calls >= 0; i++ {
		f := stack[i]
		if isTest(f.File) {
			break // the loop of a benchmark is not the program's
		}
		if f.Module {
			if l, ok := r.loopAt(f.File, f.Line); ok {
				return l, true
			}
		}
		if !f.Inline {
			calls--
		}
	}
	return loop{}, false
}

// appendsByte reports whether a line appends single bytes: by a method for
// that, or by append of what is a byte without knowing types: a character, a
// conversion, a parameter of type byte, an element of a string or []byte that
// is a parameter.
func (r *reader) appendsByte(at model.Pos) bool {
	s := r.parse(at.File)
	if s == nil {
		return false
	}
	found := false
	var known params
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || at.Line < s.line(n.Pos()) || s.line(n.End()) < at.Line {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			known = byteParams(n.Type)
		case *ast.CallExpr:
			found = found || s.line(n.Pos()) == at.Line && oneByte(n, known)
		}
		return true
	})
	return found
}

// byteParams returns the parameters that are a byte, and those whose elements
// are bytes.
func byteParams(t *ast.FuncType) params {
	p := params{bytes: make(map[string]bool), texts: make(map[string]bool)}
	for _, f := range t.Params.List {
		to := p.bytes
		switch name := types.ExprString(f.Type); name {
		case "byte", "uint8":
		case "string", "[]byte", "[]uint8":
			to = p.texts
		default:
			continue
		}
		for _, name := range f.Names {
			to[name.Name] = true
		}
	}
	return p
}

type params struct{ bytes, texts map[string]bool }

// byteMethods append one byte in the standard library and by convention.
var byteMethods = map[string]bool{"WriteByte": true, "AppendByte": true}

func oneByte(c *ast.CallExpr, known params) bool {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.SelectorExpr:
		return byteMethods[fun.Sel.Name] && len(c.Args) == 1
	case *ast.Ident:
		if fun.Name != "append" || len(c.Args) != 2 || c.Ellipsis.IsValid() {
			return false
		}
		switch x := ast.Unparen(c.Args[1]).(type) {
		case *ast.BasicLit:
			return x.Kind == token.CHAR
		case *ast.Ident:
			return known.bytes[x.Name]
		case *ast.IndexExpr:
			id, ok := x.X.(*ast.Ident)
			return ok && known.texts[id.Name]
		case *ast.CallExpr:
			id, ok := x.Fun.(*ast.Ident)
			return ok && (id.Name == "byte" || id.Name == "uint8")
		}
	}
	return false
}

// funcName returns the function declaration around a place, in the short form
// of symbols: "pkg.(*T).M".
func (r *reader) funcName(at model.Pos) string {
	s := r.parse(at.File)
	if s == nil {
		return ""
	}
	for _, d := range s.file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || at.Line < s.line(fd.Pos()) || s.line(fd.End()) < at.Line {
			continue
		}
		return s.file.Name.Name + "." + words.FuncName(fd)
	}
	return ""
}
