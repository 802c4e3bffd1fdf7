package hints

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/rank"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A block is a branch that is not taken when all goes well.
type block struct {
	f      *file
	fd     *ast.FuncDecl
	node   ast.Node // the block or the clause
	list   []ast.Stmt
	open   token.Pos // behind the brace or colon
	close  token.Pos // before the brace, or the end of the clause
	leaves bool      // ends in a panic, the end of the process, or the return of an error
}

func (b block) first() int { return b.f.Line(b.list[0].Pos()) }
func (b block) last() int  { return b.f.Line(b.list[len(b.list)-1].End()) }

// coldBlocks returns the outermost cold branches of a function, its literals
// left out.
func (s *search) coldBlocks(f *file, fd *ast.FuncDecl) []block {
	var out []block
	if fd.Body == nil {
		return nil
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		b := block{f: f, fd: fd, node: n}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			if _, ok := f.Parent(n).(*ast.IfStmt); !ok {
				return true
			}
			b.list, b.open, b.close = n.List, n.Lbrace+1, n.Rbrace
		case *ast.CaseClause:
			b.list, b.open, b.close = n.Body, n.Colon+1, n.End()
		default:
			return true
		}
		b.leaves = escape.EndsCold(b.list, fd.Type)
		if len(b.list) == 0 || !s.isCold(b) {
			return true
		}
		out = append(out, b)
		return false
	})
	return out
}

func (s *search) isCold(b block) bool {
	if s.Cold != nil {
		if cold, known := s.Cold(b.f.Name, b.first()); known {
			return cold
		}
	}
	return b.leaves && s.hot.mostUnder(b.f.Name, b.first(), b.last()) <= coldShare
}

// An outlining is how a block is moved to a function of its own.
type outlining struct {
	edits []model.Edit
	args  []string // what the function needs
	what  string   // "the error" or "what it does"
}

// outlined returns the edits that move a block to a function of its own, as
// far as the compiler's cost of what remains is concerned. The block itself
// stays where it is as code that is never reached, so that what it uses is
// used. Of a block that only returns an error, the error is what is moved: a
// call with several results costs more.
func (s *search) outlined(b block) (o outlining, ok bool) {
	if b.f.info == nil || !b.leaves || !movable(b) {
		return o, false
	}
	last := b.list[len(b.list)-1]
	moves, leave := nodes(b.list), ""
	results := func(types.Qualifier) string { return "" }
	o.what = "what it does"
	if ret, ok := last.(*ast.ReturnStmt); ok {
		fn, _ := b.f.info.Defs[b.fd.Name].(*types.Func)
		if fn == nil || len(ret.Results) != fn.Signature().Results().Len() {
			return o, false
		}
		n := len(ret.Results)
		leave = "return "
		results = func(q types.Qualifier) string { return tuple(fn.Signature().Results(), q) }
		if len(b.list) == 1 && !slices.ContainsFunc(ret.Results[:n-1], rank.HasCall) {
			for _, r := range ret.Results[:n-1] {
				leave += b.f.Text(r) + ", "
			}
			moves, o.what = []ast.Node{ret.Results[n-1]}, "the making of the error"
			results = func(types.Qualifier) string { return "error" }
		}
	}
	call, decl, args, ok := s.helper(b.f, moves, results)
	o.args = args
	o.edits = []model.Edit{
		b.f.Insert(b.open, " if false {"),
		b.f.Insert(b.close, "}; "+leave+call+";"),
		b.f.Append(decl),
	}
	return o, ok
}

func nodes(list []ast.Stmt) []ast.Node {
	var out []ast.Node
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

func tuple(t *types.Tuple, q types.Qualifier) string {
	var list []string
	for v := range t.Variables() {
		list = append(list, types.TypeString(v.Type(), q))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// movable reports whether a block is code that another function could hold as
// it stands: it has a call that is worth moving, does not jump, defer or
// recover, and each return in it names its results.
func movable(b block) bool {
	calls := false
	stays := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BranchStmt, *ast.LabeledStmt, *ast.DeferStmt:
			return true
		case *ast.ReturnStmt:
			return len(n.Results) == 0
		case *ast.CallExpr:
			name := escape.CalledName(n.Fun)
			calls = calls || name != "panic"
			return name == "recover"
		}
		return false
	}
	return !slices.ContainsFunc(b.list, func(s ast.Stmt) bool { return code.Any(s, stays) }) && calls
}

func (b block) uses(v *types.Var) bool {
	return slices.Contains(b.f.free(nodes(b.list)), v)
}

// qualifier returns how types are written in a file. *named turns false when
// one of another package cannot be.
func (f *file) qualifier() (q types.Qualifier, named *bool) {
	ok := true
	return func(p *types.Package) string {
		if p == f.types {
			return ""
		}
		for _, spec := range f.Syntax.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			switch {
			case err != nil || path != p.Path():
			case spec.Name == nil:
				return p.Name()
			case spec.Name.Name != "_" && spec.Name.Name != ".":
				return spec.Name.Name
			}
		}
		ok = false
		return p.Name()
	}, &ok
}
