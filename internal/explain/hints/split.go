package hints

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// callCost is what the compiler counts for a call that is not inlined, without
// its arguments (inlineExtraCallCost in cmd/compile/internal/inline).
const callCost = 57

// fits checks that a function can now be inlined, and is.
func (c *callee) fits(n *escape.Notes) (string, bool) {
	said, can := verdict(n, c.f, c.fd)
	return said, can && c.inlined(n)
}

// uninlined drafts that a function which the compiler inlines into c is called
// instead: its cost counts as that of c, and a slow path that a person split
// off is back in it. There is one alternative for each such function.
func (s *search) uninlined(c *callee) []alternative {
	if c.f.info == nil || c.fd.Body == nil {
		return nil
	}
	var out []alternative
	seen := make(map[*ast.FuncDecl]bool)
	for call := range code.All[*ast.CallExpr](c.fd.Body) {
		at := model.Pos{File: c.f.Name, Line: c.f.Line(call.Lparen), Col: c.f.Col(call.Lparen)}
		f, fd := s.tree.decl(c.f.static(call))
		if fd == nil || fd == c.fd || fd.Body == nil || seen[fd] || len(s.notes.Inlined(at)) == 0 {
			continue
		}
		seen[fd] = true
		cost := 0
		for _, n := range declNotes(s.notes, f, fd) {
			if n.Kind == model.NoteCanInline {
				fmt.Sscanf(n.Message, "cost: %d", &cost)
			}
		}
		if cost > callCost {
			out = append(out, c.called(f, fd, at.Line, cost))
		}
	}
	return out
}

func (c *callee) called(f *file, fd *ast.FuncDecl, line, cost int) alternative {
	name := words.FuncName(fd)
	never := fmt.Sprintf("pawlNever%d", f.Offset(fd.Pos()))
	return alternative{
		text: fmt.Sprintf("; the compiler inlines %s, of cost %d, into it at line %d", name, cost, line),
		try:  fmt.Sprintf("put //go:noinline before %s at %s:%d, so that a call of it counts and not its body", name, f.Name, f.Line(fd.Pos())),
		holds: []string{
			fmt.Sprintf("%s is the slow path: calls of it are not hot, here or elsewhere", name),
		},
		edits: []model.Edit{
			// As a directive would need a line of its own, recover keeps it from
			// being inlined.
			f.Insert(fd.Body.Lbrace+1, " if "+never+" { recover() };"),
			f.Append("\nvar " + never + " bool\n"),
		},
		check: c.fits,
	}
}

func (t *tree) decl(fn *types.Func) (*file, *ast.FuncDecl) {
	if fn == nil {
		return nil, nil
	}
	for _, f := range t.files {
		if f == nil || f.types == nil || fn.Pkg() == nil || f.types.Path() != fn.Pkg().Path() {
			continue
		}
		for _, d := range f.Syntax.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Name.Name == fn.Name() && same(f.object(fd), fn) {
				return f, fd
			}
		}
	}
	return nil, nil
}

// rarely is the part of a function's time up to which a branch is its slow
// path, and slowPaths how many are tried.
const (
	rarely    = 0.02
	slowPaths = 2
)

