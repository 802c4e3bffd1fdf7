package bench

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/internal/source/edit"
	"github.com/pawl-dev/pawl/internal/source/inject"
)

// hookSource is the file that joins package testing. It has another ending
// here so that it is not part of this package.
//
//go:embed hook/pawl_linux.go.txt
var hookSource []byte

// hookName is the file's name in the testing package; the system is in the
// name because the clock is read with a system call.
const hookName = "pawl_linux.go"

// patch returns testing/benchmark.go with calls of the hooks inserted. All
// insertions are within existing lines, so that testing's line numbers in
// stacks and profiles stay what they are. Every place is found in the syntax
// tree and has to be there exactly once; otherwise the file is of a shape that
// is not known, and the error says which place is amiss.
func patch(src []byte) ([]byte, error) {
	file, err := source.Parse(token.NewFileSet(), "benchmark.go", "benchmark.go", src)
	if err != nil {
		return nil, err
	}
	p := &patcher{file: file}
	p.structEnd("B", "pawl pawlTimer ")
	p.open("ResetTimer", "b.pawlReset();")
	p.open("RunParallel", "b.pawl.par = true;")
	p.before("StartTimer", assigns("start", token.ASSIGN), "b.pawlStart(); ")
	p.before("ResetTimer", assigns("start", token.ASSIGN), "b.pawlStart(); ")
	p.before("ResetTimer", assigns("duration", token.ASSIGN), "b.pawlZero(); ")
	p.after("StopTimer", assigns("duration", token.ADD_ASSIGN), "; b.pawlStop()")
	p.before("runN", calls("benchFunc"), "b.pawlBefore(); defer b.pawlEnd(); ")
	p.after("runN", calls("StopTimer"), "; b.pawlAfter()")
	p.before("loopSlowPath", calls("ResetTimer"), "b.pawlLoop(); ")
	p.before("ReportMetric", keeps("extra"), "b.pawl.metrics = b.extra; ")
	p.before("launch", assigns("result", token.ASSIGN), "b.pawlResult(); ")
	if p.err != nil {
		return nil, p.err
	}
	return edit.Apply(src, p.edits)
}

// A patcher collects edits and the first place that was not found.
type patcher struct {
	file  *source.File
	edits []model.Edit
	err   error
}

func (p *patcher) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *patcher) insert(pos token.Pos, text string) {
	p.edits = append(p.edits, p.file.Insert(pos, text))
}

// structEnd inserts text before the closing brace of a struct type.
func (p *patcher) structEnd(name, text string) {
	var found []*ast.StructType
	for _, d := range p.file.Syntax.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == name {
				if st, ok := t.Type.(*ast.StructType); ok {
					found = append(found, st)
				}
			}
		}
	}
	if len(found) != 1 {
		p.fail("%d struct types %s instead of one", len(found), name)
		return
	}
	p.insert(found[0].Fields.Closing, text)
}

// method returns the body of a method of *B whose receiver is called b.
func (p *patcher) method(name string) *ast.BlockStmt {
	var found []*ast.BlockStmt
	for _, d := range p.file.Syntax.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Body == nil || f.Recv == nil || len(f.Recv.List) != 1 {
			continue
		}
		r := f.Recv.List[0]
		star, ok := r.Type.(*ast.StarExpr)
		if !ok || len(r.Names) != 1 || r.Names[0].Name != "b" {
			continue
		}
		if id, ok := star.X.(*ast.Ident); ok && id.Name == "B" {
			found = append(found, f.Body)
		}
	}
	if len(found) != 1 {
		p.fail("%d methods (b *B) %s instead of one", len(found), name)
		return nil
	}
	return found[0]
}

// open makes a method begin with a statement.
func (p *patcher) open(method, statement string) {
	if body := p.method(method); body != nil {
		p.edits = append(p.edits, inject.Open(p.file, body, statement))
	}
}

func (p *patcher) before(method string, is anchor, text string) {
	if s := p.statement(method, is); s != nil {
		p.insert(s.Pos(), text)
	}
}

func (p *patcher) after(method string, is anchor, text string) {
	if s := p.statement(method, is); s != nil {
		p.insert(s.End(), text)
	}
}

// An anchor recognises a statement, and says what it looks like.
type anchor struct {
	form string
	is   func(ast.Stmt) bool
}

// assigns recognises b.field = … with the given operator.
func assigns(field string, op token.Token) anchor {
	return anchor{fmt.Sprintf("b.%s %s …", field, op), func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		return ok && a.Tok == op && len(a.Lhs) == 1 && isField(a.Lhs[0], field)
	}}
}

// calls recognises b.name(…) as a statement.
func calls(name string) anchor {
	return anchor{fmt.Sprintf("b.%s(…)", name), func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		c, ok := e.X.(*ast.CallExpr)
		return ok && isField(c.Fun, name)
	}}
}

// keeps recognises b.field[…] = ….
func keeps(field string) anchor {
	return anchor{fmt.Sprintf("b.%s[…] = …", field), func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 {
			return false
		}
		at, ok := a.Lhs[0].(*ast.IndexExpr)
		return ok && isField(at.X, field)
	}}
}

func isField(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == "b"
}

// statement finds the one statement of a method that is the anchor. It has to
// stand in a block: text before or after it would not be of its own there
// where it is, say, the init statement of an if.
func (p *patcher) statement(method string, a anchor) ast.Stmt {
	body := p.method(method)
	if body == nil {
		return nil
	}
	var found []ast.Stmt
	inBlock := make(map[ast.Stmt]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			for _, s := range n.List {
				inBlock[s] = true
			}
		case ast.Stmt:
			if a.is(n) {
				found = append(found, n)
			}
		}
		return true
	})
	if len(found) != 1 {
		p.fail("%d statements of the form %q in %s instead of one", len(found), strings.TrimSpace(a.form), method)
		return nil
	}
	if !inBlock[found[0]] {
		p.fail("the statement %q in %s does not stand in a block", a.form, method)
		return nil
	}
	return found[0]
}
