// Package statafterreaddir finds os.Stat and os.Lstat of the entries that
// os.ReadDir has just returned.
package statafterreaddir

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "statafterreaddir",
	Title: "os.Stat of each entry after os.ReadDir",
	IDs:   []string{"C63"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.B, Go: "go1.16",
	Why: "ReadDir has already read each entry's type, which DirEntry.Type and IsDir give without a system call. Asking again costs a joined path, a " +
		"system call and a FileInfo per entry.",
	WhenNot: "The entry may have been changed since the directory was read. os.Stat is wanted for size, mode or time of what a symbolic link points to. " +
		"The path is not the directory's and the entry's name joined.",
	Gap: "os.Stat follows symbolic links and an entry does not: only os.Lstat, and os.Stat where links were sorted out before, get a fix. An entry " +
		"that vanishes between the two calls is no longer noticed. DirEntry.Info is itself an lstat on Unix, so that replacing os.Lstat by it saves " +
		"the path only; on Windows it saves the system call.",
	Signature: "os.Stat, os.Lstat and path/filepath.Join below a loop in CPU and alloc_objects profiles; many newfstatat calls in a system call trace",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkCommands", Metric: "cpu",
		Claimed: "asking os.Stat about candidates that ReadDir has returned makes listing commands slow in large directories",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	if p.Index.Object("os", "ReadDir") == nil {
		return
	}
	for _, name := range []string{"Stat", "Lstat"} {
		for cur, call := range p.Index.Calls("os", name) {
			fn, ok := code.Func(cur)
			if s := look(p, cur, call, call.Args[0], asIs); s != nil && s.assigned() && !s.changed() {
				s.lstat = name == "Lstat"
				s.report()
			}
			if ok && !dated(fn.Node()) {
				handed(p, fn, call.Args[0])
			}
		}
	}
}

// handed reports the calls of a function that asks for the type of the file at a path.
func handed(p *rule.Pass, fn inspector.Cursor, path ast.Expr) {
	for at, call := range code.Calls(p.Index, p.TypesInfo, fn) {
		given := func(x ast.Expr) ast.Expr { return ast.Unparen(code.Argument(p.TypesInfo, fn.Node(), call, x)) }
		if s := look(p, at, call, path, given); s != nil && !s.changed() {
			p.Report(rule.Finding{
				Pos: call.Pos(), End: call.End(),
				Message: fmt.Sprintf("%s makes a system call for each entry of os.ReadDir; %s.Type gives its type without one, and only a symbolic link needs it",
					p.Source(call.Fun), s.entry),
			})
		}
	}
}

func asIs(x ast.Expr) ast.Expr { return ast.Unparen(x) }

// dated reports whether a function asks for more than what kind of file there is.
func dated(fn ast.Node) bool {
	return slices.ContainsFunc([]string{"Size", "ModTime", "Sys", "Perm"}, func(name string) bool { return code.Worded(fn, name) })
}

// A stat is one call about the entry that a loop over os.ReadDir's result is
// at.
type stat struct {
	p     *rule.Pass
	cur   inspector.Cursor
	call  *ast.CallExpr
	lstat bool
	given func(ast.Expr) ast.Expr // what the parts of the path are where the loop is
	fn    ast.Node
	loop  ast.Node
	elems code.Elements
	entry string // what the elements are called

	path     *types.Var      // that holds the joined path, or nil
	pathStmt *ast.AssignStmt // its definition

	assign *ast.AssignStmt // info, err := the call
	info   *types.Var
	err    *types.Var
}

// look returns the call, or nil where the rule does not apply.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, path ast.Expr, given func(ast.Expr) ast.Expr) *stat {
	fn, ok := code.Func(cur)
	loop, inLoop := code.Loop(cur)
	if !ok || !inLoop {
		return nil
	}
	s := &stat{p: p, cur: cur, call: call, given: given, fn: fn.Node(), loop: loop.Node()}
	if s.elems, ok = code.ElementsOf(p.Index, p.TypesInfo, s.loop); !ok {
		return nil
	}
	name, body := s.elems.Elem, code.Body(s.loop)
	if name == nil {
		name, s.entry = s.elems.Key, p.Source(s.elems.Over)+"["+s.elems.Key.Name()+"]"
	} else {
		s.entry = name.Name()
	}
	if code.Written(p.Index, p.TypesInfo, name, body) || s.elems.Key != nil && code.Written(p.Index, p.TypesInfo, s.elems.Key, body) || !code.Steady(p.Index, p.TypesInfo, s.elems.Over, body.Pos(), body.End()) || !s.ofEntry(path) {
		return nil
	}
	return s
}

