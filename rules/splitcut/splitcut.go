// Package splitcut finds strings.Split whose result is only looked at in its
// first elements or its last.
package splitcut

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "splitcut",
	Title: "strings.Split for the first or last segment only",
	IDs:   []string{"C75"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.A, Go: "go1.18",
	Why: "Split counts the separators, allocates a slice for all segments and fills it; strings.Cut finds the first separator and allocates nothing.",
	WhenNot: "The separator may be empty or is not constant. The slice is kept, ranged over or indexed beyond 1. Its exact length matters (len(parts) == " +
		"3).",
	Gap:       "An index that no length check guards panics before and yields an empty string after; such places are reported without a fix.",
	Signature: "strings.genSplit in alloc_objects and CPU profiles, below the line of the call",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkRoute", Metric: "allocs",
		Claimed: "splitting a request path for its first two segments allocates on every request; Cut does not",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	names := code.Names{}
	for _, pkg := range []string{"strings", "bytes"} {
		for _, name := range []string{"Split", "SplitN"} {
			for cur, call := range p.Index.Calls(pkg, name) {
				sep, ok := separated(p, call, name == "SplitN")
				if ok {
					splits(p, cur, split{p: p, names: names, pkg: pkg, call: call, sep: sep, two: name == "SplitN", kept: pkg == "bytes"})
				}
			}
		}
	}
}

// splits reports a call, and those of a function that is this call alone.
func splits(p *rule.Pass, cur inspector.Cursor, of split) {
	if s := of; look(p, cur, &s) {
		s.report()
	}
	here := of
	reportIndexed(p, cur, &here)
	for at, outer := range code.Wrapped(p.Index, p.TypesInfo, cur) {
		of.call, of.kept = outer, true
		if s := of; look(p, at, &s) {
			s.report()
		}
		there := of
		reportIndexed(p, at, &there)
	}
}

// A split is one call whose result is a local variable, with its uses.
type split struct {
	p      *rule.Pass
	names  code.Names
	pkg    string // strings, or bytes: what Cut of that returns can be appended to, over what follows it
	assign *ast.AssignStmt
	call   *ast.CallExpr
	sep    string
	two    bool // SplitN(…, 2): the second element is all the rest
	fn     ast.Node
	around ast.Node // the function without another around it: what it declares, literals in it see
	uses   []use
	fix    []analysis.TextEdit // of a call that is indexed on the spot
	kept   bool                // the call stays: it is of a function that splits, or stands where Cut has no room
}

// A use is an element or a comparison of the length.
type use struct {
	node  ast.Expr  // what is replaced; nil for a part of another use
	index int64     // 0 or 1, or one of those below
	found bool      // the comparison holds when the separator is there
	safe  bool      // the element is there for sure
	drop  token.Pos // up to where a comparison that always comes to the same can be left out; NoPos if it cannot
}

// What else the slice is asked.
const (
	compared = -1 - iota // whether the separator is there
	always               // whether there is any element: there is, and found says what the comparison comes to
	lastOne              // the last element
)

// separated returns the constant that a call splits at; ok is false for another call, and for SplitN into more than two.
func separated(p *rule.Pass, call *ast.CallExpr, n bool) (sep string, ok bool) {
	by := call.Args[1]
	if text, _ := code.Converted(p.TypesInfo, by); text != nil {
		by = text
	}
	if sep, ok = code.String(p.TypesInfo, by); !ok || sep == "" {
		return "", false
	}
	if !n {
		return sep, true
	}
	k, ok := code.Int(p.TypesInfo, call.Args[2])
	return sep, ok && k == 2
}

// reportIndexed reports a call that is indexed on the spot. The first segment
// is always there; a statement that begins with it can have Cut before it.
func reportIndexed(p *rule.Pass, cur inspector.Cursor, s *split) {
	at, ok := cur.Parent().Node().(*ast.IndexExpr)
	if !ok || cur.ParentEdgeKind() != edge.IndexExpr_X {
		return
	}
	i, ok := code.Int(p.TypesInfo, at.Index)
	if !ok || i < 0 || i > 1 || code.Writes(p.TypesInfo, cur.Parent()) {
		return
	}
	stmt, stands := code.Stmt(cur)
	fn, inFunc := code.Func(cur)
	if i == 0 && !s.kept && stands && inFunc && stmt.Node() == cur.Parent().Parent().Node() {
		s.fn, s.around = fn.Node(), code.Outermost(cur)
		s.fix = s.before(stmt.Node(), at)
	}
	s.report()
}

