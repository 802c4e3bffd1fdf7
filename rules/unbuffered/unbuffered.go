// Package unbuffered finds small writes to files and connections in a loop:
// each is a system call.
package unbuffered

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "unbuffered",
	Title: "small writes or reads on a file or connection in a loop, without a buffer",
	IDs:   []string{"C35"}, Seeds: []string{"000", "003"},
	Tier: rule.Always, Fix: rule.B,
	Why: "An os.File and a net.Conn make a system call per Write, whatever its size, and fmt.Fscan one per byte that it reads. A bufio.Writer or " +
		"bufio.Reader makes one per 4 KiB.",
	WhenNot: "Standard output and standard error, which someone may be watching. Files opened to append or " +
		"with O_SYNC, where each record should be written at once. Sync, Seek, Close or any other use of the file inside the loop, or another writer " +
		"on it. Loops that wait (channels, sleeping, other connections) or have no bound. Text whose size is not known to be small, " +
		"and files kept in fields, which are often logs, are shown only where a profile has them.",
	Gap: "A file that is a parameter may be a terminal at a caller in another package. Until the flush, the data is in memory: a panic or a kill loses " +
		"it, and a failed write shows later than the line that caused it. A string built for the write (line + \"\\n\") may move from the stack to the " +
		"heap. The rule sees variables, parameters and fields whose type is *os.File or a connection of package net.",
	Signature: "syscall.write or syscall.read with internal/poll.(*FD).Write or Read above it in CPU profiles, below one line of a loop",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSave", Metric: "cpu",
		Claimed: "a buffered writer makes writing lines to a file more than nine times faster", Ratio: 9.55,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, effects.Analyzer)

func run(p *rule.Pass) {
	s := &search{p: p, effects: p.ResultOf[effects.Analyzer].(*effects.Effects), loops: map[key]*group{}}
	for _, name := range []string{"Fprint", "Fprintf", "Fprintln"} {
		for cur, call := range p.Index.Calls("fmt", name) {
			s.write(cur, call, call.Args[0], true)
		}
	}
	for cur, call := range p.Index.Calls("encoding/binary", "Write") {
		s.write(cur, call, call.Args[0], smallValue(p.TypesInfo, call.Args[2]))
	}
	for cur, call := range p.Index.Calls("io", "WriteString") {
		s.write(cur, call, call.Args[0], short(p.TypesInfo, call.Args[1]))
	}
	for _, t := range [][2]string{{"os", "File"}, {"net", "Conn"}, {"net", "TCPConn"}, {"net", "UnixConn"}} {
		for _, name := range []string{"Write", "WriteString"} {
			for cur, call := range p.Index.Method(t[0], t[1], name) {
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && len(call.Args) == 1 {
					s.write(cur, call, sel.X, short(p.TypesInfo, call.Args[0]))
				}
			}
		}
	}
	for _, name := range []string{"Fscan", "Fscanf", "Fscanln"} {
		for cur, call := range p.Index.Calls("fmt", name) {
			s.read(cur, call)
		}
	}
	for _, k := range s.order {
		s.report(s.loops[k])
	}
}

// A search collects the writes of a package by loop and file.
type search struct {
	p       *rule.Pass
	effects *effects.Effects
	loops   map[key]*group
	order   []key
}

type key struct {
	loop ast.Node
	file *types.Var
	read bool
}

// A group is the writes to, or reads from, one file in one loop.
type group struct {
	key
	cur   inspector.Cursor // the loop
	fn    inspector.Cursor
	calls []*ast.CallExpr
	args  []ast.Expr // the file, in the calls
	at    []inspector.Cursor
	small *ast.CallExpr // the first that is small for sure
	first *ast.CallExpr // of text, of any size
	via   bool          // a function of the package makes one of them
}

// write takes a write to w, if that is a file and stands in a loop.
func (s *search) write(cur inspector.Cursor, call *ast.CallExpr, w ast.Expr, small bool) {
	v := code.Named(s.p.TypesInfo, w)
	if v != nil && v.IsField() && device(v.Type()) {
		s.add(cur, call, w, v, small, false)
		return
	}
	if !code.Local(v) || !device(v.Type()) && !code.IsNamed(v.Type(), "io", "Writer") {
		return
	}
	if device(v.Type()) {
		s.add(cur, call, w, v, small, false)
	}
	fn, _ := code.Func(cur)
	line := small || text(s.p.TypesInfo, call.Args[len(call.Args)-1])
	if _, lit := fn.Node().(*ast.FuncLit); lit && device(v.Type()) && !code.Declares(fn.Node(), v) && line {
		for at, outer := range code.Calls(s.p.Index, s.p.TypesInfo, fn) {
			if g := s.add(at, outer, w, v, true, false); g != nil {
				g.via = true
			}
		}
	}
	for at, given := range code.Given(s.p.Index, s.p.TypesInfo, cur, w) {
		if v := code.Var(s.p.TypesInfo, given); at != cur && code.Local(v) && device(v.Type()) {
			if g := s.add(at, at.Node().(*ast.CallExpr), given, v, line, false); g != nil {
				g.via = true
			}
		}
	}
}

