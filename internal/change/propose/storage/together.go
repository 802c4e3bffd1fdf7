package storage

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Together makes variables that go to the heap together in one allocation.
var Together = prove.Transformation{
	Name: "joint-variables",
	Doc: "Several variables of a function go to the heap, as a function literal that lives on changes them, or as their addresses are returned or stored. " +
		"They become fields of one variable.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "joint-variables", "BenchmarkCounter", "allocs", "one allocation for the variables of a closure", 0),
	// It looks at the variables that are declared on the target's line, which is where one that goes to the heap is allocated.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for id := range code.All[*ast.Ident](s.Fn.Decl.Body) {
			if s.Pos(id.Pos()).Line != s.At.Line {
				continue
			}
			if v := (&together{p: s.Program, fn: s.Fn}).declared(id); v != nil && v.outlives() {
				c, why := proposeTogether(&together{p: s.Program, fn: s.Fn}, v)
				s.Add(id.Name+" goes to the heap alone", c, why)
			}
		}
	}),
}

// A together is a list of variables of one block that go to the heap.
type together struct {
	p     *prove.Program
	fn    *prove.Function
	parts []*heapVar
}

// A heapVar is a variable with what refers to it.
type heapVar struct {
	name     *ast.Ident
	v        *types.Var
	stmt     ast.Stmt // declares it
	typ      ast.Expr // as it is written there; nil where it is not
	value    ast.Expr // what it is at first, nil for zero
	uses     []*ast.Ident
	literals []ast.Node // the outermost function literals that use it
	changed  bool       // when a literal is there already, which refers to it then, and does not copy it
	stored   bool       // its address is returned, or stored
	atomic   bool       // its address is for sync/atomic: as a field it may not be aligned on 32-bit platforms
}

// outlives reports whether something that may live longer refers to the variable.
func (h *heapVar) outlives() bool { return h.stored || h.changed && len(h.literals) > 0 }

// declared reads a variable that a statement of a list declares; nil for others.
func (t *together) declared(id *ast.Ident) *heapVar {
	info, f := t.fn.Info(), t.fn.File
	v, ok := info.Defs[id].(*types.Var)
	if !ok {
		return nil
	}
	h := &heapVar{name: id, v: v}
	switch up := f.Parent(id).(type) {
	case *ast.AssignStmt:
		h.stmt, h.value = up, up.Rhs[0]
	case *ast.ValueSpec:
		group, ok := f.Parent(up).(*ast.GenDecl)
		if !ok || len(group.Specs) != 1 || len(up.Values) > 0 && len(up.Names) > 1 {
			return nil
		}
		h.stmt, _ = f.Parent(group).(ast.Stmt)
		h.typ = up.Type
		if len(up.Values) == 1 {
			h.value = up.Values[0]
		}
	}
	if h.stmt == nil || !slices.Contains(code.StmtList(f.Parent(h.stmt)), h.stmt) {
		return nil
	}
	for use := range prove.UsesIn(info, f.Parent(h.stmt), v) {
		h.uses = append(h.uses, use)
		t.refer(h, use)
	}
	for _, use := range h.uses {
		h.changed = h.changed || len(h.literals) > 0 && use.Pos() > h.literals[0].Pos() && code.WrittenIn(info, f.Stmt(use), v)
	}
	return h
}

// refer takes in what one use refers to the variable by.
func (t *together) refer(h *heapVar, use *ast.Ident) {
	f := t.fn.File
	addr, addressed := f.Parent(use).(*ast.UnaryExpr)
	addressed = addressed && addr.Op == token.AND
	if call, ok := f.Parent(addr).(*ast.CallExpr); ok && addressed {
		fn := code.Callee(t.fn.Info(), call)
		h.atomic = h.atomic || fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic"
	}
	var lit ast.Node
	for n := f.Parent(use); n != f.Parent(h.stmt); n = f.Parent(n) {
		if _, ok := n.(*ast.FuncLit); ok {
			lit = n
		}
	}
	if lit != nil {
		if !slices.Contains(h.literals, lit) {
			h.literals = append(h.literals, lit)
		}
		return
	}
	if !addressed {
		return
	}
	switch up := f.Parent(addr).(type) {
	case *ast.ReturnStmt, *ast.KeyValueExpr, *ast.CompositeLit:
		h.stored = true
	case *ast.AssignStmt:
		if i := slices.Index(up.Rhs, ast.Expr(addr)); i >= 0 && len(up.Lhs) == len(up.Rhs) {
			_, name := up.Lhs[i].(*ast.Ident)
			h.stored = h.stored || !name
		}
	}
}

// mostTogether is how large the variables may be together, in bytes.
const mostTogether = 256

// tinyAllocation is the size of the runtime's blocks for small values without pointers (runtime/malloc.go, maxTinySize).
const tinyAllocation = 16

