package cold

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// BranchCopy gives the branches that refer to a variable a copy of it, so that the variable can stay on
// the stack.
var BranchCopy = prove.Transformation{
	Name: "copy-in-branch",
	Doc: "A parameter or variable goes to the heap only since branches take its address, or use it in a function literal. Each of them makes a copy, and the variable stays on the stack. " +
		"So does what comes behind a return or continue without, and a loop over options that are given the address, as there may be none.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "copy-in-branch", "BenchmarkCheck", "allocs", "no allocation for a position that no error names", 0),
	// It looks at the variables that are declared on the target's line, which is where one that
	// goes to the heap is allocated.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for id := range code.All[*ast.Ident](s.Fn.Decl) {
			v, ok := s.Fn.Info().Defs[id].(*types.Var)
			if !ok || s.Pos(id.Pos()).Line != s.At.Line || !referred(s.Fn, v) {
				continue
			}
			if k := (&kept{p: s.Program, fn: s.Fn, v: v}); k.lives(id) {
				ch, why := proposeBranchCopy(k)
				s.Add(v.Name()+" goes to the heap for what refers to it", ch, why)
			}
		}
	}),
}

// A kept is a variable that something may refer to when the function, or the iteration, has ended.
type kept struct {
	p        *prove.Program
	fn       *prove.Function
	v        *types.Var
	life     ast.Node // in which it lives: a list of statements
	uses     []*ast.Ident
	refers   []ast.Node // the uses that take its address, and the literals that use it
	branches []ast.Node // lists of statements that get a copy
	rest     ast.Stmt   // of its life, from which on the copy takes its place; nil for none
}

// lives finds where the variable lives, and its uses; it is false where no copy would do.
func (k *kept) lives(id *ast.Ident) bool {
	f := k.fn.File
	switch up := f.Parent(id).(type) {
	case *ast.AssignStmt:
		k.life = f.Parent(up)
	case *ast.ValueSpec:
		k.life = f.Parent(f.Parent(f.Parent(up)))
	case *ast.RangeStmt:
		if k.p.GoAtLeast(f, "go1.22") && up.X.Pos() > id.Pos() {
			k.life = up.Body
		}
	case *ast.Field:
		if results := k.fn.Decl.Type.Results; f.Literal(id) == nil && !code.Within(k.fn.Decl.Body, id) && (results == nil || !code.Within(results, id)) {
			k.life = k.fn.Decl.Body
		}
	}
	if k.life == nil || code.StmtList(k.life) == nil {
		return false
	}
	for use := range prove.UsesIn(k.fn.Info(), k.life, k.v) {
		k.uses = append(k.uses, use)
		if r := k.reference(use); r != nil {
			k.refers = append(k.refers, r)
		}
	}
	return len(k.refers) > 0
}

// reference returns what refers to the variable where it is used: the outermost literal around, or an
// expression that takes its address; nil for other uses.
func (k *kept) reference(use *ast.Ident) ast.Node {
	var lit, whole ast.Node
	expr := true
	for n := ast.Node(use); n != nil && n != k.life; n = k.fn.File.Parent(n) {
		if _, ok := n.(*ast.FuncLit); ok {
			lit = n
		}
		if _, ok := n.(ast.Expr); ok && expr {
			whole = n
		} else {
			expr = false
		}
	}
	if lit == nil && !code.AddressTaken(k.fn.Info(), whole, k.v) {
		return nil
	}
	if lit != nil {
		return lit
	}
	return whole
}

func proposeBranchCopy(k *kept) (*model.Change, *prove.Reason) {
	f := k.fn.File
	if code.Any(k.fn.Decl.Body, func(b *ast.BranchStmt) bool { return b.Tok == token.GOTO || b.Tok == token.FALLTHROUGH }) {
		return nil, prove.Refuse(k.fn.Obj.Name() + " uses goto or fallthrough")
	}
	if code.Locks(k.v.Type()) {
		return nil, prove.Refuse("it holds a lock, which must not be copied")
	}
	why := k.divide()
	if loop, next := k.turns(); loop != nil && (why != nil || k.rest == loop) {
		return proposeTurnsCopy(k, loop, next)
	}
	if why != nil {
		return nil, why
	}
	edits, why := k.edits()
	if why != nil {
		return nil, why
	}
	return k.p.Change(k.fn, edits, model.Change{
		Kind:  "copy-in-branch",
		Title: fmt.Sprintf("%s: copy %s in the branches of %s that refer to it", f.Pkg.Name, k.v.Name(), k.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the copy is what " + k.v.Name() + " would have been", How: "proven", Why: "it is made where the branch begins, before anything refers to it"},
			{Text: "nothing behind the branch sees the variable without what the branch made of it", How: "proven",
				Why: "the branch ends the function or the iteration, or nothing behind it uses the variable" + k.used()},
			{Text: "there is one copy at most for each variable", How: "proven", Why: "of the branches, one at most is run, once"},
		},
	})
}

// divide finds the branches, and where the rest begins.
func (k *kept) divide() *prove.Reason {
	list := code.StmtList(k.life)
	for _, r := range k.refers {
		if k.rest != nil && r.Pos() > k.rest.Pos() {
			return nil // it is in the rest, as are those behind it
		}
		b := k.branchOf(r)
		if b == nil {
			at := slices.IndexFunc(list, func(s ast.Stmt) bool { return code.Within(s, r) })
			if !slices.ContainsFunc(list[:at], k.leaves) {
				return prove.Refusef("what refers to it at %s is in no branch after which it is not used", k.p.Pos(r.Pos()))
			}
			k.rest = list[at]
		} else if !slices.Contains(k.branches, b) {
			k.branches = append(k.branches, b)
		}
	}
	if k.rest == nil && slices.ContainsFunc(list, k.always) {
		return prove.Refuse("on each way on there is a branch that needs a copy")
	}
	return nil
}

