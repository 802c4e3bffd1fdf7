package poolvalue

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A pool is a variable of the package whose Gets and Puts are all known.
type pool struct {
	p    *rule.Pass
	v    *types.Var
	vars *code.PackageVars
	elem types.Type // of what is put into it
}

// edits returns what makes the pool hold pointers, unless a place is not
// understood.
func (o *pool) edits() ([]analysis.TextEdit, bool) {
	if o.v.Exported() || o.v.Parent() != o.p.Pkg.Scope() || o.vars.Elsewhere(o.v.Name()) {
		return nil, false
	}
	edits, ok := o.made()
	if !ok {
		return nil, false
	}
	uses := map[*ast.FuncDecl]*user{}
	for _, cur := range o.p.Index.Uses(o.v) {
		call, ok := code.MethodCall(cur)
		fd, _ := code.Decl(o.p.TypesInfo, cur)
		if !ok || fd == nil {
			return nil, false
		}
		if uses[fd] == nil {
			uses[fd] = &user{pool: o}
		}
		if !uses[fd].add(call) {
			return nil, false
		}
	}
	for fd, u := range uses {
		more, ok := u.edits(fd)
		if !ok {
			return nil, false
		}
		edits = append(edits, more...)
	}
	return edits, true
}

// made returns the edits of var v = sync.Pool{New: func() any { return x }}. A pool without New needs none.
func (o *pool) made() ([]analysis.TextEdit, bool) {
	value, found := o.value()
	lit, ok := value.(*ast.CompositeLit)
	if found && (value == nil || ok && len(lit.Elts) == 0) {
		return nil, true
	}
	if !ok || len(lit.Elts) != 1 {
		return nil, false
	}
	kv, ok := lit.Elts[0].(*ast.KeyValueExpr)
	if !ok {
		return nil, false
	}
	fn, ok := kv.Value.(*ast.FuncLit)
	if !ok || len(fn.Body.List) != 1 {
		return nil, false
	}
	ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 || !types.Identical(o.p.TypesInfo.TypeOf(ret.Results[0]), o.elem) {
		return nil, false
	}
	x := ret.Results[0]
	text := "\nv := " + o.p.Source(x) + "\nreturn &v\n"
	if _, composite := x.(*ast.CompositeLit); composite {
		text = "return &" + o.p.Source(x)
	}
	return []analysis.TextEdit{{Pos: ret.Pos(), End: ret.End(), NewText: []byte(text)}}, true
}

// value returns what the pool's variable is declared with, nil for nothing, and whether it is declared alone.
func (o *pool) value() (value ast.Expr, found bool) {
	for _, file := range o.p.Files {
		for _, d := range file.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok || gd.Tok != token.VAR {
				continue
			}
			for _, spec := range gd.Specs {
				vs := spec.(*ast.ValueSpec)
				switch {
				case len(vs.Names) != 1 || o.p.TypesInfo.Defs[vs.Names[0]] != o.v:
				case len(vs.Values) == 0:
					return nil, true
				default:
					return vs.Values[0], true
				}
			}
		}
	}
	return nil, false
}

// A user is a function that uses the pool.
type user struct {
	*pool
	get, put inspector.Cursor // calls
	gets     int
	puts     int
}

// add notes a call. Put of nil does nothing, and a pointer to nil would be taken.
func (u *user) add(call inspector.Cursor) bool {
	c := call.Node().(*ast.CallExpr)
	switch c.Fun.(*ast.SelectorExpr).Sel.Name {
	case "Get":
		u.get, u.gets = call, u.gets+1
	case "Put":
		u.put, u.puts = call, u.puts+1
		if !types.Identical(u.p.TypesInfo.TypeOf(c.Args[0]), u.elem) {
			return false
		}
	default:
		return false
	}
	return u.gets <= 1 && u.puts <= 1
}

// edits returns those of a function, in which an object is taken once, kept in
// a variable, and put back at most once for each time that it was taken.
func (u *user) edits(fd *ast.FuncDecl) ([]analysis.TextEdit, bool) {
	if u.gets != 1 || code.Jumps(fd) {
		return nil, false
	}
	if m := u.maybe(fd); m != nil {
		return m.edits()
	}
	assertion := u.get.Parent()
	ta, ok := assertion.Node().(*ast.TypeAssertExpr)
	if !ok || ta.Type == nil || !types.Identical(u.p.TypesInfo.TypeOf(ta.Type), u.elem) {
		return nil, false
	}
	stmt, value := assertion, "*"
	if sl, ok := assertion.Parent().Node().(*ast.SliceExpr); ok && sl.X == ta && bound(u.p, sl.Low) && bound(u.p, sl.High) && bound(u.p, sl.Max) {
		stmt, value = assertion.Parent(), "(*"
	}
	as, ok := stmt.Parent().Node().(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 || stmt.Parent().ParentEdgeKind() != edge.BlockStmt_List {
		return nil, false // v, ok := …, or in the head of an if
	}
	name := code.FreeLocal(fd, "pooled")
	if value += name; value[0] == '(' {
		value += ")"
	}
	edits := []analysis.TextEdit{
		{Pos: as.Pos(), End: as.Pos(), NewText: []byte(name + " := " + u.p.Source(u.get.Node()) + ".(*" + u.p.Source(ta.Type) + ")\n")},
		{Pos: ta.Pos(), End: ta.End(), NewText: []byte(value)},
	}
	if u.puts == 0 {
		return edits, true
	}
	put, ok := u.returned(stmt.Parent(), name)
	return append(edits, put...), ok
}

// returned returns the edits of [defer] pool.Put(x), which follows the taking, is
// in its block or below it, and in no loop that the taking is not in.
func (u *user) returned(taken inspector.Cursor, name string) ([]analysis.TextEdit, bool) {
	call := u.put.Node().(*ast.CallExpr)
	stmt := u.put.Parent()
	switch stmt.Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt:
	default:
		return nil, false
	}
	block := taken.Parent()
	if stmt.ParentEdgeKind() != edge.BlockStmt_List || !code.Within(block.Node(), call) || call.Pos() < taken.Node().End() {
		return nil, false
	}
	for c := stmt.Parent(); c != block; c = c.Parent() {
		switch c.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return nil, false
		case *ast.FuncLit:
			if c.ParentEdgeKind() != edge.CallExpr_Fun || c.Parent().ParentEdgeKind() != edge.DeferStmt_Call {
				return nil, false // it may run more than once
			}
		}
	}
	return []analysis.TextEdit{
		{Pos: stmt.Node().Pos(), End: stmt.Node().Pos(), NewText: []byte("*" + name + " = " + u.p.Source(call.Args[0]) + "\n")},
		{Pos: call.Args[0].Pos(), End: call.Args[0].End(), NewText: []byte(name)},
	}, true
}

// bound reports whether an index of a slice expression runs no code.
func bound(p *rule.Pass, x ast.Expr) bool {
	return x == nil || p.TypesInfo.Types[x].Value != nil
}
