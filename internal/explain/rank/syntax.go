package rank

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// A reader reads the syntax of lines. Files are parsed once, and only when a
// line of theirs has no note.
type reader struct {
	source func(file string) ([]byte, error)
	files  map[string]*syntax
}

type syntax struct {
	fset *token.FileSet
	file *ast.File
}

func (r *reader) parse(name string) *syntax {
	if s, ok := r.files[name]; ok {
		return s
	}
	r.files[name] = nil
	if r.source == nil {
		return nil
	}
	data, err := r.source(name)
	if err != nil {
		return nil // no source, no reason: it is then named as unexplained
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil
	}
	r.files[name] = &syntax{fset, f}
	return r.files[name]
}

// syntaxOf looks for what can allocate on the line of a frame. Of several
// such things the one that is most surely an allocation is named.
func (r *reader) syntaxOf(f model.Frame) (model.Reason, bool) {
	s := r.parse(f.File)
	if s == nil {
		return model.Reason{}, false
	}
	best, rank := model.Reason{}, len(surest)
	note := func(kind model.ReasonKind, text string) {
		if i := slices.Index(surest, kind); i < rank {
			best, rank = model.Reason{Kind: kind, Text: text}, i
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		first, last := s.line(n.Pos()), s.line(n.End())
		if f.Line < first || last < f.Line {
			return false
		}
		s.classify(n, f.Line, note)
		return true
	})
	return best, rank < len(surest)
}

// surest orders the reasons by how surely such an expression allocates.
var surest = []model.ReasonKind{
	model.ReasonGo, model.ReasonChannel, model.ReasonAppend, model.ReasonMake, model.ReasonConversion,
	model.ReasonMap, model.ReasonClosure, model.ReasonConcat, model.ReasonNew,
}

func (s *syntax) line(p token.Pos) int { return s.fset.PositionFor(p, false).Line }

func (s *syntax) classify(n ast.Node, line int, note func(model.ReasonKind, string)) {
	switch n := n.(type) {
	case *ast.GoStmt:
		if s.line(n.Go) == line {
			note(model.ReasonGo, "a goroutine is started")
		}
	case *ast.CallExpr:
		if s.line(n.Pos()) == line || s.line(n.Lparen) == line {
			classifyCall(n, note)
		}
	case *ast.BinaryExpr:
		// Types are not known here. But of all things + can be, only that of
		// strings allocates.
		if n.Op == token.ADD && (s.line(n.Pos()) == line || s.line(n.OpPos) == line) {
			note(model.ReasonConcat, "strings are joined with +")
		}
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN && s.line(n.TokPos) == line {
			note(model.ReasonConcat, "strings are joined with +=")
		}
		for _, l := range n.Lhs {
			s.classifyStore(l, line, note)
		}
	case *ast.IncDecStmt:
		s.classifyStore(n.X, line, note)
	case *ast.FuncLit:
		if s.line(n.Pos()) == line {
			note(model.ReasonClosure, "a function literal captures variables")
		}
	case *ast.CompositeLit:
		if s.line(n.Pos()) != line {
			return
		}
		switch t := n.Type.(type) {
		case *ast.MapType:
			note(model.ReasonMap, "a map is made")
		case *ast.ArrayType:
			if t.Len == nil {
				note(model.ReasonNew, "a slice is made by a literal")
			}
		}
	case *ast.UnaryExpr:
		if lit, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok && n.Op == token.AND && s.line(n.Pos()) == line {
			note(model.ReasonNew, "a value is made on the heap: &"+types.ExprString(lit.Type)+"{…}")
		}
	}
}

func classifyCall(c *ast.CallExpr, note func(model.ReasonKind, string)) {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		switch {
		case fun.Name == "append":
			note(model.ReasonAppend, "append has to grow its slice")
		case fun.Name == "make" && len(c.Args) > 0:
			classifyMake(c, note)
		case fun.Name == "new" && len(c.Args) == 1:
			note(model.ReasonNew, "a value is made on the heap: "+types.ExprString(c))
		case fun.Name == "string" && len(c.Args) == 1:
			note(model.ReasonConversion, "a conversion to string copies")
		}
	case *ast.ArrayType:
		if id, ok := fun.Elt.(*ast.Ident); ok && fun.Len == nil && (id.Name == "byte" || id.Name == "rune" || id.Name == "uint8" || id.Name == "int32") {
			note(model.ReasonConversion, "a conversion to []"+id.Name+" copies")
		}
	}
}

func classifyMake(c *ast.CallExpr, note func(model.ReasonKind, string)) {
	switch c.Args[0].(type) {
	case *ast.ChanType:
		note(model.ReasonChannel, "a channel is made")
	case *ast.MapType:
		note(model.ReasonMap, "a map is made")
	default:
		if len(c.Args) == 1 { // a slice would need a length
			note(model.ReasonMap, "a map, or a channel, is made")
			return
		}
		if slices.ContainsFunc(c.Args[1:], HasCall) {
			note(model.ReasonMake, "make of a size that the compiler does not know")
			return
		}
		note(model.ReasonMake, "a slice is made")
	}
}

// HasCall reports whether an expression has a call: then its value is known only
// when the program runs. Names may be constants.
func HasCall(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}

func (s *syntax) classifyStore(e ast.Expr, line int, note func(model.ReasonKind, string)) {
	if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok && s.line(ix.Pos()) == line {
		note(model.ReasonMap, "a map grows: values are stored by key")
	}
}
