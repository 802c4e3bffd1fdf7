package invariantpath

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// hoist returns the edits that do the call once before the loop, or nil.
func (s *site) hoist() []analysis.TextEdit {
	at, ok := s.before()
	if !ok {
		return nil
	}
	var text string
	var gone []ast.Node
	if s.name == "Clean" {
		return s.hoistClean(at)
	}
	if !s.first() {
		return nil
	}
	guard, ok := s.guard()
	if !ok {
		return nil
	}
	if s.name == "MkdirAll" {
		text, gone = s.mkdir()
		if text != "" && guard != "" {
			text = "if " + guard + " {\n" + text + "\n}"
		}
	} else {
		text, gone = s.abs(guard)
	}
	if text == "" {
		return nil
	}
	return s.move(at, text, gone)
}

// move inserts text before the loop and deletes statements, with the
// definitions that nothing else in the body needs.
func (s *site) move(at token.Pos, text string, gone []ast.Node) []analysis.TextEdit {
	gone = s.dropAll(gone)
	edits := []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text + "\n")}}
	for _, n := range gone {
		edits = append(edits, s.p.Delete(n))
	}
	return edits
}

// dropUnused adds a definition whose variable is used in what goes only.
func (s *site) dropUnused(gone []ast.Node) []ast.Node {
	for _, def := range s.derived {
		if !slices.Contains(gone, ast.Node(def)) && !code.UsedBeyond(s.p.Index, s.p.TypesInfo.Defs[def.Lhs[0].(*ast.Ident)], gone...) {
			return append(gone, def)
		}
	}
	return gone
}

// before returns where code before the loop goes.
func (s *site) before() (token.Pos, bool) {
	stmt, ok := code.Stmt(s.loop)
	if !ok {
		return token.NoPos, false
	}
	if stmt.Node() == s.loop.Node() {
		return s.loop.Node().Pos(), true
	}
	if _, ok := stmt.Node().(*ast.LabeledStmt); !ok || s.loop.Parent().Node() != stmt.Node() {
		return token.NoPos, false
	}
	return stmt.Node().Pos(), !code.Jumps(s.fn) // a goto would come in behind what is moved
}

// first reports whether nothing happens in an iteration before the call:
// definitions by path functions only.
func (s *site) first() bool {
	for _, stmt := range code.Body(s.loop.Node()).List {
		if stmt == s.stmt.Node() {
			return true
		}
		assign, ok := stmt.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE {
			return false
		}
		for _, x := range assign.Rhs {
			if !s.plain(x) {
				return false
			}
		}
	}
	return false
}

// plain reports whether evaluating x does nothing and cannot panic, as far as
// variables and fields go.
func (s *site) plain(x ast.Expr) bool {
	return !code.Any(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !code.PathCall(s.p.TypesInfo, n) || s.p.TypesInfo.Selections[fun(n)] != nil
		case *ast.SelectorExpr:
			sel := s.p.TypesInfo.Selections[n]
			return sel != nil && sel.Indirect()
		case *ast.Ident, *ast.BasicLit, *ast.ParenExpr:
			return false
		case *ast.BinaryExpr:
			return n.Op != token.ADD
		}
		return true
	})
}

// mkdir returns the statement that makes the directory, and what it replaces.
func (s *site) mkdir() (text string, gone []ast.Node) {
	call := s.callText()
	parent := s.cur.Parent().Node()
	switch n := parent.(type) {
	case *ast.ExprStmt:
		return call, []ast.Node{n}
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 {
			return "", nil
		}
		if id, ok := n.Lhs[0].(*ast.Ident); ok && id.Name == "_" {
			return "_ = " + call, []ast.Node{n}
		}
		check, alone := s.check(n, n.Lhs[0])
		if check == nil {
			return "", nil
		}
		gone := []ast.Node{check}
		if alone {
			gone = []ast.Node{n, check}
		}
		return fmt.Sprintf("if %s := %s; %s %s", s.p.Source(n.Lhs[0]), call, s.p.Source(check.Cond), s.p.Source(check.Body)), gone
	}
	return "", nil
}

func (s *site) callText() string {
	return s.p.Source(s.call.Fun) + "(" + strings.Join(s.args, ", ") + ")"
}

// check returns the if statement that looks at the error of an assignment and
// returns from the function; alone is set if the assignment is not its clause.
// It is nil if the error is new nowhere, used elsewhere, or if the branch uses
// what the loop declares.
func (s *site) check(assign *ast.AssignStmt, lhs ast.Expr) (check *ast.IfStmt, alone bool) {
	id, ok := lhs.(*ast.Ident)
	if !ok {
		return nil, false
	}
	v, ok := s.p.TypesInfo.Defs[id].(*types.Var)
	if !ok || assign.Tok != token.DEFINE {
		return nil, false
	}
	if s.cur.Parent().ParentEdgeKind() == edge.IfStmt_Init {
		check = s.cur.Parent().Parent().Node().(*ast.IfStmt)
	} else if next := code.Following(s.stmt); len(next) > 0 {
		check, _ = next[0].(*ast.IfStmt)
		alone = true
	}
	if check == nil || check.Else != nil || alone && check.Init != nil || !code.NotNil(s.p.TypesInfo, check.Cond, v) || !s.returns(check.Body, v) {
		return nil, false
	}
	if code.UsedBeyond(s.p.Index, v, check) {
		return nil, false
	}
	return check, alone
}