// assigned reads info, err := os.Stat(…) with a new info.
func (s *stat) assigned() bool {
	assign, ok := s.cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || assign.Tok != token.DEFINE {
		return false
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok || id.Name == "_" {
		return false
	}
	s.info, _ = s.p.TypesInfo.Defs[id].(*types.Var)
	if id, ok := assign.Lhs[1].(*ast.Ident); ok && id.Name != "_" {
		s.err = code.Var(s.p.TypesInfo, id)
	}
	s.assign = assign
	return s.info != nil && !code.Written(s.p.Index, s.p.TypesInfo, s.info, code.Body(s.loop))
}

// ofEntry reports whether the path is the directory's, joined with the entry's
// name.
func (s *stat) ofEntry(path ast.Expr) bool {
	arg := s.given(path)
	if v := code.Var(s.p.TypesInfo, arg); v != nil {
		def, value := code.Origin(s.p.Index, s.p.TypesInfo, code.Body(s.loop), v)
		if def == nil || len(def.Lhs) != 1 {
			return false
		}
		s.path, s.pathStmt, arg = v, def, ast.Unparen(value)
	}
	dir, ok := s.joined(arg)
	if !ok {
		return false
	}
	read, from := s.readDir()
	return read != nil && code.SameExpr(s.p.TypesInfo, dir, read) && code.Steady(s.p.Index, s.p.TypesInfo, dir, from, s.loop.End())
}

// joined returns dir of filepath.Join(dir, entry.Name()) or
// dir + "/" + entry.Name().
func (s *stat) joined(x ast.Expr) (dir ast.Expr, ok bool) {
	switch x := x.(type) {
	case *ast.CallExpr:
		join := code.IsFunc(s.p.TypesInfo, x, "path/filepath", "Join") || code.IsFunc(s.p.TypesInfo, x, "path", "Join")
		if join && len(x.Args) == 2 && s.name(x.Args[1]) {
			return s.given(x.Args[0]), true
		}
	case *ast.BinaryExpr:
		left, ok := ast.Unparen(x.X).(*ast.BinaryExpr)
		if !ok || !s.name(x.Y) {
			return nil, false
		}
		sep, ok := code.String(s.p.TypesInfo, left.Y)
		return s.given(left.X), ok && (sep == "/" || sep == `\`)
	}
	return nil, false
}

// name reports whether x is entry.Name().
func (s *stat) name(x ast.Expr) bool {
	call, ok := s.given(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Name" && s.elems.Is(s.p.TypesInfo, sel.X) && code.PathCall(s.p.TypesInfo, call)
}

// readDir returns the directory whose entries the loop is over, and where it is
// read.
func (s *stat) readDir() (dir ast.Expr, from token.Pos) {
	v := code.Var(s.p.TypesInfo, s.elems.Over)
	def, value := code.Origin(s.p.Index, s.p.TypesInfo, s.fn, v)
	if def == nil || code.Var(s.p.TypesInfo, def.Lhs[0]) != v {
		return nil, token.NoPos
	}
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || !code.IsFunc(s.p.TypesInfo, call, "os", "ReadDir") {
		return nil, token.NoPos
	}
	return call.Args[0], def.Pos()
}

// changed reports whether something in the body before the call may have
// changed the entry: any call that takes the entry or its path and does more
// than compute, and any call of package os.
func (s *stat) changed() bool {
	return code.Any(code.Body(s.loop), func(call *ast.CallExpr) bool { return call.Pos() < s.call.Pos() && !s.harmless(call) })
}

func (s *stat) harmless(call *ast.CallExpr) bool {
	if code.Within(call, s.call) || code.PathCall(s.p.TypesInfo, call) {
		return true
	}
	switch pkg := pkgOf(s.p.TypesInfo, call); pkg {
	case "strings", "path", "path/filepath", "regexp", "fmt", "log", "log/slog", "strconv", "slices", "io/fs", "unicode":
		return true
	case "os":
		return false
	}
	if s.elems.Elem != nil && code.Mentions(s.p.TypesInfo, call, s.elems.Elem) || s.elems.Key != nil && code.Mentions(s.p.TypesInfo, call, s.elems.Key) {
		return false
	}
	return (s.path == nil || !code.Mentions(s.p.TypesInfo, call, s.path))
}

func pkgOf(info *types.Info, call *ast.CallExpr) string {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if obj := info.ObjectOf(sel.Sel); obj != nil && obj.Pkg() != nil {
			return obj.Pkg().Path()
		}
	}
	return ""
}

func (s *stat) report() {
	uses, other := s.queries()
	entry := s.entry
	f := rule.Finding{Pos: s.call.Pos(), End: s.call.End()}
	asLstat := s.lstat || s.noLink()
	switch {
	case asLstat && !other:
		f.Message = fmt.Sprintf("a system call for each entry of os.ReadDir; %s.Type and %s.IsDir give its type without one", entry, entry)
		f.Fixes = s.useType(uses)
	case s.lstat:
		f.Message = fmt.Sprintf("os.Lstat of an entry of os.ReadDir; %s.Info needs no path, and no system call where ReadDir has read it all", entry)
		f.Fixes = s.useInfo()
	case !other:
		f.Message = fmt.Sprintf("os.Stat for each entry of os.ReadDir; %s.Type gives its type without a system call, and only a symbolic link needs os.Stat", entry)
	case s.filters(uses):
		f.Message = fmt.Sprintf("os.Stat for each entry of os.ReadDir; %s.Type tells what to leave out before it, without a system call", entry)
	case !s.lstat:
		f.Tier = rule.Profiled
		f.Message = fmt.Sprintf("os.Stat for each entry of os.ReadDir; %s.Info needs no path, and only a symbolic link needs os.Stat", entry)
	}
	s.p.Report(f)
}

// filters reports whether a query about the type decides to skip the entry.
func (s *stat) filters(uses []query) bool {
	for _, u := range uses {
		for c := range u.cur.Enclosing((*ast.IfStmt)(nil)) {
			i := c.Node().(*ast.IfStmt)
			if code.Within(i.Cond, u.cur.Node()) && code.Departs(i.Body) {
				return true
			}
			break
		}
	}
	return false
}

// noLink reports whether the code before the call leaves out symbolic links.
func (s *stat) noLink() bool {
	return code.Guarded(s.cur, s.loop, token.NoPos, s.shows)
}

// shows reports whether an operand of a condition that has a value means that the entry is
// no symbolic link.
func (s *stat) shows(cond ast.Expr, value bool) bool {
	switch n := cond.(type) {
	case *ast.CallExpr: // e.IsDir(), e.Type().IsRegular()
		return value && s.entryType(n)
	case *ast.BinaryExpr: // e.Type()&fs.ModeSymlink == 0
		mask, ok := ast.Unparen(n.X).(*ast.BinaryExpr)
		zero, isZero := code.Int(s.p.TypesInfo, n.Y)
		if !ok || mask.Op != token.AND || !isZero || zero != 0 || n.Op != token.EQL && n.Op != token.NEQ || value != (n.Op == token.EQL) {
			return false
		}
		call, ok := ast.Unparen(mask.X).(*ast.CallExpr)
		bits, isBits := code.Int(s.p.TypesInfo, mask.Y)
		return ok && isBits && bits&modeSymlink != 0 && s.method(call, "Type")
	}
	return false
}

// entryType reports whether a call is e.IsDir(), e.Type().IsDir() or
// e.Type().IsRegular().
func (s *stat) entryType(call *ast.CallExpr) bool {
	if s.method(call, "IsDir") {
		return true
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "IsDir" && sel.Sel.Name != "IsRegular" {
		return false
	}
	inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	return ok && s.method(inner, "Type")
}

func (s *stat) method(call *ast.CallExpr, name string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name && s.elems.Is(s.p.TypesInfo, sel.X)
}

func fixes(message string, edits []analysis.TextEdit) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{Message: message, TextEdits: edits}}
}
