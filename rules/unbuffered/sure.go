package unbuffered

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// short reports whether a string or byte slice is surely small: a constant, a
// line put together from parts, a number, an array's slice.
func short(info *types.Info, x ast.Expr) bool {
	x = ast.Unparen(x)
	if v, ok := code.String(info, x); ok {
		return len(v) <= 512
	}
	switch x := x.(type) {
	case *ast.BinaryExpr:
		return x.Op == token.ADD && (short(info, x.X) || short(info, x.Y))
	case *ast.CompositeLit:
		return len(x.Elts) <= 512
	case *ast.SliceExpr:
		n, ok := code.ArrayLen(info.TypeOf(x.X))
		return ok && n <= 512
	case *ast.CallExpr:
		if tv := info.Types[x.Fun]; tv.IsType() && len(x.Args) == 1 {
			return short(info, x.Args[0])
		}
		f := typeutil.StaticCallee(info, x)
		return f != nil && f.Pkg() != nil && (f.Pkg().Path() == "strconv" || f.Pkg().Path() == "fmt")
	}
	return false
}

// smallValue reports whether encoding/binary writes few bytes for a value: a
// number or a pointer to or value of a struct, not a slice.
func smallValue(info *types.Info, x ast.Expr) bool {
	switch t := code.Pointee(info.TypeOf(x)).Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsNumeric != 0
	case *types.Struct:
		return types.SizesFor("gc", "amd64").Sizeof(t) <= 512
	}
	return false
}

// bounded reports whether the loop, and those in it, go over what is in
// memory, without waiting for anything.
func (s *search) bounded(g *group) bool {
	info := s.p.TypesInfo
	conn := !code.IsNamed(g.file.Type(), "os", "File")
	ok := true
	ast.Inspect(g.loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			ok = ok && (n.Cond != nil || g.key.read)
		case *ast.RangeStmt:
			switch info.TypeOf(n.X).Underlying().(type) {
			case *types.Chan, *types.Signature:
				ok = false
			}
		case *ast.SelectStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.LabeledStmt, *ast.FuncLit:
			ok = false
		case *ast.BranchStmt:
			ok = ok && n.Label == nil && n.Tok != token.GOTO
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			fact := s.effects.Call(n)
			ok = ok && !fact.Blocks && (!fact.IO || slices.Contains(g.calls, n) || !conn && !standardStream(info, n))
		}
		return ok
	})
	return ok && (g.key.read || counted(g.loop))
}

// counted reports whether a loop has an end that it knows: a range, or a
// comparison. A loop until Scan says no may be fed by hand.
func counted(loop ast.Node) bool {
	f, ok := loop.(*ast.ForStmt)
	if !ok {
		return true
	}
	cmp, ok := ast.Unparen(f.Cond).(*ast.BinaryExpr)
	return ok && f.Post != nil && cmp.Op != token.LAND && cmp.Op != token.LOR
}

// standardStream reports whether a call reads standard input or speaks to
// someone at a terminal.
func standardStream(info *types.Info, call *ast.CallExpr) bool {
	return code.Any(call, func(id *ast.Ident) bool {
		v, ok := info.Uses[id].(*types.Var)
		return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && v.Name() == "Stdin"
	})
}

// alone reports whether nothing but the group's calls uses the file up to the
// end of the loop, and nobody else can write to it meanwhile. For reads this
// holds to the end of the function, since a buffer reads ahead.
func (s *search) alone(g *group) bool {
	for _, at := range s.p.Index.Uses(g.file) {
		if slices.Contains(g.args, ast.Expr(at.Node().(*ast.Ident))) {
			continue
		}
		if cmp, ok := at.Parent().Node().(*ast.BinaryExpr); ok && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
			continue
		}
		method := ""
		if sel, ok := at.Parent().Node().(*ast.SelectorExpr); ok && at.Parent().ParentEdgeKind() == edge.CallExpr_Fun {
			method = sel.Sel.Name
		}
		switch {
		case method == "Close", method == "Name":
			if code.Within(g.loop, at.Node()) && !leaving(g, at) {
				return false
			}
		case g.key.read:
			return false
		case at.Node().Pos() > g.loop.End():
			if nested(at, g.fn) || repeated(g.cur) {
				return false
			}
		case method == "" || code.Within(g.loop, at.Node()) || nested(at, g.fn):
			return false
		}
	}
	return true
}

