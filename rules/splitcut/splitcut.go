// Package splitcut finds strings.Split whose result is only looked at in its
// first elements.
package splitcut

import (
	"embed"
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

//go:embed testdata/evidence
var evidence embed.FS

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "splitcut",
	Title: "strings.Split for the first segments only",
	IDs:   []string{"C75"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.A, Go: "go1.18",
	Why: "Split counts the separators, allocates a slice for all segments and fills it; strings.Cut finds the first separator and allocates nothing.",
	WhenNot: "The separator may be empty or is not constant. The slice is kept, ranged over or indexed beyond 1. Its exact length matters (len(parts) == " +
		"3).",
	Gap:       "An index that no length check guards panics before and yields an empty string after; such places are reported without a fix.",
	Signature: "strings.genSplit in alloc_objects and CPU profiles, below the line of the call",
	Evidence: &rule.Evidence{
		Files: evidence, Bench: "BenchmarkRoute", Metric: "allocs",
		Claimed: "splitting a request path for its first two segments allocates on every request; Cut does not",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) error {
	for _, name := range []string{"Split", "SplitN"} {
		for cur, call := range p.Index.Calls("strings", name) {
			if !separated(p, call, name == "SplitN") {
				continue
			}
			if s := look(p, cur, call, name == "SplitN"); s != nil {
				s.report()
			}
			for at, outer := range code.Wrapped(p.Index, p.TypesInfo, cur) {
				if s := look(p, at, outer, name == "SplitN"); s != nil {
					s.kept = true
					s.report()
				}
			}
			reportIndexed(p, cur, call, name == "SplitN")
		}
	}
	return nil
}

// A split is one call whose result is a local variable, with its uses.
type split struct {
	p      *rule.Pass
	assign *ast.AssignStmt
	call   *ast.CallExpr
	two    bool // SplitN(…, 2): the second element is all the rest
	fn     ast.Node
	uses   []use
	fix    []analysis.TextEdit // of a call that is indexed on the spot
	kept   bool                // the call stays: it is of a function that splits, or stands where Cut has no room
}

// A use is an element or a comparison of the length.
type use struct {
	node  ast.Expr  // what is replaced
	index int64     // 0 or 1, or -1 for a comparison
	found bool      // the comparison holds when the separator is there
	fixed bool      // the comparison is the same whatever the separator
	drop  token.Pos // up to where such a comparison can be left out; NoPos if it cannot
	safe  bool      // the element is there for sure
}

// separated reports whether the call splits at a constant, and SplitN into two.
func separated(p *rule.Pass, call *ast.CallExpr, n bool) bool {
	if sep, ok := code.String(p.TypesInfo, call.Args[1]); !ok || sep == "" {
		return false
	}
	if !n {
		return true
	}
	k, ok := code.Int(p.TypesInfo, call.Args[2])
	return ok && k == 2
}

// reportIndexed reports a call that is indexed on the spot. The first segment
// is always there; a statement that begins with it can have Cut before it.
func reportIndexed(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, n bool) {
	at, ok := cur.Parent().Node().(*ast.IndexExpr)
	if !ok || cur.ParentEdgeKind() != edge.IndexExpr_X {
		return
	}
	i, ok := code.Int(p.TypesInfo, at.Index)
	if !ok || i < 0 || i > 1 || code.Writes(p.TypesInfo, cur.Parent()) {
		return
	}
	s := &split{p: p, call: call, two: n}
	stmt, stands := code.Stmt(cur)
	fn, inFunc := code.Func(cur)
	if i == 0 && stands && inFunc && stmt.Node() == cur.Parent().Parent().Node() {
		s.fn = fn.Node()
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
			head := code.FreeLocal(s.fn, "head")
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
	return fmt.Sprintf("%s, %s, %s := %s.Cut(%s, %s)", head, rest, found, s.pkg(), s.p.Source(s.call.Args[0]), s.p.Source(s.call.Args[1]))
}

// pkg returns the name that the file has for package strings.
func (s *split) pkg() string {
	return strings.TrimSuffix(s.p.Source(s.call.Fun), "."+s.call.Fun.(*ast.SelectorExpr).Sel.Name)
}

// look returns the split, or nil where the rule does not apply.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, n bool) *split {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || cur.ParentEdgeKind() != edge.AssignStmt_Rhs {
		return nil
	}
	fn, ok := code.Func(cur)
	if !ok {
		return nil
	}
	s := &split{p: p, assign: assign, call: call, two: n, fn: fn.Node()}
	if stmt, ok := code.Stmt(cur); !ok || stmt.Node() != assign {
		s.kept = true // the first clause of an if or a for has room for one statement only
	}
	for _, at := range p.Index.Uses(p.TypesInfo.Defs[assign.Lhs[0].(*ast.Ident)]) {
		u, ok := s.use(at)
		if !ok {
			return nil
		}
		s.uses = append(s.uses, u)
	}
	if !slices.ContainsFunc(s.uses, func(u use) bool { return !u.fixed }) {
		return nil
	}
	return s
}

// use reads one use of the variable; ok is false if Cut cannot give it.
func (s *split) use(at inspector.Cursor) (use, bool) {
	switch parent := at.Parent().Node().(type) {
	case *ast.IndexExpr:
		i, ok := code.Int(s.p.TypesInfo, parent.Index)
		if at.ParentEdgeKind() != edge.IndexExpr_X || !ok || i < 0 || i > 1 || code.Writes(s.p.TypesInfo, at.Parent()) {
			return use{}, false
		}
		return use{node: parent, index: i, safe: i == 0 || s.guarded(at)}, true
	case *ast.CallExpr: // len(parts) op k
		cmp, ok := at.Parent().Parent().Node().(*ast.BinaryExpr)
		if !ok || cmp.X != ast.Expr(parent) {
			return use{}, false
		}
		if holds, fixed := s.always(parent, cmp); fixed {
			return use{node: cmp, index: -1, fixed: true, drop: dropped(at.Parent().Parent(), holds)}, true
		}
		found, ok := s.length(parent, cmp)
		return use{node: cmp, index: -1, found: found}, ok
	}
	return use{}, false
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

// always reads a comparison of len(parts), which is at least 1, that is the same each time.
func (s *split) always(call *ast.CallExpr, cmp *ast.BinaryExpr) (holds, fixed bool) {
	k, ok := code.Int(s.p.TypesInfo, cmp.Y)
	if !ok || code.Builtin(s.p.TypesInfo, call) != "len" {
		return false, false
	}
	switch {
	case k == 0 && (cmp.Op == token.GTR || cmp.Op == token.NEQ), k == 1 && cmp.Op == token.GEQ:
		return true, true
	case k == 0 && (cmp.Op == token.EQL || cmp.Op == token.LEQ), k == 1 && cmp.Op == token.LSS:
		return false, true
	}
	return false, false
}

// dropped returns up to where a comparison can be left out that always holds, or never:
// to the right side of the && or || whose left side it is.
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

// guarded reports whether a length check stands between the split and the use:
// an if around it that wants the separator, the left side of && or ||, or an
// if before it that leaves when there is none.
func (s *split) guarded(at inspector.Cursor) bool {
	child := at
	for p := at.Parent(); p.Valid() && p.Node() != s.fn; child, p = p, p.Parent() {
		switch n := p.Node().(type) {
		case *ast.IfStmt:
			if child.Node() == n.Body && s.implies(n.Cond, true) || child.Node() == n.Else && s.implies(n.Cond, false) {
				return true
			}
		case *ast.BinaryExpr:
			if child.Node() == n.Y && (n.Op == token.LAND && s.implies(n.X, true) || n.Op == token.LOR && s.implies(n.X, false)) {
				return true
			}
		case *ast.BlockStmt:
			for _, stmt := range n.List {
				if stmt.Pos() >= child.Node().Pos() {
					break
				}
				if i, ok := stmt.(*ast.IfStmt); ok && stmt.Pos() > s.assign.Pos() && code.Departs(i.Body) && s.implies(i.Cond, false) {
					return true
				}
			}
		}
	}
	return false
}

// implies reports whether cond having a value means that the separator is
// there.
func (s *split) implies(cond ast.Expr, value bool) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		if not, ok := ast.Unparen(cond).(*ast.UnaryExpr); ok && not.Op == token.NOT {
			return s.implies(not.X, !value)
		}
		return false
	}
	switch {
	case b.Op == token.LAND && value, b.Op == token.LOR && !value:
		return s.implies(b.X, value) || s.implies(b.Y, value)
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
		Message: fmt.Sprintf("%s allocates a slice for all segments, of which only the first are used; strings.Cut allocates nothing", name),
	}
	unsafe := func(u use) bool { return u.index == 1 && !u.safe || u.fixed && !u.drop.IsValid() }
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
			names[name] = code.FreeLocal(s.fn, name)
		}
		return names[name]
	}
	var edits []analysis.TextEdit
	for _, u := range s.uses {
		var text string
		switch {
		case u.fixed:
			edits = append(edits, analysis.TextEdit{Pos: u.node.Pos(), End: u.drop})
			continue
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
	if next := names["next"]; next != "" {
		text += fmt.Sprintf("\n%s, _, _ := %s.Cut(%s, %s)", next, s.pkg(), names["rest"], s.p.Source(s.call.Args[1]))
	}
	return append(edits, analysis.TextEdit{Pos: s.assign.Pos(), End: s.assign.End(), NewText: []byte(text)})
}
