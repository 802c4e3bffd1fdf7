package loops

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

// CopyLoop copies or appends at once what a loop takes over element by element.
var CopyLoop = prove.Transformation{
	Name:     "copy-loop",
	Doc:      "A loop that stores each element of a slice in a new one, or appends it there, is a copy, or one append.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "copy-loop", "BenchmarkClone", "cpu", "memory is moved at once instead of element by element", 0),
	// It looks at the loops around the lines of the target and of its module's frames.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, stmt := range loopsAt(s.Program, s.Fn, s.At.Line) {
			if t := takeover(s.Fn, stmt); t != nil {
				t.p = s.Program
				c, why := t.propose()
				s.AddAt(s.Pos(stmt.Pos()), "a loop takes over one element at a time", c, why)
			}
		}
	}),
}

// A taking is a loop that takes the elements of src over to dst.
type taking struct {
	p        *prove.Program
	fn       *prove.Function
	loop     ast.Stmt
	src      ast.Expr
	dst      *ast.Ident
	appended bool
}

// takeover reads such a loop; nil for others.
func takeover(fn *prove.Function, loop ast.Stmt) *taking {
	src, index, element := elements(fn.Info(), loop)
	body := code.Body(loop)
	if src == nil || len(body.List) != 1 {
		return nil
	}
	set, ok := body.List[0].(*ast.AssignStmt)
	if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
		return nil
	}
	t, info := &taking{fn: fn, loop: loop, src: src}, fn.Info()
	is := func(x ast.Expr) bool { // the element that it is the turn of
		if at, ok := x.(*ast.IndexExpr); ok {
			return index != nil && prove.IsUseOf(info, at.Index, index) && code.SameVariable(info, at.X, src)
		}
		return element != nil && prove.IsUseOf(info, x, element)
	}
	switch to := set.Lhs[0].(type) {
	case *ast.IndexExpr:
		t.dst, _ = to.X.(*ast.Ident)
		if index == nil || !prove.IsUseOf(info, to.Index, index) || !is(set.Rhs[0]) {
			return nil
		}
	case *ast.Ident:
		call, ok := set.Rhs[0].(*ast.CallExpr)
		if !ok || !code.IsBuiltin(info, call, "append") || len(call.Args) != 2 || call.Ellipsis.IsValid() || !is(call.Args[1]) || !code.SameVariable(info, call.Args[0], to) {
			return nil
		}
		t.dst, t.appended = to, true
	}
	if t.dst == nil || !sameElements(info.TypeOf(t.dst), info.TypeOf(src)) {
		return nil
	}
	return t
}

// elements reads the head of a loop over all elements of a slice, with its variables for the index and the element.
func elements(info *types.Info, loop ast.Stmt) (src ast.Expr, index, element types.Object) {
	def := func(x ast.Expr) types.Object {
		if id, ok := x.(*ast.Ident); ok {
			return info.Defs[id]
		}
		return nil
	}
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		return loop.X, def(loop.Key), def(loop.Value)
	case *ast.ForStmt:
		i, end := code.CountsUp(info, loop)
		length, ok := end.(*ast.CallExpr)
		if i == nil || len(loop.Init.(*ast.AssignStmt).Lhs) != 1 || !ok || !code.IsBuiltin(info, length, "len") {
			return nil, nil, nil
		}
		return length.Args[0], i, nil
	}
	return nil, nil, nil
}

// sameElements reports whether two types are slices of the same elements.
func sameElements(a, b types.Type) bool {
	x, ok := code.Core(a).(*types.Slice)
	y, also := code.Core(b).(*types.Slice)
	return ok && also && types.Identical(x.Elem(), y.Elem())
}

func (t *taking) propose() (*model.Change, *prove.Reason) {
	f, info := t.fn.File, t.fn.Info()
	if why := prove.Editable(f); why != nil {
		return nil, why
	}
	from, dst := code.Var(info, t.src), code.Var(info, t.dst)
	switch {
	case from == nil || !code.Local(from) || !code.Local(dst) || from == dst:
		return nil, prove.Refuse("it is not from one local variable to another")
	case f.Commented(t.loop):
		return nil, prove.Refuse("there is a comment within the loop")
	case !code.Predeclared(t.fn.Obj.Pkg(), t.loop.Pos(), "copy", "append"):
		return nil, prove.Refuse("copy or append means something else there")
	}
	if why := t.apart(from, dst); why != nil {
		return nil, why
	}
	text, how := fmt.Sprintf("copy(%s, %s)", dst.Name(), from.Name()), "it is made with the length of "+from.Name()
	if t.appended {
		text, how = fmt.Sprintf("%[1]s = append(%[1]s, %s...)", dst.Name(), from.Name()), "append makes room for all, as it does for one after the other"
	}
	obligations := []model.Obligation{
		{Text: dst.Name() + " holds all of them", How: "proven", Why: how},
		{Text: "nothing is read that has been written", How: "proven", Why: dst.Name() + " is new, and nothing else refers to it until the loop is over"},
	}
	if t.appended {
		obligations = append(obligations, model.Obligation{Text: "nobody counts on room behind the elements", How: "assumed", Why: "the language leaves open how much append makes; the function does not look"})
	}
	edits := []model.Edit{t.p.Put(f, t.loop.Pos(), t.loop.End(), text)}
	return t.p.Change(t.fn, edits, model.Change{
		Kind:        "copy-loop",
		Title:       fmt.Sprintf("%s: take over all of %s at once in %s", f.Pkg.Name, from.Name(), t.fn.Obj.Name()),
		Obligations: obligations,
	})
}