// leaving reports whether cur stands in a branch that returns from the loop.
func leaving(g *group, cur inspector.Cursor) bool {
	for p := range cur.Enclosing((*ast.IfStmt)(nil)) {
		body := p.Node().(*ast.IfStmt).Body
		if !code.Within(g.loop, p.Node()) || !code.Within(body, cur.Node()) || len(body.List) == 0 {
			continue
		}
		if _, ok := body.List[len(body.List)-1].(*ast.ReturnStmt); ok {
			return true
		}
	}
	return false
}

// nested reports whether cur stands in a literal within fn.
func nested(cur, fn inspector.Cursor) bool {
	in, _ := code.Func(cur)
	return in.Index() != fn.Index()
}

// repeated reports whether the loop stands in another one.
func repeated(loop inspector.Cursor) bool {
	_, ok := code.Loop(loop)
	return ok
}

// plain reports whether the file is one that may be buffered as far as can be
// told: opened here, not for appending, or a parameter that no caller in the
// package gives a standard stream.
func (s *search) plain(g *group) bool {
	info := s.p.TypesInfo
	decl, f := code.Decl(info, g.cur)
	if decl == nil {
		return false
	}
	if i := code.ParameterIndex(f.Signature(), g.file); i >= 0 {
		return !g.key.read && !code.Written(s.p.Index, info, g.file, decl) && s.callersOpen(f, i)
	}
	_, value := code.Origin(s.p.Index, info, decl, g.file)
	call, ok := value.(*ast.CallExpr)
	return ok && !nestedVar(g) && s.opens(call, g.key.read)
}

// nestedVar reports whether the file is declared outside the literal that the
// loop stands in.
func nestedVar(g *group) bool {
	return g.file.Pos() < g.fn.Node().Pos()
}

// opens reports whether a call opens a file or connection of its own.
func (s *search) opens(call *ast.CallExpr, read bool) bool {
	f := typeutil.StaticCallee(s.p.TypesInfo, call)
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() + "." + f.Name() {
	case "os.Open":
		return read
	case "os.Create", "os.CreateTemp":
		return !read
	case "net.Dial", "net.DialTimeout":
		return !read
	case "os.OpenFile":
		return !read && s.p.TypesInfo.Types[call.Args[1]].Value != nil && !mentions(call.Args[1], "O_APPEND", "O_SYNC")
	}
	return false
}

func mentions(x ast.Expr, names ...string) bool {
	return code.Any(x, func(id *ast.Ident) bool { return slices.Contains(names, id.Name) })
}

// callersOpen reports whether each call of f in the package gives it, as its
// i-th argument, a file that the caller has opened or got itself, and f is not
// used as a value.
func (s *search) callersOpen(f *types.Func, i int) bool {
	calls := 0
	for cur, call := range s.p.Index.CallsOf(f) {
		calls++
		if len(call.Args) != f.Signature().Params().Len() || !s.opened(cur, call.Args[i]) {
			return false
		}
	}
	return calls == len(s.p.Index.Uses(f))
}

// opened reports whether x, at a call, is a local variable that holds a file
// the caller opened, or a parameter of the caller.
func (s *search) opened(cur inspector.Cursor, x ast.Expr) bool {
	v := code.Var(s.p.TypesInfo, x)
	decl, f := code.Decl(s.p.TypesInfo, cur)
	if !code.Local(v) || decl == nil {
		return false
	}
	if code.ParameterIndex(f.Signature(), v) >= 0 {
		return !code.Written(s.p.Index, s.p.TypesInfo, v, decl)
	}
	_, value := code.Origin(s.p.Index, s.p.TypesInfo, decl, v)
	call, ok := value.(*ast.CallExpr)
	return ok && s.opens(call, false)
}