// slowPaths drafts that a branch with next to no samples, with what follows
// it, becomes a function of its own. What follows stays in c as well: it is
// the fast path. The greatest branches come first.
func (s *search) slowPaths(c *callee) []alternative {
	if c.f.info == nil || c.fd.Body == nil || isGeneric(c.f, c.fd) {
		return nil
	}
	type branch struct {
		n    *ast.IfStmt
		rest []ast.Stmt
	}
	var found []branch
	for i, stmt := range c.fd.Body.List {
		n, ok := stmt.(*ast.IfStmt)
		if !ok || n.Else != nil || len(n.Body.List) == 0 {
			continue
		}
		from, to := c.f.Line(n.Body.List[0].Pos()), c.f.Line(n.Body.Rbrace)
		if from == c.f.Line(n.Pos()) || s.hot.mostUnder(c.f.Name, from, to) > rarely*c.own.most() {
			continue
		}
		if s.Cold != nil {
			if cold, known := s.Cold(c.f.Name, from); known && !cold {
				continue
			}
		}
		found = append(found, branch{n, c.fd.Body.List[i+1:]})
	}
	sorted.By(found, func(a, b branch) int {
		return int(b.n.Body.End()-b.n.Body.Pos()) - int(a.n.Body.End()-a.n.Body.Pos())
	})
	var out []alternative
	for _, b := range found[:min(len(found), slowPaths)] {
		if a, ok := s.split(c, b.n, b.rest); ok {
			out = append(out, a)
		}
	}
	return out
}

func (s *search) split(c *callee, n *ast.IfStmt, rest []ast.Stmt) (alternative, bool) {
	fn := c.f.object(c.fd)
	if fn == nil || hasDefer(c.fd) {
		return alternative{}, false
	}
	parts := append(nodes(n.Body.List), nodes(rest)...)
	call, decl, args, ok := s.helper(c.f, parts, func(q types.Qualifier) string { return tuple(fn.Signature().Results(), q) })
	if !ok {
		return alternative{}, false
	}
	leave := "return " + call
	if fn.Signature().Results().Len() == 0 {
		leave = call + "; return"
	}
	from := ""
	if len(args) > 0 {
		from = ", which needs " + strings.Join(args, ", ")
	}
	return alternative{
		text: fmt.Sprintf("; the branch at line %d has next to none of its time", c.f.Line(n.Pos())),
		try:  fmt.Sprintf("let the branch at line %d only return what a function of its own returns%s: that has the branch and all that follows it, and what follows stays here, too, as the fast path", c.f.Line(n.Pos()), from),
		holds: []string{
			"the new function has //go:noinline, or is too complex to be inlined: else its cost counts again",
			"the branch is as rare in production as in the profile: else it costs a second call",
		},
		edits: []model.Edit{
			c.f.Insert(n.Body.Lbrace+1, " if false {"),
			c.f.Insert(n.Body.Rbrace, "}; "+leave+";"),
			c.f.Append(decl),
		},
		check: c.fits,
	}, true
}

func hasDefer(fd *ast.FuncDecl) bool {
	return code.Any(fd, func(*ast.DeferStmt) bool { return true })
}

// helper returns a call of a function that could hold parts of a file, and its
// declaration without a body. It is not inlined, and takes what the parts use
// and do not declare.
func (s *search) helper(f *file, parts []ast.Node, results func(types.Qualifier) string) (call, decl string, args []string, ok bool) {
	qualify, named := f.qualifier()
	var params []string
	for i, v := range f.free(parts) {
		args = append(args, v.Name())
		params = append(params, fmt.Sprintf("p%d %s", i, types.TypeString(v.Type(), qualify)))
	}
	s.outlines++
	name := fmt.Sprintf("pawlOutlined%d", s.outlines)
	decl = "\n//go:noinline\nfunc " + name + "(" + strings.Join(params, ", ") + ") " + results(qualify) + " { panic(0) }\n"
	return name + "(" + strings.Join(args, ", ") + ")", decl, args, *named
}

// free returns the local variables that parts of a file use and do not
// declare.
func (f *file) free(parts []ast.Node) []*types.Var {
	var out []*types.Var
	inside := func(p token.Pos) bool {
		return slices.ContainsFunc(parts, func(n ast.Node) bool { return n.Pos() <= p && p < n.End() })
	}
	for _, part := range parts {
		for id := range code.All[*ast.Ident](part) {
			v, ok := f.info.Uses[id].(*types.Var)
			if ok && code.Local(v) && !slices.Contains(out, v) && !inside(v.Pos()) {
				out = append(out, v)
			}
		}
	}
	return out
}
