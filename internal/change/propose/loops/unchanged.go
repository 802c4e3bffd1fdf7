package loops

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Unchanged returns the text that a loop would only copy as it is.
var Unchanged = prove.Transformation{
	Name:     "return-unchanged",
	Doc:      "A function that copies a string to a strings.Builder, but for some characters that it replaces, first looks whether there are any, and returns the string itself where there are none.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "return-unchanged", "BenchmarkEscape", "allocs", "no copy of a text in which nothing is replaced", 0),
	// It looks at functions of the target's line and of the module's frames: the
	// builder allocates in package strings.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, stmt := range s.Fn.Decl.Body.List {
			if r := rebuilt(s.Program, s.Fn, stmt, s.At.Line); r != nil {
				ch, why := proposeUnchanged(r)
				s.AddAt(s.Pos(stmt.Pos()), "a string is copied even where nothing in it is replaced", ch, why)
			}
		}
	}),
}

// A rebuild is a loop that writes a string anew, and the return of what it wrote.
type rebuild struct {
	*byteRun
	list    []ast.Stmt // of the function
	before  int        // index of the first statement that can be left out with the loop
	returns *ast.ReturnStmt
	result  *ast.CallExpr // b.String(), in it
}

// rebuilt returns a statement as such a loop, nil if it is none, or if neither it nor
// what it writes to is on the line.
func rebuilt(p *prove.Program, fn *prove.Function, s ast.Stmt, line int) *rebuild {
	l, broken := byteLoopAt(p, fn, s)
	if l == nil || broken != nil || !code.IsString(l.src.Type()) || !l.fromStart() {
		return nil
	}
	for _, run := range l.runs(line) {
		r := &rebuild{byteRun: run, list: fn.Decl.Body.List}
		if !run.helper && r.built() && r.near(line) && run.check() == nil {
			return r
		}
	}
	return nil
}

// fromStart reports whether a loop begins with the first byte.
func (l *byteLoop) fromStart() bool {
	s, ok := l.stmt.(*ast.ForStmt)
	if !ok {
		return true
	}
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return false
	}
	zero, ok := prove.ConstInt(l.fn.Info(), init.Rhs[0])
	return ok && zero == 0 && code.Var(l.fn.Info(), init.Lhs[0]) == l.byteScope.index
}

// built reads what stands around the loop: calls of Grow at most before it, and behind
// it the return of what the builder holds.
func (r *rebuild) built() bool {
	info, v := r.loop.fn.Info(), code.Var(r.loop.fn.Info(), r.sink.dst)
	if v == nil || !code.Local(v) || !code.IsNamed(v.Type(), "strings", "Builder") {
		return false
	}
	at := 0
	for r.list[at] != r.loop.stmt {
		at++
	}
	if at+1 == len(r.list) {
		return false
	}
	for r.before = at; r.before > 0 && r.grows(r.list[r.before-1], v); r.before-- {
	}
	ret, ok := r.list[at+1].(*ast.ReturnStmt)
	if !ok {
		return false
	}
	r.returns = ret
	for _, e := range ret.Results {
		if call := r.calls(&ast.ExprStmt{X: e}, v, "String"); call != nil && r.result == nil {
			r.result = call
		} else if info.Types[e].Value == nil && !code.IsNil(info, e) {
			return false
		}
	}
	return r.result != nil && !r.early()
}

// early reports whether the function has a return of the string itself already.
func (r *rebuild) early() bool {
	return slices.ContainsFunc(r.list[:r.before], func(s ast.Stmt) bool {
		return code.Any(s, func(ret *ast.ReturnStmt) bool {
			return slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { return prove.IsUseOf(r.loop.fn.Info(), e, r.loop.src) })
		})
	})
}

// calls returns the call that a statement is, of a method of the builder.
func (r *rebuild) calls(s ast.Stmt, v *types.Var, method string) *ast.CallExpr {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method || code.Var(r.loop.fn.Info(), sel.X) != v {
		return nil
	}
	return call
}