// before returns the edits that put Cut before or in the place of a statement
// whose only value is the first segment; none for other statements.
func (s *split) before(stmt ast.Node, at ast.Expr) []analysis.TextEdit {
	switch stmt := stmt.(type) {
	case *ast.ReturnStmt:
		if len(stmt.Results) == 1 {
			head := s.names.Left(s.around, "head")
			return []analysis.TextEdit{
				{Pos: stmt.Pos(), End: stmt.Pos(), NewText: []byte(s.cut(head, "_", "_") + "\n")},
				{Pos: at.Pos(), End: at.End(), NewText: []byte(head)},
			}
		}
	case *ast.AssignStmt:
		name, ok := stmt.Lhs[0].(*ast.Ident)
		if ok && len(stmt.Lhs) == 1 && (stmt.Tok == token.DEFINE || stmt.Tok == token.ASSIGN && name.Name != "_") {
			cut := strings.Replace(s.cut(name.Name, "_", "_"), ":=", stmt.Tok.String(), 1)
			return []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.End(), NewText: []byte(cut)}}
		}
	}
	return nil
}

// cut returns the call of strings.Cut that defines the three names.
func (s *split) cut(head, rest, found string) string {
	return fmt.Sprintf("%s, %s, %s := %s.Cut(%s, %s)", head, rest, found, s.name(), s.p.Source(s.call.Args[0]), s.p.Source(s.call.Args[1]))
}

// name returns the name that the file has for package strings.
func (s *split) name() string {
	return strings.TrimSuffix(s.p.Source(s.call.Fun), "."+s.call.Fun.(*ast.SelectorExpr).Sel.Name)
}

// look reads the uses of a split's variable, and returns false where the rule does not apply.
func look(p *rule.Pass, cur inspector.Cursor, s *split) bool {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || cur.ParentEdgeKind() != edge.AssignStmt_Rhs {
		return false
	}
	fn, ok := code.Func(cur)
	if !ok {
		return false
	}
	s.assign, s.fn, s.around = assign, fn.Node(), code.Outermost(cur)
	if stmt, ok := code.Stmt(cur); !ok || stmt.Node() != assign {
		s.kept = true // the first clause of an if or a for has room for one statement only
	}
	for _, at := range p.Index.Uses(p.TypesInfo.Defs[assign.Lhs[0].(*ast.Ident)]) {
		u, ok := s.use(at)
		if !ok {
			return false
		}
		s.uses = append(s.uses, u)
	}
	return slices.ContainsFunc(s.uses, func(u use) bool { return u.node != nil && u.index != always })
}

// use reads one use of the variable; ok is false if Cut cannot give it.
func (s *split) use(at inspector.Cursor) (use, bool) {
	switch parent := at.Parent().Node().(type) {
	case *ast.IndexExpr:
		if at.ParentEdgeKind() == edge.IndexExpr_X && s.isLast(parent) && !code.Writes(s.p.TypesInfo, at.Parent()) {
			return use{node: parent, index: lastOne}, true
		}
		i, ok := code.Int(s.p.TypesInfo, parent.Index)
		if at.ParentEdgeKind() != edge.IndexExpr_X || !ok || i < 0 || i > 1 || code.Writes(s.p.TypesInfo, at.Parent()) {
			return use{}, false
		}
		return use{node: parent, index: i, safe: i == 0 || code.Guarded(at, s.fn, s.assign.Pos(), s.shows)}, true
	case *ast.CallExpr: // len(parts) op k
		cmp, ok := at.Parent().Parent().Node().(*ast.BinaryExpr)
		if !ok || cmp.X != ast.Expr(parent) {
			return use{}, false
		}
		if index, ok := at.Parent().Parent().Parent().Node().(*ast.IndexExpr); ok && index.Index == cmp && s.isLast(index) {
			return use{}, true // with the use that it is the index of
		}
		if holds, ok := s.some(parent, cmp); ok {
			return use{node: cmp, index: always, found: holds, drop: dropped(at.Parent().Parent(), holds)}, true
		}
		found, ok := s.length(parent, cmp)
		return use{node: cmp, index: compared, found: found}, ok
	}
	return use{}, false
}

