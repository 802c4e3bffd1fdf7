package sizes

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// elements reads how often a loop runs: from a call where one says so, else as
// iterations does, or steps.
func (c counter) elements(s ast.Stmt) (part, *prove.Reason) {
	if of := c.asked(s); of != nil {
		return c.computed(s, of)
	}
	of, text, why := c.iterations(s)
	if loop, ok := s.(*ast.ForStmt); ok && why != nil {
		if one := c.steps(loop); one.of != nil {
			return one, nil
		}
	}
	return part{of: of, text: text, stmt: s}, why
}

// asked returns the call in the head of a loop whose result says how often it
// runs, or is what it ranges over; nil if there is none.
func (c counter) asked(s ast.Stmt) *ast.CallExpr {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.RangeStmt:
		x = s.X
	case *ast.ForStmt:
		x = c.counted(s)
	}
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || c.fn.Info().Types[call.Fun].IsType() || code.Builtin(c.fn.Info(), call) != "" {
		return nil
	}
	return call
}

// computed is the part of a loop that a call decides about. A number is asked for
// once more before the loop; what is ranged over is kept in a variable.
func (c counter) computed(s ast.Stmt, of *ast.CallExpr) (part, *prove.Reason) {
	info := c.fn.Info()
	one := part{of: of, stmt: s, found: true}
	switch t := code.Core(info.TypeOf(of)).(type) {
	case *types.Slice, *types.Map:
		if one.bound = code.FirstFree(c.fn.Decl, code.LowerName(resultName(info, of)), "list", "elements", "entries"); one.bound == "" {
			return one, prove.Refuse("no name is free for what " + types.ExprString(of) + " returns")
		}
		one.text = "len(" + one.bound + ")"
		return one, nil
	case *types.Basic:
		if t.Info()&types.IsInteger == 0 || !c.p.Counts(c.fn, of) {
			break
		}
		one.text = c.p.Source(c.fn.File, of)
		if t.Kind() != types.Int {
			one.text = "int(" + one.text + ")"
		}
		return one, nil
	case *types.Signature:
		if one.text = c.pieces(of); one.text != "" {
			return one, nil
		}
	}
	return one, prove.Refuse("it is not known whether " + types.ExprString(of) + " only says how many elements something has")
}

// pieces writes how many pieces strings.SplitSeq cuts a variable into at a constant; empty
// for other calls.
func (c counter) pieces(call *ast.CallExpr) string {
	info := c.fn.Info()
	fn := code.Callee(info, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || fn.FullName() != "strings.SplitSeq" || !ok || code.Var(info, call.Args[0]) == nil {
		return ""
	}
	if v := info.Types[call.Args[1]].Value; v == nil || constant.StringVal(v) == "" {
		return ""
	}
	return fmt.Sprintf("%s.Count(%s, %s)+1", c.p.Source(c.fn.File, sel.X), c.p.Source(c.fn.File, call.Args[0]), c.p.Source(c.fn.File, call.Args[1]))
}

// resultName names what a call returns: "MapKeys" for v.MapKeys().
func resultName(info *types.Info, call *ast.CallExpr) string {
	if fn := code.Callee(info, call); fn != nil {
		return fn.Name()
	}
	return "list"
}

// told reports whether a number of iterations is what a call says it is.
func (t total) told() bool {
	return slices.ContainsFunc(t.parts, func(one part) bool { return one.found && one.bound == "" })
}

// here is at for a part. What a call returns is there where the loop asks for it,
// which is right before its first iteration.
func (s *sized) here(one part, from, to int) *prove.Reason {
	if one.bound != "" && s.list[from] != one.stmt {
		return prove.Refuse("what " + types.ExprString(one.of) + " returns is not there yet where it is made")
	}
	if one.found && s.mentions(one.of) > 0 {
		return prove.Refuse(types.ExprString(one.of) + " looks at it")
	}
	return s.at(one.of, from, to)
}

// binding puts text before a statement, behind the variables that it reads.
func (s *sized) binding(text string, before ast.Stmt) []model.Edit {
	var edits []model.Edit
	f := s.fn.File
	for _, one := range s.parts {
		if one.bound != "" {
			start, end := s.p.Offset(one.of.Pos()), s.p.Offset(one.of.End())
			text = one.bound + " := " + string(f.Src[start:end]) + "\n" + text
			edits = append(edits, s.p.Edit(f, start, end, one.bound))
		}
	}
	return append(edits, s.p.Insert(f, before.Pos(), text))
}