// grows reports whether a statement only grows the builder: asking by how much does nothing, and is never negative.
func (r *rebuild) grows(s ast.Stmt, v *types.Var) bool {
	call := r.calls(s, v, "Grow")
	if call == nil {
		return false
	}
	info := r.loop.fn.Info()
	eval := code.Eval{Info: info, NotNil: func(ast.Expr) bool { return false }, Plain: true, Call: func(*ast.CallExpr) code.Loss { return code.Loss{Grade: code.AnyLoss} }}
	return prove.NotNegative(info, call.Args[0]) && eval.Of(call.Args[0]).Grade == code.NoLoss
}

// near reports whether a line is in what the change leaves out where nothing is replaced.
func (r *rebuild) near(line int) bool {
	p := r.loop.p
	return p.Pos(r.list[r.before].Pos()).Line <= line && line <= p.Pos(r.returns.End()).Line
}

// written says what else the function does with the builder or the string: before the
// loop, neither may be changed.
func (r *rebuild) written() *prove.Reason {
	info, v := r.loop.fn.Info(), code.Var(r.loop.fn.Info(), r.sink.dst)
	if !types.Identical(r.loop.src.Type(), types.Typ[types.String]) {
		return prove.Refuse(r.loop.src.Name() + " has a type of its own")
	}
	spec, ok := r.loop.fn.File.Parent(r.loop.fn.Declaration(v)).(*ast.ValueSpec)
	if !ok || len(spec.Values) > 0 {
		return prove.Refuse(v.Name() + " is not declared empty")
	}
	for _, s := range r.list[:r.before] {
		if code.Any(s, func(id *ast.Ident) bool { return info.Uses[id] == v }) {
			return prove.Refusef("%s is used before the loop (%s)", v.Name(), r.loop.p.Pos(s.Pos()))
		}
	}
	return nil
}

func proposeUnchanged(r *rebuild) (*model.Change, *prove.Reason) {
	l, fn := r.loop, r.loop.fn
	if why := r.written(); why != nil {
		return nil, why
	}
	end := code.FirstFree(fn.Decl, "plain", "same", "unchanged")
	if end == "" {
		return nil, prove.Refuse("no name is free for the number of bytes that stay as they are")
	}
	edits, why := r.search(end)
	if why != nil {
		return nil, why
	}
	return l.p.Change(fn, edits, model.Change{
		Kind:    "return-unchanged",
		Title:   fmt.Sprintf("%s: return %s as it is where %s replaces nothing", fn.File.Pkg.Name, l.src.Name(), fn.Obj.Name()),
		Retains: "all that " + l.src.Name() + " is a part of, as long as the result lives",
		Obligations: []model.Obligation{
			{Text: "the loop would have written " + l.src.Name() + " as it is", How: "proven",
				Why: "it would have appended each byte: the conditions on the way to the append look at nothing but the byte and what an iteration that appends does not change"},
			{Text: "nothing else would have happened", How: "proven",
				Why: "such an iteration does nothing else, and what the builder holds is returned right after the loop"},
			{Text: "what is returned need not be memory of its own", How: "proven", Why: "a string does not change"},
		},
	})
}

// search writes the search for what is replaced, and the return.
func (r *rebuild) search(end string) ([]model.Edit, *prove.Reason) {
	l, f := r.loop, r.loop.fn.File
	conds := []string{end + " == len(" + l.src.Name() + ")"}
	for _, c := range r.held {
		conds = append(conds, c.text(""))
	}
	start, stop, at := l.p.Offset(r.returns.Pos()), l.p.Offset(r.returns.End()), l.p.Offset(r.list[r.before].Pos())
	from, to := l.p.Offset(r.result.Pos()), l.p.Offset(r.result.End())
	ret := string(f.Src[start:from]) + l.src.Name() + string(f.Src[to:stop])
	text := fmt.Sprintf("%[1]s := 0\nfor %[1]s < len(%[2]s) && %[3]s {\n\t%[1]s++\n}\nif %[4]s {\n\t%[5]s\n}\n", end, l.src.Name(),
		strings.Join(r.searched(l.src.Name()+"["+end+"]"), " && "), strings.Join(conds, " && "), ret)
	edits := []model.Edit{l.p.Edit(f, at, at, text)}
	if l.size != "" {
		return l.qualified(edits)
	}
	return edits, nil
}
