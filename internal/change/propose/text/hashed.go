package text

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

// Hashed copies texts that are hashed to one buffer.
var Hashed = prove.Transformation{
	Name:     "hash-buffer",
	Doc:      "Several texts, or those of a loop, become a []byte each only to be written to a hash, which takes no strings. They are copied to one buffer of the function. What io.WriteString writes to a local hash of package fnv needs no copy at all.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "hash-buffer", "BenchmarkSum", "allocs", "one buffer for all labels, and not two copies for each", 0),
	// It looks at the writes on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if v := localFNV(s.Fn, call); v != nil {
				ch, why := proposeDirect(s.Program, s.Fn, v)
				s.Add("each text that is hashed is copied", ch, why)
				return
			}
			if hashedBy(s.Fn, call) == nil {
				continue
			}
			if h := (&hashing{p: s.Program, fn: s.Fn, lit: s.Fn.File.Literal(call)}); h.several() {
				ch, why := proposeHashed(h)
				s.Add("each text that is hashed is copied", ch, why)
			}
		}
	}),
}

// A hashing is a function, or a literal in one, that writes texts to hashes.
type hashing struct {
	p     *prove.Program
	fn    *prove.Function
	lit   *ast.FuncLit
	texts []*hashed
}

// A hashed is one write of a text to a hash.
type hashed struct {
	call *ast.CallExpr
	to   ast.Expr // the hash
	text ast.Expr
	conv ast.Expr // what is written in its place; nil for io.WriteString
	stmt ast.Stmt // that evaluates the text before anything else
}

// hashedBy reads a call that writes a text to a hash; nil where it is another.
func hashedBy(fn *prove.Function, call *ast.CallExpr) *hashed {
	info := fn.Info()
	target := code.Callee(info, call)
	if target == nil {
		return nil
	}
	w := &hashed{call: call}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch {
	case !ok:
		return nil
	case target.FullName() == "io.WriteString":
		w.to, w.text = call.Args[0], call.Args[1]
	case target.Name() == "Write" && len(call.Args) == 1:
		text, _ := code.Converted(info, call.Args[0])
		if text == nil {
			return nil
		}
		w.to, w.text, w.conv = sel.X, text, call.Args[0]
	default:
		return nil
	}
	if !strings.HasPrefix(typeName(info.TypeOf(w.to)), "hash.Hash") || !plainPath(w.to) {
		return nil
	}
	w.stmt = begins(fn.File, call)
	return w
}

// begins returns the statement of a list that does nothing before a call and calls it once; nil where there is none.
func begins(f *prove.File, call *ast.CallExpr) ast.Stmt {
	stmt, _ := f.Parent(call).(ast.Stmt)
	switch s := stmt.(type) {
	case *ast.ExprStmt:
	case *ast.AssignStmt:
		if len(s.Rhs) != 1 || slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { _, name := e.(*ast.Ident); return !name }) {
			return nil
		}
		if up, ok := f.Parent(s).(*ast.IfStmt); ok && up.Init == ast.Stmt(s) {
			stmt = up
		}
	default:
		return nil
	}
	if !slices.Contains(code.StmtList(f.Parent(stmt)), stmt) {
		return nil
	}
	return stmt
}

// several collects the texts, and reports whether there is more than one at a time.
func (h *hashing) several() bool {
	f := h.fn.File
	loops := false
	for call := range code.All[*ast.CallExpr](h.fn.Decl.Body) {
		if w := hashedBy(h.fn, call); w != nil && w.stmt != nil && f.Literal(call) == h.lit && !f.Commented(call) {
			h.texts = append(h.texts, w)
			loops = loops || f.Loop(call) != nil
		}
	}
	return len(h.texts) > 1 || loops && len(h.texts) > 0
}

