package statafterreaddir

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

const (
	modeSymlink = 1 << 27
	// modeType are the bits of fs.ModeType, which an entry's Type has, too.
	modeType = 1<<31 | modeSymlink | 1<<26 | 1<<25 | 1<<24 | 1<<21 | 1<<19
)

// A query is an expression about the type or name of the file that an entry
// can answer.
type query struct {
	cur  inspector.Cursor
	text string // what asks the entry
}

// queries returns what is asked of the FileInfo about the type; other is set
// if something else is, such as the size.
func (s *stat) queries() (uses []query, other bool) {
	for _, cur := range s.p.Index.Uses(s.info) {
		if q, ok := s.query(cur); ok {
			uses = append(uses, q)
		} else {
			other = true
		}
	}
	return uses, other
}

func (s *stat) query(cur inspector.Cursor) (query, bool) {
	call, name, ok := method(cur)
	entry := s.entry
	switch {
	case !ok:
		return query{}, false
	case name == "IsDir":
		return query{call, entry + ".IsDir()"}, true
	case name == "Name":
		return query{call, entry + ".Name()"}, s.lstat // of the link itself, too
	case name != "Mode":
		return query{}, false
	}
	if outer, name, ok := method(call); ok {
		switch name {
		case "IsDir":
			return query{outer, entry + ".IsDir()"}, true
		case "IsRegular":
			return query{outer, entry + ".Type().IsRegular()"}, true
		case "Type":
			return query{outer, entry + ".Type()"}, true
		}
		return query{}, false
	}
	and, isBinary := call.Parent().Node().(*ast.BinaryExpr)
	if !isBinary || and.Op != token.AND {
		return query{}, false
	}
	mask := and.Y
	if call.ParentEdgeKind() == edge.BinaryExpr_Y {
		mask = and.X
	}
	bits, isConst := code.Int(s.p.TypesInfo, mask)
	return query{call, entry + ".Type()"}, isConst && bits&^modeType == 0
}

// method returns the call x.name() whose x is at cur.
func method(cur inspector.Cursor) (call inspector.Cursor, name string, ok bool) {
	if call, ok = code.MethodCall(cur); !ok {
		return cur, "", false
	}
	return call, ast.Unparen(call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr).Sel.Name, true
}

// useInfo replaces os.Lstat(path) by e.Info().
func (s *stat) useInfo() []analysis.SuggestedFix {
	edits := []analysis.TextEdit{{Pos: s.call.Pos(), End: s.call.End(), NewText: []byte(s.entry + ".Info()")}}
	gone := []ast.Node{s.call}
	edits, gone, ok := s.dropPath(edits, gone)
	if !ok {
		return nil
	}
	return fixes("Use DirEntry.Info", append(edits, s.imports(gone)...))
}

// useType asks the entry instead of the FileInfo, and removes the call with
// the check of its error, which cannot occur any more. There is no fix where
// the error is used for more than that.
func (s *stat) useType(uses []query) []analysis.SuggestedFix {
	edits, gone, ok := s.dropCall()
	if !ok {
		return nil
	}
	for _, u := range uses {
		if !within(gone, u.cur.Node()) {
			edits = append(edits, analysis.TextEdit{Pos: u.cur.Node().Pos(), End: u.cur.Node().End(), NewText: []byte(u.text)})
		}
	}
	edits, gone, ok = s.dropPath(edits, gone)
	if !ok {
		return nil
	}
	return fixes("Ask the entry", append(edits, s.imports(gone)...))
}

func within(nodes []ast.Node, n ast.Node) bool {
	return slices.ContainsFunc(nodes, func(outer ast.Node) bool { return code.Within(outer, n) })
}