// isLast reports whether an index expression is parts[len(parts)-1] of a text that can be written twice, and that is
// split at one byte: where it is not there, LastIndexByte says -1, and the last element is the whole.
func (s *split) isLast(at *ast.IndexExpr) bool {
	if s.two || len(s.sep) != 1 || !s.kept && !plain(s.call.Args[0]) {
		return false
	}
	minus, ok := ast.Unparen(at.Index).(*ast.BinaryExpr)
	if !ok || minus.Op != token.SUB {
		return false
	}
	k, isConst := code.Int(s.p.TypesInfo, minus.Y)
	call, isCall := minus.X.(*ast.CallExpr)
	parts := s.p.TypesInfo.Defs[s.assign.Lhs[0].(*ast.Ident)]
	return isConst && k == 1 && isCall && code.Builtin(s.p.TypesInfo, call) == "len" &&
		code.Var(s.p.TypesInfo, call.Args[0]) == parts && code.Var(s.p.TypesInfo, at.X) == parts
}

// plain reports whether an expression is a variable or a field of one.
func plain(e ast.Expr) bool {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return plain(sel.X)
	}
	_, ok := e.(*ast.Ident)
	return ok
}

// some reads a comparison that asks whether there is any element, and says what it comes to.
func (s *split) some(call *ast.CallExpr, cmp *ast.BinaryExpr) (holds, ok bool) {
	k, isConst := code.Int(s.p.TypesInfo, cmp.Y)
	if !isConst || code.Builtin(s.p.TypesInfo, call) != "len" {
		return false, false
	}
	switch {
	case cmp.Op == token.GTR && k == 0, cmp.Op == token.NEQ && k == 0, cmp.Op == token.GEQ && k == 1:
		return true, true
	case cmp.Op == token.EQL && k == 0, cmp.Op == token.LSS && k == 1, cmp.Op == token.LEQ && k == 0:
		return false, true
	}
	return false, false
}

// dropped returns up to where a comparison can be left out that always holds, or never: to the right side of the
// && or || whose left side it is.
func dropped(cmp inspector.Cursor, holds bool) token.Pos {
	op := token.LOR
	if holds {
		op = token.LAND
	}
	if b, ok := cmp.Parent().Node().(*ast.BinaryExpr); ok && b.Op == op && cmp.ParentEdgeKind() == edge.BinaryExpr_X {
		return b.Y.Pos()
	}
	return token.NoPos
}

// length reads a comparison of len(parts), which is at least 1 and, for
// SplitN, at most 2, with a constant: found if it says that the separator is
// there, not found if it says that it is not.
func (s *split) length(call *ast.CallExpr, cmp *ast.BinaryExpr) (found, ok bool) {
	id, isID := ast.Unparen(call.Fun).(*ast.Ident)
	k, isConst := code.Int(s.p.TypesInfo, cmp.Y)
	if !isID || !isConst || s.p.TypesInfo.Uses[id] != types.Universe.Lookup("len") {
		return false, false
	}
	switch {
	case cmp.Op == token.GTR && k == 1, cmp.Op == token.GEQ && k == 2, cmp.Op == token.NEQ && k == 1, s.two && cmp.Op == token.EQL && k == 2:
		return true, true
	case cmp.Op == token.LSS && k == 2, cmp.Op == token.LEQ && k == 1, cmp.Op == token.EQL && k == 1, s.two && cmp.Op == token.NEQ && k == 2:
		return false, true
	}
	return false, false
}

// shows reports whether a comparison of the number of parts, which has a value, means that the separator is there.
func (s *split) shows(cond ast.Expr, value bool) bool {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(b.X).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || code.Var(s.p.TypesInfo, call.Args[0]) != s.p.TypesInfo.Defs[s.assign.Lhs[0].(*ast.Ident)] {
		return false
	}
	found, ok := s.length(call, b)
	return ok && found == value
}

func (s *split) report() {
	name := s.p.Source(s.call.Fun)
	f := rule.Finding{
		Pos: s.call.Pos(), End: s.call.End(),
		Message: fmt.Sprintf("%s allocates a slice for all segments, but only the first or the last are used; %s.Cut allocates nothing", name, s.pkg),
	}
	unsafe := func(u use) bool { return u.index == 1 && !u.safe }
	if s.assign != nil && !s.kept && !slices.ContainsFunc(s.uses, unsafe) {
		s.fix = s.edits()
	}
	if len(s.fix) > 0 {
		f.Fixes = []analysis.SuggestedFix{{Message: "Use strings.Cut", TextEdits: s.fix}}
	}
	s.p.Report(f)
}