// apart says why the two may share memory, or why dst may be too short.
func (t *taking) apart(from, dst *types.Var) *prove.Reason {
	f, info, body := t.fn.File, t.fn.Info(), t.fn.Decl.Body
	around := t.outer(dst)
	var made ast.Expr
	declared, times := false, 0
	for id := range code.All[*ast.Ident](body) {
		again := around != nil && code.Within(around, id) && id.Pos() > t.loop.End() // in the iteration before
		if info.ObjectOf(id) != types.Object(dst) || code.Within(t.loop, id) || id.Pos() > t.loop.Pos() && !again {
			continue
		}
		value, fresh := t.given(id)
		if !fresh || again {
			return prove.Refusef("something else may refer to %s (%s)", dst.Name(), t.p.Pos(id.Pos()))
		}
		made, times, declared = value, times+1, declared || info.Defs[id] != nil
	}
	changes := func(n ast.Node) bool { return code.Reassigned(info, n, from) }
	switch {
	case !declared || code.Any(body, func(lit *ast.FuncLit) bool { return code.Within(lit, t.loop) && !code.Declares(lit, dst) }):
		return prove.Refusef("something else may refer to %s, which is not declared in the same function", dst.Name())
	case code.Any(body, func(b *ast.BranchStmt) bool { return b.Tok == token.GOTO }):
		return prove.Refuse(t.fn.Obj.Name() + " uses goto")
	case t.appended:
		return t.p.ShowsRoom(&prove.Shared{File: f, Flow: t.p.FlowOf(t.fn, dst), Is: func(to ast.Expr) bool { return code.Var(info, to) == dst }})
	case times > 1 || around != nil || !lengthOf(info, made, from):
		return prove.Refuse(dst.Name() + " may be shorter")
	case code.AddressTaken(info, body, from) || code.Any(body, func(lit *ast.FuncLit) bool { return changes(lit) }):
		return prove.Refuse(from.Name() + " may have another length")
	}
	list := code.StmtList(f.Parent(t.loop))
	for _, s := range list[:max(0, slices.Index(list, t.loop))] {
		if s.Pos() > dst.Pos() && changes(s) {
			return prove.Refusef("%s may have another length (%s)", from.Name(), t.p.Pos(s.Pos()))
		}
	}
	if !slices.ContainsFunc(list, func(s ast.Stmt) bool { return code.Within(s, made) }) {
		return prove.Refuse(dst.Name() + " is made in other statements than those of the loop")
	}
	return nil
}

// lengthOf reports whether a make is of as many elements as a slice has.
func lengthOf(info *types.Info, made ast.Expr, slice *types.Var) bool {
	call, ok := made.(*ast.CallExpr)
	if !ok || !code.IsBuiltin(info, call, "make") || len(call.Args) < 2 {
		return false
	}
	n, ok := call.Args[1].(*ast.CallExpr)
	return ok && code.IsBuiltin(info, n, "len") && code.Var(info, n.Args[0]) == slice
}

// outer returns the body of the outermost loop around this one that does not declare a variable, nil if there is none.
func (t *taking) outer(v *types.Var) (around *ast.BlockStmt) {
	for l := t.fn.File.Loop(t.loop); l != nil && !code.Declares(l, v); l = t.fn.File.Loop(t.fn.File.Parent(l)) {
		around = l
	}
	return around
}

// given returns what a mention of the new slice gives to it, if that is new memory.
func (t *taking) given(id *ast.Ident) (value ast.Expr, fresh bool) {
	info := t.fn.Info()
	switch up := t.fn.File.Parent(id).(type) {
	case *ast.ValueSpec:
		if len(up.Values) == 0 {
			return nil, true
		}
		if len(up.Values) == len(up.Names) && len(up.Names) == 1 {
			value = up.Values[0]
		}
	case *ast.AssignStmt:
		if len(up.Lhs) == 1 && len(up.Rhs) == 1 && up.Lhs[0] == ast.Expr(id) {
			value = up.Rhs[0]
		}
	}
	switch v := value.(type) {
	case *ast.CallExpr:
		return value, code.IsBuiltin(info, v, "make")
	case *ast.CompositeLit:
		return value, true
	}
	return value, value != nil && code.IsNil(info, value)
}