// dropCall returns the edits that remove the statement and the check of the
// error.
func (s *stat) dropCall() (edits []analysis.TextEdit, gone []ast.Node, ok bool) {
	stmt := s.cur.Parent()
	if check, isInit := stmt.Parent().Node().(*ast.IfStmt); isInit && check.Init == s.assign {
		rest, test, ok := s.without(check.Cond)
		if !ok || rest == nil || !s.errOnly(check.Cond) {
			return nil, nil, false
		}
		edits = append(edits, analysis.TextEdit{Pos: s.assign.Pos(), End: check.Cond.Pos()}, analysis.TextEdit{Pos: test.Pos(), End: rest.Pos()})
		return edits, []ast.Node{s.assign, test}, true
	}
	if at, isStmt := code.Stmt(s.cur); !isStmt || at.Node() != s.assign {
		return nil, nil, false
	}
	edits, gone = append(edits, s.p.Delete(s.assign)), []ast.Node{s.assign}
	if s.err == nil { // info, _ :=
		return edits, gone, true
	}
	if s.p.TypesInfo.Defs[s.assign.Lhs[1].(*ast.Ident)] == nil {
		return nil, nil, false // an outer err, which may be looked at elsewhere
	}
	next := code.Following(stmt)
	if len(next) == 0 {
		return nil, nil, false
	}
	check, ok := next[0].(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil {
		return nil, nil, false
	}
	rest, test, ok := s.without(check.Cond)
	switch {
	case !ok:
		return nil, nil, false
	case rest == nil: // if err != nil { … }
		ok = s.errOnly(check) && code.Departs(check.Body) && test.(*ast.BinaryExpr).Op == token.NEQ
		return append(edits, s.p.Delete(check)), append(gone, check), ok
	}
	return append(edits, analysis.TextEdit{Pos: test.Pos(), End: rest.Pos()}), append(gone, test), s.errOnly(check.Cond)
}

// without takes the comparison of the error with nil from the front of a
// condition: err != nil || rest, err == nil && rest.
func (s *stat) without(cond ast.Expr) (rest, test ast.Expr, ok bool) {
	b, ok := cond.(*ast.BinaryExpr) // one in parentheses would leave one of them
	if !ok || s.err == nil {
		return nil, nil, false
	}
	switch b.Op {
	case token.NEQ, token.EQL:
		nilType := s.p.TypesInfo.Types[b.Y].IsNil()
		return nil, b, code.Var(s.p.TypesInfo, b.X) == s.err && nilType
	case token.LOR, token.LAND:
		inner, test, ok := s.without(b.X)
		if !ok {
			return nil, nil, false
		}
		if inner != nil {
			return inner, test, true
		}
		want := token.NEQ
		if b.Op == token.LAND {
			want = token.EQL
		}
		return b.Y, test, test.(*ast.BinaryExpr).Op == want
	}
	return nil, nil, false
}

// errOnly reports whether the error is used in a node only.
func (s *stat) errOnly(in ast.Node) bool {
	return !slices.ContainsFunc(s.p.Index.Uses(s.err), func(cur inspector.Cursor) bool { return !code.Within(in, cur.Node()) })
}

// dropPath removes the variable that held the path where nothing else needs
// it.
func (s *stat) dropPath(edits []analysis.TextEdit, gone []ast.Node) ([]analysis.TextEdit, []ast.Node, bool) {
	if s.path == nil {
		return edits, gone, true
	}
	left := 0
	for _, cur := range s.p.Index.Uses(s.path) {
		if !within(gone, cur.Node()) {
			left++
		}
	}
	if left > 0 {
		return edits, gone, true
	}
	for c := range s.p.Index.Inspect.Root().Preorder((*ast.AssignStmt)(nil)) {
		if c.Node() == s.pathStmt {
			if at, ok := code.Stmt(c); !ok || at.Node() != s.pathStmt {
				return nil, nil, false
			}
		}
	}
	return append(edits, s.p.Delete(s.pathStmt)), append(gone, s.pathStmt), true
}

// imports removes what only the removed code needed.
func (s *stat) imports(gone []ast.Node) []analysis.TextEdit {
	file := s.p.File(s.call.Pos())
	var edits []analysis.TextEdit
	for _, path := range []string{"path/filepath", "path", "errors", "fmt", "log"} {
		if spec, unused := code.Unused(s.p.TypesInfo, file, path, gone...); unused && importUsed(s.p.TypesInfo, gone, path) {
			edits = append(edits, code.DeleteImport(s.p.Fset, file, spec)...)
		}
	}
	return edits
}

// importUsed reports whether the removed code refers to the package at all,
// so that an import for its effects stays.
func importUsed(info *types.Info, gone []ast.Node, path string) bool {
	return slices.ContainsFunc(gone, func(n ast.Node) bool { return code.Qualified(info, n, path) })
}