// edits replaces the split by one Cut, or two where the second segment is
// used, and each use by what they return.
func (s *split) edits() []analysis.TextEdit {
	names := map[string]string{"head": "_", "rest": "_", "next": "", "found": "_"}
	want := func(name string) string {
		if n := names[name]; n == "_" || n == "" {
			names[name] = s.names.FreeLocal(s.around, name)
		}
		return names[name]
	}
	var edits []analysis.TextEdit
	for _, u := range s.uses {
		var text string
		switch {
		case u.node == nil:
			continue
		case u.drop.IsValid():
			edits = append(edits, analysis.TextEdit{Pos: u.node.Pos(), End: u.drop})
			continue
		case u.index == always:
			gone := s.settled(u)
			if gone == nil {
				return nil
			}
			edits = append(edits, gone...)
			continue
		case u.index == lastOne:
			text = want("last")
		case u.index == 0:
			text = want("head")
		case u.index == 1 && s.two:
			text = want("rest")
		case u.index == 1:
			want("rest")
			text = want("next")
		case u.found:
			text = want("found")
		default:
			text = "!" + want("found")
		}
		edits = append(edits, analysis.TextEdit{Pos: u.node.Pos(), End: u.node.End(), NewText: []byte(text)})
	}
	text := s.cut(names["head"], names["rest"], names["found"])
	if last := names["last"]; last != "" {
		whole, sep := s.p.Source(s.call.Args[0]), s.p.Source(s.call.Args[1])
		of := fmt.Sprintf("%s := %s[%s.LastIndex(%s, %s)+1:]", last, whole, s.name(), whole, sep)
		if text == s.cut("_", "_", "_") {
			text = of
		} else {
			text += "\n" + of
		}
	}
	if next := names["next"]; next != "" {
		text += fmt.Sprintf("\n%s, _, _ := %s.Cut(%s, %s)", next, s.name(), names["rest"], s.p.Source(s.call.Args[1]))
	}
	return append(edits, analysis.TextEdit{Pos: s.assign.Pos(), End: s.assign.End(), NewText: []byte(text)})
}

// settled returns the edits that take out an if whose condition always comes to the same, with its body where that is
// never reached; nil where more depends on the comparison.
func (s *split) settled(u use) []analysis.TextEdit {
	for n := range code.All[*ast.IfStmt](s.fn) {
		if n.Cond != u.node || n.Init != nil || n.Else != nil {
			continue
		}
		declares := slices.ContainsFunc(n.Body.List, func(stmt ast.Stmt) bool {
			_, decl := stmt.(*ast.DeclStmt)
			assign, ok := stmt.(*ast.AssignStmt)
			return decl || ok && assign.Tok == token.DEFINE
		})
		inside := slices.ContainsFunc(s.uses, func(other use) bool { return other.node != nil && code.Within(n.Body, other.node) })
		commented := slices.ContainsFunc(s.p.File(n.Pos()).Comments, func(c *ast.CommentGroup) bool { return code.Within(n, c) })
		switch {
		case commented:
		case u.found && !declares && len(n.Body.List) > 0:
			first, end := n.Body.List[0], n.Body.List[len(n.Body.List)-1]
			return []analysis.TextEdit{{Pos: n.Pos(), End: first.Pos()}, {Pos: end.End(), End: n.End()}}
		case !u.found && !inside && !s.lastUse(n.Body):
			return []analysis.TextEdit{{Pos: n.Pos(), End: n.End()}}
		}
	}
	return nil
}

// lastUse reports whether a block has all uses of an import or of a variable: without it the file would not compile.
func (s *split) lastUse(block *ast.BlockStmt) bool {
	return code.Any(block, func(id *ast.Ident) bool {
		obj := s.p.TypesInfo.Uses[id]
		switch obj := obj.(type) {
		case *types.PkgName:
		case *types.Var:
			if obj.IsField() || block.Pos() <= obj.Pos() && obj.Pos() < block.End() {
				return false
			}
		default:
			return false
		}
		return !code.UsedBeyond(s.p.Index, obj, block)
	})
}