// returns reports whether a branch ends in a return, jumps nowhere else, and
// can stand before the loop.
func (s *site) returns(body *ast.BlockStmt, err *types.Var) bool {
	if len(body.List) == 0 {
		return false
	}
	last, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) == 0 && s.namedResults() {
		return false // the loop's variables might hide them
	}
	return !code.Any(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt:
			return true
		case *ast.Ident:
			obj := s.p.TypesInfo.ObjectOf(n)
			return obj != nil && obj != err && code.Declares(s.loop.Node(), obj) && !code.Declares(body, obj)
		}
		return false
	})
}

func (s *site) namedResults() bool {
	var ft *ast.FuncType
	switch n := s.fn.(type) {
	case *ast.FuncDecl:
		ft = n.Type
	case *ast.FuncLit:
		ft = n.Type
	}
	return ft != nil && ft.Results != nil && len(ft.Results.List) > 0
}

// abs returns the statements that find the absolute path, and what they
// replace.
func (s *site) abs(guard string) (text string, gone []ast.Node) {
	assign, ok := s.cur.Parent().Node().(*ast.AssignStmt)
	if !ok || s.stmt.Node() != assign || len(assign.Lhs) != 2 || assign.Tok != token.DEFINE {
		return "", nil
	}
	name, ok := s.movable(assign.Lhs[0])
	if !ok {
		return "", nil
	}
	call := s.callText()
	if id, ok := assign.Lhs[1].(*ast.Ident); ok && id.Name == "_" {
		return name + ", _ := " + call, []ast.Node{assign}
	}
	check, alone := s.check(assign, assign.Lhs[1])
	if check == nil || !alone {
		return "", nil
	}
	head := "{"
	if guard != "" {
		head = "if " + guard + " {"
	}
	err := s.p.Source(assign.Lhs[1])
	return fmt.Sprintf("var %s string\n%s\nvar %s error\nif %s, %s = %s; %s %s\n}", name, head, err, name, err, call, s.p.Source(check.Cond), s.p.Source(check.Body)),
		[]ast.Node{assign, check}
}

// movable returns the name of a variable of the body that may be declared
// before the loop instead: it is never written, and nothing else in the
// function has its name.
func (s *site) movable(lhs ast.Expr) (string, bool) {
	id, ok := lhs.(*ast.Ident)
	if !ok || id.Name == "_" {
		return "", false
	}
	v, ok := s.p.TypesInfo.Defs[id].(*types.Var)
	if !ok {
		return "", false
	}
	if def, _ := code.Origin(s.p.Index, s.p.TypesInfo, s.fn, v); def == nil {
		return "", false
	}
	free := !code.Any(s.fn, func(other *ast.Ident) bool { return other.Name == id.Name && s.p.TypesInfo.ObjectOf(other) != v })
	return id.Name, free
}

// hoistClean moves the definition of a cleaned path, or gives it a name. What
// may panic is left where it is: the loop need not run.
func (s *site) hoistClean(at token.Pos) []analysis.TextEdit {
	for _, def := range s.derived {
		if !s.plain(def.Rhs[0]) {
			return nil
		}
	}
	if !s.plain(s.call.Args[0]) {
		return nil
	}
	if assign, ok := s.cur.Parent().Node().(*ast.AssignStmt); ok && s.stmt.Node() == assign && len(assign.Lhs) == 1 && assign.Tok == token.DEFINE {
		if name, ok := s.movable(assign.Lhs[0]); ok {
			return s.move(at, name+" := "+s.callText(), []ast.Node{assign})
		}
	}
	name := s.names.FreeLocal(code.Outermost(s.cur), s.cleanName())
	text := name + " := " + s.callText() + "\n"
	gone := s.dropAll([]ast.Node{s.call})
	edits := []analysis.TextEdit{
		{Pos: at, End: at, NewText: []byte(text)},
		{Pos: s.call.Pos(), End: s.call.End(), NewText: []byte(name)},
	}
	for _, n := range gone[1:] {
		edits = append(edits, s.p.Delete(n))
	}
	return edits
}

// cleanName proposes a name after the path: two in one loop differ.
func (s *site) cleanName() string {
	name := ""
	for id := range code.All[*ast.Ident](s.call.Args[0]) {
		name = id.Name
	}
	if name == "" {
		return "cleaned"
	}
	return "clean" + code.UpperName(name)
}

// dropAll adds all definitions that are left without use.
func (s *site) dropAll(gone []ast.Node) []ast.Node {
	for range s.derived {
		gone = s.dropUnused(gone)
	}
	return gone
}