// used says what the rest uses.
func (k *kept) used() string {
	if k.rest == nil {
		return ""
	}
	return "; from " + k.p.Pos(k.rest.Pos()).String() + " on the copy alone is used"
}

// leaves reports whether a statement may end the life of the variable, and not for an error, which is rare.
func (k *kept) leaves(s ast.Stmt) bool {
	return s.Pos() > k.v.Pos() && code.Here(s, func(s ast.Stmt) bool { return k.ends(s) && failure(k.p, k.fn, s) == "" }) != nil
}

// edits makes the copies.
func (k *kept) edits() ([]model.Edit, *prove.Reason) {
	f, name := k.fn.File, k.v.Name()
	var edits []model.Edit
	for _, b := range k.branches {
		if slices.ContainsFunc(k.branches, func(outer ast.Node) bool { return outer != b && code.Within(outer, b) }) {
			continue // it uses the copy of that
		}
		if code.Any(b, func(id *ast.Ident) bool { return id.Name == name && k.fn.Info().Defs[id] != nil }) {
			return nil, prove.Refuse("the branch declares the name again")
		}
		edits = append(edits, k.p.Insert(f, code.StmtList(b)[0].Pos(), fmt.Sprintf("%[1]s := %[1]s // a copy, so that %[1]s itself stays on the stack\n", name)))
	}
	if k.rest == nil {
		return edits, nil
	}
	copied := code.FirstFree(k.fn.Decl, name+"Copy", "kept", "copied")
	if copied == "" {
		return nil, prove.Refuse("no name is free for the copy")
	}
	declared := fmt.Sprintf("%s := %s // a copy, so that %[2]s itself stays on the stack\n", copied, name)
	if !slices.ContainsFunc(k.uses, k.begins) {
		edits = append(edits, k.p.Insert(f, k.rest.Pos(), declared))
	}
	for _, use := range k.uses {
		switch {
		case k.begins(use):
			edits = append(edits, k.p.Put(f, use.Pos(), use.End(), declared+copied))
		case use.Pos() > k.rest.Pos():
			edits = append(edits, k.p.Put(f, use.Pos(), use.End(), copied))
		}
	}
	return edits, nil
}

// begins reports whether the rest begins with a use.
func (k *kept) begins(use *ast.Ident) bool { return use.Pos() == k.rest.Pos() }

// always reports whether a statement runs one of the branches, whatever its condition is.
func (k *kept) always(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return slices.Contains(k.branches, ast.Node(s))
	case *ast.IfStmt:
		return s.Else != nil && k.always(s.Body) && k.always(s.Else)
	case *ast.SwitchStmt:
		return k.allOf(s.Body)
	case *ast.TypeSwitchStmt:
		return k.allOf(s.Body)
	case *ast.SelectStmt:
		return k.allOf(s.Body)
	}
	return false
}

// allOf reports whether all cases are branches, with one for what no other is for.
func (k *kept) allOf(cases *ast.BlockStmt) bool {
	rest := false
	for _, s := range cases.List {
		clause, isCase := s.(*ast.CaseClause)
		rest = rest || !isCase || clause.List == nil
		if !slices.Contains(k.branches, ast.Node(s)) {
			return false
		}
	}
	return rest
}

// branchOf returns the innermost branch around a reference that can have a copy of its own; nil where there is none.
func (k *kept) branchOf(r ast.Node) ast.Node {
	f := k.fn.File
	for child, up := r, f.Parent(r); child != k.life; child, up = up, f.Parent(up) {
		list := code.StmtList(up)
		if s, ok := child.(ast.Stmt); ok && slices.Contains(list, s) && up != k.life && f.Conditional(up) && k.last(up, list) {
			return up
		}
	}
	return nil
}

// last reports whether no use of the variable follows a branch: it leaves the variable's life, or all uses
// behind it are in other branches of the same statements.
func (k *kept) last(branch ast.Node, list []ast.Stmt) bool {
	end := len(list) - 1
	if k.ends(list[end]) && !slices.ContainsFunc(list[:end], func(s ast.Stmt) bool { return code.Any(s, func(*ast.BranchStmt) bool { return true }) }) {
		return true
	}
	for up := branch; up != k.life; up = k.fn.File.Parent(up) {
		switch up.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false // it may come back
		}
	}
	return !slices.ContainsFunc(k.uses, func(use *ast.Ident) bool { return use.Pos() > branch.End() && !k.excluded(branch, use) })
}

// ends reports whether a statement ends the life of the variable: it returns, or goes on to the next
// iteration of the loop that the variable is declared in.
func (k *kept) ends(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		loop := k.fn.File.Loop(s)
		return s.Tok == token.CONTINUE && s.Label == nil && loop != nil && loop == k.fn.File.Loop(code.StmtList(k.life)[0])
	}
	return failure(k.p, k.fn, s) != ""
}

// excluded reports whether a use is in a branch that is not run if another is: the else of its condition, or
// another case.
func (k *kept) excluded(branch ast.Node, use *ast.Ident) bool {
	f := k.fn.File
	for child, up := branch, f.Parent(branch); child != k.life; child, up = up, f.Parent(up) {
		switch up := up.(type) {
		case *ast.IfStmt:
			if up.Body == child && code.Within(up.Else, use) {
				return true
			}
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if code.Within(up, use) {
				return true
			}
		}
	}
	return false
}
