package cold

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Format moves a text that is formatted for one branch only into that branch.
var Format = prove.Transformation{
	Name:     "dead-format",
	Doc:      "A text or an error that is formatted of basic operands, and that one branch below alone looks at, is formatted in that branch.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "dead-format", "BenchmarkTotal", "allocs", "nothing is formatted where nothing fails", 0),
	// It looks at the lines of the target and of its module frames: the
	// allocation is attributed to package fmt's caller.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, d := range deadTextsAt(s.Program, s.Fn, s.At.Line) {
			c, why := proposeFormat(d)
			s.Add(d.v.Name()+" is formatted also where nothing looks at it", c, why)
		}
	}),
}

// A deadText is a variable that holds a formatted text, and the branch that
// alone looks at it.
type deadText struct {
	p      *prove.Program
	fn     *prove.Function
	def    *ast.AssignStmt
	call   *ast.CallExpr
	v      *types.Var
	branch []ast.Stmt
}

// deadTextsAt returns the texts that a line formats and that one branch alone
// looks at.
func deadTextsAt(p *prove.Program, fn *prove.Function, line int) []*deadText {
	var found []*deadText
	for def := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		if !p.Covers(def, line) || def.Tok != token.DEFINE || len(def.Lhs) != 1 {
			continue
		}
		call, ok := def.Rhs[0].(*ast.CallExpr)
		v, _ := fn.Info().Defs[def.Lhs[0].(*ast.Ident)].(*types.Var)
		if !ok || v == nil || !code.Formats(code.Callee(fn.Info(), call)) {
			continue
		}
		list := code.StmtList(fn.File.Parent(def))
		below := list[slices.Index(list, ast.Stmt(def))+1:]
		if branch := code.OnlyBranch(fn.Info(), below, v); branch != nil {
			found = append(found, &deadText{p: p, fn: fn, def: def, call: call, v: v, branch: branch})
		}
	}
	return found
}

func proposeFormat(d *deadText) (*model.Change, *prove.Reason) {
	fn, text := d.fn, types.ExprString(d.call.Fun)
	if code.Jumps(fn.Decl.Body) {
		return nil, prove.Refuse(fn.Obj.Name() + " uses goto")
	}
	if code.WrittenIn(fn.Info(), fn.Decl.Body, d.v) {
		return nil, prove.Refuse(d.v.Name() + " is given another value, or its address is taken")
	}
	for _, a := range d.call.Args {
		if why := d.operand(a); why != nil {
			return nil, why
		}
	}
	if name := code.Hidden(fn.Info(), fn.Obj.Pkg(), d.call, d.branch[0].Pos()); name != "" {
		return nil, prove.Refuse(name + " means something else in the branch")
	}
	edits, why := moved(d.p, fn.File, d.def, d.branch[0])
	if why != nil {
		return nil, why
	}
	return d.p.Change(fn, edits, model.Change{
		Kind:  "dead-format",
		Title: fmt.Sprintf("%s: format %s of %s only in the branch that looks at it", fn.File.Pkg.Name, d.v.Name(), fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "nothing but the branch looks at " + d.v.Name(), How: "proven", Why: "all uses stand in it, and it runs once at most after the definition"},
			{Text: "the text is the same there", How: "proven", Why: "its operands are constants and variables that keep their first value, of basic types without methods"},
			{Text: text + " has no effect and does not panic", How: "assumed", Why: "its documentation; no operand has a method that it could call"},
		},
	})
}

// operand says why an operand could print otherwise, or do something, in the
// branch.
func (d *deadText) operand(e ast.Expr) *prove.Reason {
	info, what := d.fn.Info(), types.ExprString(e)
	if v := info.Types[e].Value; v != nil {
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok && d.call.Fun != e && (n < 2 || n > 36) && d.isBase(e) {
			return prove.Refuse(what + " is no base: the call panics")
		}
		return nil
	}
	if d.isBase(e) {
		return prove.Refuse(what + " is a base that is not constant: the call may panic")
	}
	if _, ok := info.TypeOf(e).Underlying().(*types.Basic); !ok {
		return prove.Refuse(what + " is not of a basic type: it may change, or has methods that would be called later")
	}
	if types.NewMethodSet(types.NewPointer(info.TypeOf(e))).Len() > 0 {
		return prove.Refuse(what + " has methods, which would be called later")
	}
	return d.steady(e)
}

// isBase reports whether e is the base of a number.
func (d *deadText) isBase(e ast.Expr) bool {
	name := code.Callee(d.fn.Info(), d.call).Name()
	return (name == "FormatInt" || name == "FormatUint") && len(d.call.Args) == 2 && d.call.Args[1] == e
}

// steady says why an expression may have another value in the branch, or does
// more than compute.
func (d *deadText) steady(e ast.Expr) *prove.Reason {
	info, pure := d.fn.Info(), prove.Purity{Prog: d.p, Fn: d.fn, Call: d.call}
	what := types.ExprString(e)
	if info.Types[e].Value != nil {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if !pure.Stable(e) {
			return prove.Refuse(what + " may have another value in the branch")
		}
		return nil
	case *ast.UnaryExpr:
		if e.Op != token.AND && e.Op != token.ARROW {
			return d.steady(e.X)
		}
	case *ast.BinaryExpr:
		if slices.Contains([]token.Token{token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR}, e.Op) {
			if why := d.steady(e.X); why != nil {
				return why
			}
			return d.steady(e.Y)
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 && d.computes(e) {
			return d.steady(e.Args[0])
		}
	}
	return prove.Refuse(what + " may have another value in the branch, or do something")
}

// computes reports whether a call is a conversion between basic types, or asks
// for a length that only another value of the variable could change.
func (d *deadText) computes(call *ast.CallExpr) bool {
	info := d.fn.Info()
	of := info.TypeOf(call.Args[0]).Underlying()
	_, basic := of.(*types.Basic)
	_, slice := of.(*types.Slice)
	return basic && info.Types[call.Fun].IsType() || (basic || slice) && code.Builtin(info, call) == "len"
}
