package cold

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

// Later makes a value where it is known to be needed: behind the returns that come without it, in the
// branch that alone uses it, or in the operand of && or || that does.
var Later = prove.Transformation{
	Name:     "make-later",
	Doc:      "A value that is made before it is needed is made later: behind the returns that come without it, in the branch that alone uses it, or in the operand of && or || that does. A branch in a loop makes it once.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "make-later", "BenchmarkCheck", "allocs", "nothing is made where nothing is wrong", 0),
	// It looks at the lines of the target and of its module frames: the allocation may be attributed to
	// what makes the value.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for stmt := range prove.On[ast.Stmt](s) {
			if e := earlyAt(s.Program, s.Fn, stmt); e != nil && (e.value != nil || s.Target.Resource == model.Allocs) {
				c, why := proposeLater(e)
				s.Add(e.v.Name()+" is made also where nothing uses it", c, why)
			}
		}
	}),
}

// An early is a value that is made early, and where it can be made later.
type early struct {
	p     *prove.Program
	fn    *prove.Function
	def   ast.Stmt
	v     *types.Var
	value ast.Expr // nil for var v T
	below []ast.Stmt
	place ast.Node   // before which it is made
	loop  bool       // the place is in a loop that the definition is not in: only the first time
	use   *ast.Ident // the one use, where an operand that is evaluated under a condition has it: it becomes the value
	where string
}

// earlyAt reads the definition of a value that is not needed on every way on; nil for other statements.
func earlyAt(p *prove.Program, fn *prove.Function, s ast.Stmt) *early {
	name, _, value := code.Declared(s)
	list := code.StmtList(fn.File.Parent(s))
	if name == nil || list == nil || name.Name == "_" {
		return nil
	}
	e := &early{p: p, fn: fn, def: s, value: value, below: list[slices.Index(list, s)+1:]}
	e.v, _ = fn.Info().Defs[name].(*types.Var)
	if e.v == nil || value != nil && !makes(fn.Info(), value) || value == nil && !referred(fn, e.v) || !e.finds() {
		return nil
	}
	return e
}

// referred reports whether something may keep the address of a variable, so that declaring it can allocate.
func referred(fn *prove.Function, v *types.Var) bool {
	return code.AddressTaken(fn.Info(), fn.Decl.Body, v) || code.Captured(fn.File.Pkg.Index(), fn.Info(), v)
}

// makes reports whether evaluating an expression makes something: what is only read or computed costs
// nothing where it stands.
func makes(info *types.Info, value ast.Expr) bool {
	if call, ok := value.(*ast.CallExpr); ok && code.Formats(code.Callee(info, call)) {
		return false // dead-format has it
	}
	return info.Types[value].Value == nil && code.Any(value, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.AND
		case *ast.BinaryExpr:
			return n.Op == token.ADD && code.IsString(info.TypeOf(n)) && info.Types[n].Value == nil
		case *ast.CompositeLit:
			_, isStruct := info.TypeOf(n).Underlying().(*types.Struct)
			return !isStruct && len(n.Elts) > 0
		case *ast.CallExpr:
			to := info.TypeOf(n).Underlying()
			_, slice := to.(*types.Slice)
			return !info.Types[n.Fun].IsType() && !slices.Contains([]string{"len", "cap", "min", "max"}, code.Builtin(info, n)) || slice && len(n.Args) == 1 && code.IsString(info.TypeOf(n.Args[0]))
		}
		return false
	})
}

// finds looks for the place at which the value is needed.
func (e *early) finds() bool {
	info := e.fn.Info()
	if branch := code.OnlyBranch(info, e.below, e.v); branch != nil {
		e.place, e.where = branch[0], "only in the branch that uses it"
		return true
	}
	if branch := e.branchInLoop(); branch != nil {
		if returnsOnce(branch) {
			e.place, e.where = branch[0], "only in the branch that uses it, which ends the function"
			return true
		}
		if notNil(info, e.v, e.value) && !code.WrittenIn(info, e.fn.Decl.Body, e.v) {
			e.place, e.loop, e.where = branch[0], true, "once, in the branch that uses it"
			return true
		}
	}
	if e.use = e.operand(); e.use != nil {
		e.place, e.where = e.use, "only where what is asked before does not decide"
		return true
	}
	first := slices.IndexFunc(e.below, func(s ast.Stmt) bool { return code.Mentions(info, s, e.v) })
	if first < 1 || !slices.ContainsFunc(e.below[:first], e.leaves) {
		return false
	}
	e.place, e.where = e.below[first], "behind the returns that come without it"
	return true
}