func proposeTogether(t *together, first *heapVar) (*model.Change, *prove.Reason) {
	f, sizes := t.fn.File, t.fn.File.Pkg.TypesSizes
	var size int64
	for _, s := range code.StmtList(f.Parent(first.stmt)) {
		for id := range code.All[*ast.Ident](s) {
			if h := t.declared(id); h != nil && h.stmt == s && !h.atomic && (h.v == first.v || h.goesWith(first)) {
				t.parts = append(t.parts, h)
				size += code.Size(sizes, h.v.Type())
			}
		}
	}
	switch {
	case len(t.parts) < 2:
		return nil, prove.Refuse("no other variable of the block goes with it")
	case size > mostTogether:
		return nil, prove.Refusef("%d bytes are too many to keep for one of them", size)
	case size <= tinyAllocation && !slices.ContainsFunc(t.parts, func(h *heapVar) bool { return code.HasPointers(h.v.Type()) }):
		return nil, prove.Refuse("the compiler makes variables that are so small, and hold no pointers, in one allocation already")
	case code.Any(t.fn.Decl.Body, func(b *ast.BranchStmt) bool { return b.Tok == token.GOTO }):
		return nil, prove.Refuse(t.fn.Obj.Name() + " uses goto")
	}
	name := code.FirstFree(t.fn.Decl, "vars", "both", "kept", "shared")
	if name == "" {
		return nil, prove.Refuse("no name is free for all of them")
	}
	edits, why := t.edits(name)
	own := model.Obligation{}
	var names []string
	for _, h := range t.parts {
		if why != nil {
			return nil, why
		}
		names = append(names, h.name.Name)
		var o model.Obligation
		if o, why = t.p.PointersFree(h.v.Type()); own.Text == "" || o.How == "assumed" {
			own = o
		}
	}
	if why != nil {
		return nil, why
	}
	last := len(names) - 1
	return t.p.Change(t.fn, edits, model.Change{
		Kind:    "joint-variables",
		Retains: fmt.Sprintf("%d bytes as long as one of them lives", size),
		Title:   fmt.Sprintf("%s: allocate %s and %s of %s together", f.Pkg.Name, strings.Join(names[:last], ", "), names[last], t.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "each name means the same variable", How: "proven", Why: "all are declared in one list of statements, once each time it is run, and all uses are fields of one variable"},
			{Text: "nothing sees them before they are declared", How: "proven", Why: "what has no value at first is zero from the first declaration on"},
			own,
			{Text: fmt.Sprintf("what refers to one keeps them all: %d bytes", size), How: "assumed", Why: "they live about as long as each other"},
		},
	})
}

// goesWith reports whether a variable goes to the heap if another one does.
func (h *heapVar) goesWith(first *heapVar) bool {
	if h.stored {
		return true
	}
	return !first.stored && h.changed && len(h.literals) > 0 &&
		!slices.ContainsFunc(first.literals, func(lit ast.Node) bool { return !slices.Contains(h.literals, lit) })
}

// edits declares one variable instead of several.
func (t *together) edits(name string) (edits []model.Edit, why *prove.Reason) {
	p, f := t.p, t.fn.File
	put := func(from, to token.Pos, text string) {
		edits = append(edits, p.Put(f, from, to, text))
	}
	var all strings.Builder
	fmt.Fprintf(&all, "var %s struct {", name)
	of := map[ast.Stmt]int{}
	for _, h := range t.parts {
		fmt.Fprintf(&all, "\n\t%s %s", h.name.Name, p.TypeText(t.fn, h.v.Type(), h.typ))
		of[h.stmt]++
		for _, use := range h.uses {
			if a, ok := f.Parent(use).(*ast.AssignStmt); ok && a.Tok == token.DEFINE && slices.Contains(a.Lhs, ast.Expr(use)) {
				return nil, prove.Refusef("it is assigned to beside new variables (%s)", p.Pos(use.Pos()))
			}
			put(use.Pos(), use.Pos(), name+".")
		}
	}
	all.WriteString("\n}\n")
	for i, h := range t.parts {
		if of[h.stmt] == 0 {
			continue // it is done
		}
		if of[h.stmt] != len(newIn(h.stmt)) {
			return nil, prove.Refuse(h.name.Name + " is declared with a variable that stays")
		}
		of[h.stmt] = 0
		head := ""
		if i == 0 {
			head = all.String()
		}
		switch {
		case h.value != nil:
			var left []string
			for _, id := range newIn(h.stmt) {
				left = append(left, name+"."+id.Name)
			}
			put(h.stmt.Pos(), h.value.Pos(), head+strings.Join(left, ", ")+" = ")
		case i == 0:
			put(h.stmt.Pos(), h.stmt.End(), strings.TrimSuffix(head, "\n"))
		case f.Commented(h.stmt):
			return nil, prove.Refuse("there is a comment within its declaration")
		default:
			edits = append(edits, p.Drop(f, h.stmt))
		}
	}
	return edits, nil
}

// newIn returns what a statement declares, or would declare if all on its left were new.
func newIn(s ast.Stmt) (all []*ast.Ident) {
	if d, ok := s.(*ast.DeclStmt); ok {
		return d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Names
	}
	for _, x := range s.(*ast.AssignStmt).Lhs {
		id, _ := x.(*ast.Ident)
		all = append(all, id)
	}
	return all
}
