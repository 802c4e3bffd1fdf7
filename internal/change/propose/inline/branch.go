package inline

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

// minBranch is from how many nodes of syntax on a branch is more than a call of another function.
const minBranch = 12

// branchOf returns the one branch of a function that ends it and is the larger part of it: it makes an error, panics, or
// makes room. Nil if there is none, or what is left is too much to be inlined.
func branchOf(fn *prove.Function) (sp *split, branch *ast.IfStmt) {
	list := fn.Decl.Body.List
	size := nodes(fn.Decl.Body)
	for i, s := range list {
		n, ok := s.(*ast.IfStmt)
		if !ok || n.Else != nil || len(n.Body.List) == 0 || nodes(n.Body) < minBranch || size-nodes(n.Body) > maxFast {
			continue
		}
		last := i+1 == len(list) && fn.Obj.Signature().Results().Len() == 0
		if (last || leaves(fn.Info(), n.Body)) && code.Any(n.Body, func(call *ast.CallExpr) bool { return !fn.Info().Types[call.Fun].IsType() }) {
			sp, branch = &split{Function: fn, rest: n.Body.List}, n
		}
	}
	return sp, branch
}

// leaves reports whether a branch ends in a panic, or in a return that fails.
func leaves(info *types.Info, b *ast.BlockStmt) bool {
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return len(s.Results) > 0 && fails(info, s.Results[len(s.Results)-1])
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && code.Builtin(info, call) == "panic"
	}
	return false
}

func proposeBranch(p *prove.Program, sp *split, branch *ast.IfStmt) (*model.Change, *prove.Reason) {
	if why := sp.apart(p, branch); why != nil {
		return nil, why
	}
	stack, why := stackBlind(p, sp.Function)
	if why != nil {
		return nil, why
	}
	name := code.LowerName(sp.Obj.Name()) + "Slow"
	if !p.Free(sp.File.Pkg, name) {
		return nil, prove.Refuse("the name " + name + " is taken")
	}
	first, more := sp.handed(p)
	call, head := moved(p, sp.Function, name, first, more)
	f, old := sp.File, sp.Obj.Name()
	from, to := p.Offset(branch.Body.Lbrace)+1, p.Offset(branch.Body.Rbrace)
	if n := strings.IndexByte(string(f.Src[from:p.Offset(sp.rest[0].Pos())]), '\n'); n > 0 {
		from += n // a comment on the condition
	}
	body := strings.TrimSpace(string(f.Src[from:to]))
	text := fmt.Sprintf("// %s is what %s does in a branch that it seldom takes. It is apart\n// so that %s can be inlined.\n%s {\n%s\n}\n", name, old, old, head, body)
	edits, err := p.Settle([]model.Edit{p.Edit(f, from, to, "\n"+call+"\n"), p.Below(sp.Function, text)})
	if err != nil {
		return nil, prove.Refuse(err.Error())
	}
	return &model.Change{
		ID: prove.ChangeID("split-fast-path", sp.Obj.FullName()+" branch", edits), Kind: "split-fast-path", Class: "B",
		Title: fmt.Sprintf("%s: keep %s inlinable, move a branch of it to %s", f.Pkg.Name, old, name),
		Edits: edits, Inlines: &model.Declared{File: f.Name, Name: nameInNotes(sp.Function)},
		Obligations: []model.Obligation{
			{Text: "the same is done in the same order", How: "proven", Why: "the branch has the same variables, and the function ends with it; nothing is deferred in it"},
			stack,
		},
	}, nil
}

// apart says why a branch cannot be a function. It fills in the variables that the branch needs.
func (sp *split) apart(p *prove.Program, branch *ast.IfStmt) *prove.Reason {
	if why := movable(p, sp.Function); why != nil {
		return why
	}
	info, body := sp.Info(), branch.Body
	named := func(v *types.Var) bool { return v.Name() != "" && v.Name() != "_" }
	for n := range code.All[ast.Node](sp.Decl.Body) {
		switch n := n.(type) {
		case *ast.DeferStmt, *ast.LabeledStmt:
			return prove.Refuse("it defers a call, or has a label")
		case *ast.FuncLit:
			if !code.Within(body, n) {
				return prove.Refuse("there is a function literal beside the branch")
			}
		case *ast.CallExpr:
			if code.Builtin(info, n) == "recover" {
				return prove.Refuse("it recovers")
			}
		case *ast.ReturnStmt:
			if list := sp.Decl.Body.List; code.Within(body, n) && len(n.Results) == 0 && list[len(list)-1] != ast.Stmt(branch) {
				return prove.Refuse("the branch returns without a result, and the function would go on")
			}
		}
	}
	scope := sp.Obj.Pkg().Scope().Innermost(body.Lbrace)
	for _, v := range sp.given() {
		if _, means := scope.LookupParent(v.Name(), body.Lbrace); means != types.Object(v) {
			return prove.Refuse(v.Name() + " is another variable in the branch")
		}
	}
	for v := range sp.Obj.Signature().Results().Variables() {
		if named(v) && (code.WrittenIn(info, sp.Decl.Body, v) || code.Mentions(info, body, v)) {
			return prove.Refuse("the result " + v.Name() + " is set, or used in the branch")
		}
	}
	return sp.needs(body)
}

// given returns the receiver and the parameters, by whose names the branch is given them.
func (sp *split) given() (all []*types.Var) {
	if recv := sp.Obj.Signature().Recv(); recv != nil {
		all = append(all, recv)
	}
	return slices.AppendSeq(all, sp.Obj.Signature().Params().Variables())
}

// needs collects the variables of the function that the branch uses: they are copied, so that nothing may hold on to them.
func (sp *split) needs(body *ast.BlockStmt) *prove.Reason {
	info, seen := sp.Info(), map[*types.Var]bool{}
	for id := range code.All[*ast.Ident](body) {
		obj := info.Uses[id]
		v, ok := obj.(*types.Var)
		switch {
		case !ok && obj != nil && code.Declares(sp.Decl, obj) && !code.Declares(body, obj):
			return prove.Refuse(id.Name + ", which the branch names, is declared in the function")
		case !ok || v.IsField() || seen[v] || !code.Within(sp.Decl, sp.Declaration(v)) || code.Within(body, sp.Declaration(v)):
			continue
		}
		seen[v] = true
		if code.AddressTaken(info, sp.Decl.Body, v) {
			return prove.Refuse("the address of " + v.Name() + " is taken")
		}
		if v.Pos() > sp.Decl.Body.Pos() {
			if code.Locks(v.Type()) {
				return prove.Refuse(v.Name() + " must not be copied")
			}
			sp.extras = append(sp.extras, v)
		}
	}
	return nil
}