// operand returns the one use of the value, where it is in the right operand of && or ||; nil where it is not.
func (e *early) operand() *ast.Ident {
	info, f := e.fn.Info(), e.fn.File
	call, ok := e.value.(*ast.CallExpr)
	if !ok || !types.Identical(info.TypeOf(call), e.v.Type()) || f.Commented(e.def) {
		return nil
	}
	var uses []*ast.Ident
	for _, s := range e.below {
		uses = slices.AppendSeq(uses, prove.UsesIn(info, s, e.v))
	}
	if len(uses) != 1 || f.Loop(uses[0]) != f.Loop(e.def) || f.Literal(uses[0]) != f.Literal(e.def) {
		return nil
	}
	conditional := false
	for up := ast.Node(uses[0]); up != f.Parent(e.def); up = f.Parent(up) {
		switch at := f.Parent(up).(type) {
		case *ast.BinaryExpr:
			conditional = conditional || (at.Op == token.LAND || at.Op == token.LOR) && up == at.Y
		case *ast.UnaryExpr:
			if at.Op == token.AND {
				return nil
			}
		case *ast.ForStmt:
			return nil // its condition is asked again
		}
	}
	if !conditional {
		return nil
	}
	return uses[0]
}

// leaves reports whether a statement may end the list that the value is made in.
func (e *early) leaves(s ast.Stmt) bool {
	return code.Here(s, func(n ast.Stmt) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return n.Tok == token.CONTINUE && e.fn.File.Loop(n) == e.fn.File.Loop(e.def) || n.Label != nil
		}
		return false
	}) != nil
}

// branchInLoop returns the innermost branch that has all uses, where loops are on the way to it.
func (e *early) branchInLoop() []ast.Stmt {
	info, f := e.fn.Info(), e.fn.File
	var uses []*ast.Ident
	for _, s := range e.below {
		uses = slices.AppendSeq(uses, prove.UsesIn(info, s, e.v))
	}
	if len(uses) == 0 {
		return nil
	}
	for up := f.Parent(uses[0]); up != nil && up != f.Parent(e.def); up = f.Parent(up) {
		list := code.StmtList(up)
		beyond := slices.ContainsFunc(uses, func(id *ast.Ident) bool { return !code.Within(up, id) })
		if len(list) > 0 && !beyond && f.Conditional(up) && f.Loop(list[0]) != f.Loop(e.def) && f.Literal(list[0]) == f.Literal(e.def) {
			return list
		}
	}
	return nil
}

// notNil reports whether an expression makes a pointer or a map that is not nil: the variable says by itself
// whether it has been made.
func notNil(info *types.Info, v *types.Var, e ast.Expr) bool {
	switch v.Type().Underlying().(type) {
	case *types.Pointer, *types.Map:
	default:
		return false
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return e.Op == token.AND
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		b := code.Builtin(info, e)
		return b == "make" || b == "new" || constructs(code.Callee(info, e))
	}
	return false
}

// returnsOnce reports whether statements run once at most in a call of the function: they end with a return, and
// do not leave for another iteration before.
func returnsOnce(list []ast.Stmt) bool {
	_, ends := list[len(list)-1].(*ast.ReturnStmt)
	return ends && !slices.ContainsFunc(list, func(s ast.Stmt) bool { return code.Any(s, func(*ast.BranchStmt) bool { return true }) })
}