func proposeHashed(h *hashing) (*model.Change, *prove.Reason) {
	f, p := h.fn.File, h.p
	if code.Jumps(h.fn.Decl.Body) {
		return nil, prove.Refuse(h.fn.Obj.Name() + " uses goto")
	}
	for _, w := range h.texts {
		if why := h.ordered(w); why != nil {
			return nil, why
		}
	}
	name := code.FirstFree(h.fn.Decl, "buf", "data", "scratch")
	if name == "" || !code.Predeclared(h.fn.Obj.Pkg(), h.texts[0].call.Pos(), "append", "byte") {
		return nil, prove.Refuse("no name is free for the buffer")
	}
	var removed []ast.Node
	edits := []model.Edit{p.Insert(f, h.first().Pos(), "var "+name+" []byte\n")}
	for _, w := range h.texts {
		edits = append(edits, p.Insert(f, w.stmt.Pos(), fmt.Sprintf("%s = append(%s[:0], %s...)\n", name, name, p.Source(f, w.text))))
		if w.conv != nil {
			edits = append(edits, p.Put(f, w.conv.Pos(), w.conv.End(), name))
			continue
		}
		removed = append(removed, w.call.Fun)
		edits = append(edits, p.Put(f, w.call.Pos(), w.call.End(), p.Source(f, w.to)+".Write("+name+")"))
	}
	if len(removed) > 0 {
		imports, ok := p.Reimport(f, h.texts[0].call.Pos(), nil, "io", removed...)
		if !ok {
			return nil, prove.Refuse("the imports of " + f.Name + " cannot be changed")
		}
		edits = append(imports, edits...)
	}
	return p.Change(h.fn, edits, model.Change{
		Kind:  "hash-buffer",
		Title: fmt.Sprintf("%s: copy what is hashed to one buffer in %s", f.Pkg.Name, h.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the same bytes are hashed, in the same order", How: "proven", Why: "each text is copied to the buffer right before it is written; what finds the hash does nothing that could be noticed"},
			{Text: "the hash neither keeps nor changes the buffer", How: "assumed", Why: "io.Writer: Write must not modify the slice, even temporarily, and must not retain it; io.StringWriter: WriteString writes what Write would"},
			{Text: "nothing else uses the buffer", How: "proven", Why: "it is a variable of one call of the function, which is set before each use"},
		},
	})
}

// localFNV returns the variable of a hash of package fnv that io.WriteString writes to; nil for other calls. Nothing else is ever
// in the variable, so that the compiler knows the type that it calls Write of, and that this keeps no text.
func localFNV(fn *prove.Function, call *ast.CallExpr) *types.Var {
	info := fn.Info()
	if !code.IsFunc(info, call, "io", "WriteString") {
		return nil
	}
	v := code.Var(info, call.Args[0])
	if !code.Local(v) || code.WrittenIn(info, fn.Decl.Body, v) || code.AddressTaken(info, fn.Decl.Body, v) {
		return nil
	}
	made, ok := fn.Value(v).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if of := code.Callee(info, made); of == nil || of.Pkg() == nil || of.Pkg().Path() != "hash/fnv" {
		return nil
	}
	return v
}

func proposeDirect(p *prove.Program, fn *prove.Function, v *types.Var) (*model.Change, *prove.Reason) {
	f := fn.File
	var removed []ast.Node
	var edits []model.Edit
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if localFNV(fn, call) != v {
			continue
		}
		if f.Commented(call) || !code.Predeclared(fn.Obj.Pkg(), call.Pos(), "byte") {
			return nil, prove.Refuse("there is a comment within a call, or byte means something else there")
		}
		text := call.Args[1]
		removed = append(removed, call.Fun)
		edits = append(edits, p.Put(f, call.Pos(), text.Pos(), v.Name()+".Write([]byte("), p.Put(f, text.End(), call.End(), "))"))
	}
	imports, ok := p.Reimport(f, v.Pos(), nil, "io", removed...)
	if !ok {
		return nil, prove.Refuse("the imports of " + f.Name + " cannot be changed")
	}
	return p.Change(fn, append(imports, edits...), model.Change{
		Kind:  "hash-buffer",
		Title: fmt.Sprintf("%s: write to %s without a copy in %s", f.Pkg.Name, v.Name(), fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the same bytes are hashed, in the same order", How: "proven", Why: "io.WriteString calls Write with a copy of the text where a writer has no WriteString, and the hashes of package fnv have none"},
		},
	})
}

// first returns the statement of the function's own list in which the first text is written.
func (h *hashing) first() ast.Stmt {
	body := h.fn.Decl.Body
	if h.lit != nil {
		body = h.lit.Body
	}
	return body.List[slices.IndexFunc(body.List, func(s ast.Stmt) bool { return code.Within(s, h.texts[0].call) })]
}

// ordered says why it may be noticed that a text is evaluated before what finds the hash.
func (h *hashing) ordered(w *hashed) *prove.Reason {
	info, body := h.fn.Info(), h.fn.Decl.Body
	calls := code.Any(w.text, func(call *ast.CallExpr) bool { return !info.Types[call.Fun].IsType() && code.Builtin(info, call) == "" })
	v := code.Var(info, w.to)
	if !calls || code.Local(v) && !code.AddressTaken(info, body, v) && !code.Any(body, func(lit *ast.FuncLit) bool { return code.WrittenIn(info, lit, v) }) {
		return nil
	}
	return prove.Refusef("%s may change %s", prove.Short(types.ExprString(w.text)), types.ExprString(w.to))
}
