package regexpcompile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// edits returns the edits that declare the variable and use it, or nil where
// the shape of the code gives no room.
func (c *compile) edits() []analysis.TextEdit {
	sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
	if !ok || !code.IsFunc(c.p.TypesInfo, c.call, "regexp", c.name) {
		return nil
	}
	pattern, ok := c.hoist.Const(c.p, c.call.Args[0])
	if !ok {
		return nil
	}
	must := "MustCompile"
	if strings.HasSuffix(c.name, "POSIX") {
		must = "MustCompilePOSIX"
	}
	var use func(name string) []analysis.TextEdit
	switch {
	case c.matches():
		use = c.matchEdits()
	case strings.HasPrefix(c.name, "Must"):
		use = c.mustEdits()
	default:
		use = c.compileEdits()
	}
	if use == nil {
		return nil
	}
	value := fmt.Sprintf("%s.%s(%s)", c.p.Source(sel.X), must, pattern)
	v := c.variable(value)
	return append(use(v.name), v.declare)
}

// A variable is one that a fix declares.
type variable struct {
	name    string
	declare analysis.TextEdit
}

// variable returns the one for a value, which all that only match with it in a file share.
// Who keeps the expression gets its own: it may change it.
func (c *compile) variable(value string) variable {
	key := c.p.Fset.File(c.call.Pos()).Name() + "\n" + value
	if v, ok := c.shared[key]; ok && !c.kept {
		return v
	}
	name := c.hoist.Name(code.LowerName(c.decl.Name.Name) + "RE")
	v := variable{name, c.hoist.Declare(c.decl, "var "+name+" = "+value)}
	if !c.kept {
		c.shared[key] = v
	}
	return v
}

func replace(from, to token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: from, End: to, NewText: []byte(text)}
}

// define returns the statement that assigns the call, if it is one of a block.
func (c *compile) define() *ast.AssignStmt {
	assign, ok := c.cur.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE {
		return nil
	}
	if stmt, ok := code.Stmt(c.cur); !ok || stmt.Node() != assign {
		return nil
	}
	return assign
}

// renamed returns the edits that put the new name for each use of the local
// variable.
func (c *compile) renamed(name string) []analysis.TextEdit {
	var edits []analysis.TextEdit
	for _, u := range c.uses {
		edits = append(edits, replace(u.Node().Pos(), u.Node().End(), name))
	}
	return edits
}

// mustEdits is for MustCompile, which has one result.
func (c *compile) mustEdits() func(name string) []analysis.TextEdit {
	return func(name string) []analysis.TextEdit {
		if assign := c.define(); assign != nil && len(assign.Lhs) == 1 && c.v != nil && len(c.uses) > 0 {
			return append(c.renamed(name), c.p.Delete(assign))
		}
		return []analysis.TextEdit{replace(c.call.Pos(), c.call.End(), name)}
	}
}

// compileEdits is for Compile, whose error is always nil here.
func (c *compile) compileEdits() func(name string) []analysis.TextEdit {
	assign := c.define()
	if assign == nil || len(assign.Lhs) != 2 || c.v == nil || len(c.uses) == 0 {
		return nil
	}
	branch, ok := c.dead(assign)
	if !ok {
		return nil
	}
	return func(name string) []analysis.TextEdit {
		return append(append(c.renamed(name), c.p.Delete(assign)), branch...)
	}
}

// matchEdits is for Match and its kin, whose error is always nil here.
func (c *compile) matchEdits() func(name string) []analysis.TextEdit {
	matched := func(name string) string {
		return fmt.Sprintf("%s.%s(%s)", name, c.name, c.p.Source(c.call.Args[1]))
	}
	switch parent := c.cur.Parent().Node().(type) {
	case *ast.ReturnStmt:
		if len(parent.Results) != 1 {
			return nil
		}
		return func(name string) []analysis.TextEdit {
			return []analysis.TextEdit{replace(c.call.Pos(), c.call.End(), matched(name)+", nil")}
		}
	case *ast.AssignStmt:
		if len(parent.Lhs) != 2 || c.cur.ParentEdgeKind() != edge.AssignStmt_Rhs || blank(parent.Lhs[0]) {
			return nil
		}
		var branch []analysis.TextEdit
		if !blank(parent.Lhs[1]) {
			var ok bool
			if c.define() == nil {
				return nil
			}
			if branch, ok = c.dead(parent); !ok {
				return nil
			}
		}
		if parent.Tok == token.DEFINE {
			if id, ok := parent.Lhs[0].(*ast.Ident); !ok || c.p.TypesInfo.Defs[id] == nil {
				return nil // it is err that is new
			}
		}
		return func(name string) []analysis.TextEdit {
			text := parent.Tok.String() + " " + matched(name)
			return append(branch, replace(parent.Lhs[0].End(), parent.End(), " "+text))
		}
	}
	return nil
}

func blank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

// dead returns the edits that remove the branch for the error of an
// assignment, which never comes: the if that follows, where it holds all uses
// of the error and nothing else would be left without use. A blank error has
// no branch.
func (c *compile) dead(assign *ast.AssignStmt) ([]analysis.TextEdit, bool) {
	id, ok := assign.Lhs[1].(*ast.Ident)
	if !ok {
		return nil, false
	}
	if id.Name == "_" {
		return nil, true
	}
	v, _ := c.p.TypesInfo.Defs[id].(*types.Var)
	next, found := c.cur.Parent().NextSibling()
	if v == nil || !found {
		return nil, false
	}
	branch, ok := next.Node().(*ast.IfStmt)
	if !ok || branch.Init != nil || branch.Else != nil || !code.NotNil(c.p.TypesInfo, branch.Cond, v) {
		return nil, false
	}
	if code.UsedBeyond(c.p.Index, v, branch) {
		return nil, false
	}
	edits, ok := c.unneeded(branch)
	return append(edits, c.p.Delete(branch)), ok
}

// unneeded returns the edits that remove the imports that only the branch
// needs. It is false where a variable or a label would be left without use.
func (c *compile) unneeded(branch *ast.IfStmt) ([]analysis.TextEdit, bool) {
	var edits []analysis.TextEdit
	ok := true
	file := c.p.File(branch.Pos())
	seen := map[types.Object]bool{}
	ast.Inspect(branch, func(n ast.Node) bool {
		if b, is := n.(*ast.BranchStmt); is && b.Label != nil {
			ok = false
		}
		id, is := n.(*ast.Ident)
		if !is || seen[c.p.TypesInfo.Uses[id]] {
			return ok
		}
		obj := c.p.TypesInfo.Uses[id]
		seen[obj] = true
		switch obj := obj.(type) {
		case *types.PkgName:
			edits = append(edits, code.DropImport(c.p, file, obj.Imported().Path(), branch)...)
		case *types.Var:
			ok = ok && (obj.IsField() || !code.Local(obj) || c.needed(obj, branch))
		}
		return ok
	})
	return edits, ok
}

// needed reports whether a local variable may lose its uses in a node: it is
// declared there, is a parameter, has no use but for the error itself, or is
// read elsewhere.
func (c *compile) needed(v *types.Var, in ast.Node) bool {
	if code.Declares(in, v) || v.Kind() != types.LocalVar {
		return true
	}
	if assign, ok := c.cur.Parent().Node().(*ast.AssignStmt); ok && code.Var(c.p.TypesInfo, assign.Lhs[1]) == v {
		return true
	}
	for _, use := range c.p.Index.Uses(v) {
		if !code.Within(in, use.Node()) && use.ParentEdgeKind() != edge.AssignStmt_Lhs {
			return true
		}
	}
	return false
}