func proposeLater(e *early) (*model.Change, *prove.Reason) {
	fn := e.fn
	if code.Jumps(fn.Decl.Body) {
		return nil, prove.Refuse(fn.Obj.Name() + " uses goto")
	}
	obligations := []model.Obligation{
		{Text: "nothing needs " + e.v.Name() + " earlier", How: "proven", Why: "no statement between the two places mentions it"},
	}
	if e.value != nil {
		m := &movable{early: e, region: e.region()}
		if why := m.value(e.value); why != nil {
			return nil, why
		}
		obligations = append(obligations, model.Obligation{Text: "it is the same there", How: "proven",
			Why: "making it does nothing else and cannot panic, and what it is made of keeps its value up to there"})
		for _, says := range m.says {
			obligations = append(obligations, model.Obligation{Text: "making it later does not show", How: "assumed", Why: says})
		}
	}
	if e.loop {
		obligations = append(obligations, model.Obligation{Text: "there is one of it", How: "proven",
			Why: "it is made where it is nil, which it is not once it was made, and nothing else assigns to it"})
	}
	edits, why := e.edits()
	if why != nil {
		return nil, why
	}
	return e.p.Change(fn, edits, model.Change{
		Kind:        "make-later",
		Title:       fmt.Sprintf("%s: make %s of %s %s", fn.File.Pkg.Name, e.v.Name(), fn.Obj.Name(), e.where),
		Obligations: obligations,
	})
}

// region is what runs between the definition and the place: the statements from the one to that which has the
// other, whole.
func (e *early) region() *ast.BlockStmt {
	with := slices.IndexFunc(e.below, func(s ast.Stmt) bool { return code.Within(s, e.place) })
	list := e.below[:with+1]
	if e.below[with] == e.place {
		list = e.below[:with]
	}
	return &ast.BlockStmt{Lbrace: e.below[0].Pos(), List: list, Rbrace: list[len(list)-1].End() - 1}
}

// edits moves the definition, or leaves the declaration and makes the value at its place.
func (e *early) edits() ([]model.Edit, *prove.Reason) {
	f, p := e.fn.File, e.p
	if name := code.Hidden(e.fn.Info(), e.fn.Obj.Pkg(), e.def, e.place.Pos()); name != "" {
		return nil, prove.Refuse(name + " means something else there")
	}
	if e.use != nil {
		start, end := p.LineOf(f, e.def)
		rest, why := beside(p, f, e.def)
		if rest != "" {
			rest += "\n"
		}
		return []model.Edit{p.Edit(f, start, end, rest), p.Put(f, e.use.Pos(), e.use.End(), p.Source(f, e.value))}, why
	}
	if !e.loop {
		return moved(p, f, e.def, e.place.(ast.Stmt))
	}
	name := e.v.Name()
	return []model.Edit{
		p.Put(f, e.def.Pos(), e.def.End(), "var "+name+" "+p.TypeText(e.fn, e.v.Type(), nil)),
		p.Insert(f, e.place.Pos(), fmt.Sprintf("if %[1]s == nil {\n\t%[1]s = %[2]s\n}\n", name, p.Source(f, e.value))),
	}, nil
}

// beside returns the comment behind a definition, which may be empty.
func beside(p *prove.Program, f *prove.File, def ast.Stmt) (string, *prove.Reason) {
	start, end := p.LineOf(f, def)
	rest, ok := strings.CutPrefix(strings.TrimSpace(string(f.Src[start:end])), p.Source(f, def))
	if rest = strings.TrimSpace(rest); !ok || rest != "" && !strings.HasPrefix(rest, "//") {
		return "", prove.Refuse("other code stands on its lines")
	}
	return rest, nil
}

// moved moves the lines of a definition, with comments above and behind it, to before another statement.
func moved(p *prove.Program, f *prove.File, def, place ast.Stmt) ([]model.Edit, *prove.Reason) {
	start, end := p.LineOf(f, def)
	if _, why := beside(p, f, def); why != nil {
		return nil, why
	}
	text := strings.TrimSpace(string(f.Src[start:end]))
	at := p.Offset(place.Pos())
	for _, g := range f.Syntax.Comments {
		s, stop := p.LineOf(f, g)
		if strings.TrimSpace(string(f.Src[s:p.Offset(g.Pos())])) != "" {
			continue
		}
		if stop == start {
			start, text = s, strings.TrimSpace(string(f.Src[s:end]))
		}
		if placed, _ := p.LineOf(f, place); stop == placed && s > end {
			at = p.Offset(g.Pos())
		}
	}
	return []model.Edit{p.Edit(f, start, end, ""), p.Edit(f, at, at, text+"\n")}, nil
}