// read takes a scan of a file that the function itself has opened.
func (s *search) read(cur inspector.Cursor, call *ast.CallExpr) {
	v := code.Var(s.p.TypesInfo, call.Args[0])
	if !code.Local(v) || !device(v.Type()) {
		return
	}
	s.add(cur, call, call.Args[0], v, true, true)
}

func (s *search) add(cur inspector.Cursor, call *ast.CallExpr, file ast.Expr, v *types.Var, small, read bool) *group {
	k := key{file: v, read: read}
	loop, ok := s.outermost(cur, k, file)
	if !ok {
		return nil
	}
	k.loop = loop.Node()
	g := s.loops[k]
	if g == nil {
		fn, _ := code.Func(loop)
		g = &group{key: k, cur: loop, fn: fn}
		s.loops[k] = g
		s.order = append(s.order, k)
	}
	g.calls, g.args, g.at = append(g.calls, call), append(g.args, file), append(g.at, cur)
	if leavesAfter(cur) {
		return g
	}
	if g.first == nil && (small || text(s.p.TypesInfo, call.Args[len(call.Args)-1])) {
		g.first = call
	}
	if small && g.small == nil {
		g.small = call
	}
	return g
}

// text reports whether what is written is a string, or was one: a line, as a rule, and no
// block of bytes.
func text(info *types.Info, x ast.Expr) bool {
	if conv, ok := ast.Unparen(x).(*ast.CallExpr); ok && info.Types[conv.Fun].IsType() && len(conv.Args) == 1 {
		x = conv.Args[0]
	}
	return code.IsString(info.TypeOf(x))
}

// outermost returns the outermost loop around cur, in its function, that goes on with
// the same file.
func (s *search) outermost(cur inspector.Cursor, k key, file ast.Expr) (inspector.Cursor, bool) {
	at, found := cur, false
	for {
		loop, ok := code.Loop(at)
		if !ok || !s.same(loop, k, file) {
			return at, found
		}
		at, found = loop, true
	}
}

// leavesAfter reports whether the statement at cur ends the loop.
func leavesAfter(cur inspector.Cursor) bool {
	stmt, ok := code.Stmt(cur)
	if !ok {
		return true
	}
	if _, ret := stmt.Node().(*ast.ReturnStmt); ret {
		return true
	}
	rest := code.Following(stmt)
	return len(rest) > 0 && code.Departs(&ast.BlockStmt{List: rest}) && !continues(rest[len(rest)-1])
}

func continues(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok.String() == "continue"
}

// device reports whether t is a file or a connection.
func device(t types.Type) bool {
	if _, ptr := types.Unalias(t).(*types.Pointer); ptr {
		return code.IsNamed(t, "os", "File") || code.IsNamed(t, "net", "TCPConn") || code.IsNamed(t, "net", "UnixConn")
	}
	return code.IsNamed(t, "net", "Conn")
}

func (s *search) report(g *group) {
	if g.first == nil || !s.bounded(g) {
		return
	}
	if field := g.file.IsField(); field && !s.kept(g) || !field && (!s.alone(g) || !s.plain(g)) {
		return
	}
	name := g.file.Name()
	if g.small == nil || g.via || g.file.IsField() {
		s.p.Report(rule.Finding{
			Pos: g.first.Pos(), End: g.first.End(), Hot: g.loop, Tier: rule.Profiled, Class: rule.N,
			Message: fmt.Sprintf("each write to %s in this loop is a system call; a bufio.Writer joins those that are small", name),
		})
		return
	}
	f := rule.Finding{
		Pos: g.small.Pos(), End: g.small.End(), Hot: g.loop,
		Message: fmt.Sprintf("each small write to %s in this loop is a system call; a bufio.Writer makes one per 4 KiB", name),
		Fixes:   s.fix(g),
	}
	if g.key.read {
		f.Message = fmt.Sprintf("scanning %s without a buffer is a system call per byte; a bufio.Reader makes one per 4 KiB", name)
	}
	s.p.Report(f)
}
