package escape

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A source is what Diff and Added need to know of one source file of the tree.
type source struct {
	funcs []function // in the order of their lines
	lines []string
}

// A function is a function declaration, with the closures in it.
type function struct {
	name       string   // "F", "(*T).M", "T.M"; type parameters left out
	params     []string // names, the receiver first
	start, end int      // lines
	calls      []call
	cold       []span // blocks that end in a panic or an error
	locals     map[string]bool
}

// A call is a call as it stands in the source.
type call struct {
	name string    // last identifier: M in x.M()
	at   model.Pos // of the opening parenthesis, where the compiler puts it
}

type span struct{ start, end int }

// readSources parses the files of the tree that notes are on. A file that
// cannot be read or parsed is left out; what is compared by function is then
// compared by line.
func readSources(ctx context.Context, root string, notes []model.Note) map[string]*source {
	out := make(map[string]*source)
	if root == "" {
		return out
	}
	for _, n := range notes {
		for _, at := range n.Chain {
			if _, seen := out[at.File]; seen || filepath.IsAbs(at.File) || strings.HasPrefix(at.File, "<") {
				continue
			}
			out[at.File] = nil
			if data, err := gocmd.ReadFile(ctx, filepath.Join(root, filepath.FromSlash(at.File))); err == nil {
				out[at.File] = parseSource(at.File, data)
			}
		}
	}
	return out
}

func parseSource(name string, data []byte) *source {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	s := &source{lines: strings.Split(string(data), "\n")}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			s.funcs = append(s.funcs, readFunc(fset, name, fd))
		}
	}
	return s
}

func readFunc(fset *token.FileSet, file string, fd *ast.FuncDecl) function {
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	fn := function{name: words.FuncName(fd), params: paramNames(fd), start: line(fd.Pos()), end: line(fd.End()), locals: locals(fd)}
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name := CalledName(n.Fun); name != "" {
				p := fset.PositionFor(n.Lparen, false)
				fn.calls = append(fn.calls, call{name, model.Pos{File: file, Line: p.Line, Col: p.Column}})
			}
		case *ast.BlockStmt:
			if n != fd.Body && EndsCold(n.List, fd.Type) {
				fn.cold = append(fn.cold, span{line(n.Lbrace), line(n.Rbrace)})
			}
		case *ast.CaseClause:
			if EndsCold(n.Body, fd.Type) {
				fn.cold = append(fn.cold, span{line(n.Colon), line(n.End())})
			}
		}
		return true
	})
	return fn
}

func locals(fd *ast.FuncDecl) map[string]bool {
	names := make(map[string]bool)
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			names[id.Name] = true
		}
	}
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.RangeStmt:
			add(n.Key)
			add(n.Value)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if n.Tok == token.DEFINE {
					add(e)
				}
			}
		}
		return true
	})
	return names
}

// line returns the text of a line, without the space around it.
func (s *source) line(n int) string {
	if s == nil || n < 1 || n > len(s.lines) {
		return ""
	}
	return strings.TrimSpace(s.lines[n-1])
}

func (s *source) funcAt(line int) *function {
	if s == nil {
		return nil
	}
	i := sort.Search(len(s.funcs), func(i int) bool { return s.funcs[i].end >= line })
	if i < len(s.funcs) && s.funcs[i].start <= line {
		return &s.funcs[i]
	}
	return nil
}

func (f *function) isCold(line int) bool {
	return slices.ContainsFunc(f.cold, func(s span) bool { return s.start <= line && line <= s.end })
}

func paramNames(fd *ast.FuncDecl) []string {
	var names []string
	for _, list := range []*ast.FieldList{fd.Recv, fd.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			if len(field.Names) == 0 {
				names = append(names, "_")
			}
			for _, id := range field.Names {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// CalledName returns the last identifier of the function that is called, or
// "" for a function literal or a value that has no name.
func CalledName(fun ast.Expr) string {
	for {
		switch f := fun.(type) {
		case *ast.ParenExpr:
			fun = f.X
		case *ast.IndexExpr:
			fun = f.X
		case *ast.IndexListExpr:
			fun = f.X
		case *ast.Ident:
			return f.Name
		case *ast.SelectorExpr:
			return f.Sel.Name
		default:
			return ""
		}
	}
}

// EndsCold reports whether a block leaves its function by a panic, the end of
// the process, or an error: code that does not run when all goes well.
func EndsCold(list []ast.Stmt, fn *ast.FuncType) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		switch CalledName(c.Fun) {
		case "panic", "Exit", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln":
			return true
		}
	case *ast.ReturnStmt:
		if len(s.Results) == 0 || !returnsError(fn) {
			return false
		}
		id, isIdent := s.Results[len(s.Results)-1].(*ast.Ident)
		return !isIdent || id.Name != "nil"
	}
	return false
}

func returnsError(fn *ast.FuncType) bool {
	if fn.Results == nil || len(fn.Results.List) == 0 {
		return false
	}
	id, ok := fn.Results.List[len(fn.Results.List)-1].Type.(*ast.Ident)
	return ok && id.Name == "error"
}
