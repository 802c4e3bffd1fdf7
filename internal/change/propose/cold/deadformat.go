package cold

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Format moves a text that is formatted for one branch only into that branch.
type Format struct{ prove.SavesBoth }

// Name is the kind of the changes.
func (Format) Name() string { return "dead-format" }

// Doc describes the transformation.
func (Format) Doc() string {
	return "A text or an error that is formatted of basic operands, and that one branch below alone looks at, is formatted in that branch."
}

// Evidence is the proof that it pays.
func (Format) Evidence() *rule.Evidence {
	return prove.Evidence(proofs, "dead-format", "BenchmarkTotal", "allocs", "nothing is formatted where nothing fails", 0)
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

// Propose looks at the lines of the target and of its module frames: the
// allocation is attributed to package fmt's caller.
func (f Format) Propose(p *prove.Program, t model.Target) ([]model.Change, []prove.Refusal) {
	o := prove.Offers{Kind: f.Name(), Target: t}
	p.EachPlace(prove.Places(t, true), func(fn *prove.Function, at model.Pos) {
		for _, d := range deadTextsAt(p, fn, at.Line) {
			c, why := f.propose(d)
			o.Add(at, d.v.Name()+" is formatted also where nothing looks at it", c, why)
		}
	})
	return o.Changes, o.Refusals
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
		if !ok || v == nil || !formats(code.Callee(fn.Info(), call)) {
			continue
		}
		d := &deadText{p: p, fn: fn, def: def, call: call, v: v}
		if d.find() {
			found = append(found, d)
		}
	}
	return found
}

// formatters are the functions that make a text of values and do nothing else.
var formatters = map[string][]string{
	"fmt":     {"Sprintf", "Sprint", "Sprintln", "Errorf"},
	"strconv": {"Itoa", "FormatInt", "FormatUint", "FormatBool", "Quote"},
}

func formats(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && slices.Contains(formatters[fn.Pkg().Path()], fn.Name())
}

// find looks for the innermost branch below the definition that holds all uses,
// on a way without loops; it reports whether there is one.
func (d *deadText) find() bool {
	list := code.StmtList(d.fn.File.Parent(d.def))
	if i := slices.Index(list, ast.Stmt(d.def)); i >= 0 {
		list = list[i+1:]
	}
	for {
		with := slices.IndexFunc(list, func(s ast.Stmt) bool { return d.used(s) })
		if with < 0 || slices.ContainsFunc(list[with+1:], func(s ast.Stmt) bool { return d.used(s) }) {
			break
		}
		inner := d.inside(list[with])
		if inner == nil {
			break
		}
		d.branch, list = inner, inner
	}
	return d.branch != nil
}

// inside returns the one branch of a statement that looks at the text, nil if
// something else of it does too.
func (d *deadText) inside(s ast.Stmt) []ast.Stmt {
	var heads []ast.Node
	var branches [][]ast.Stmt
	switch s := s.(type) {
	case *ast.IfStmt:
		heads, branches = append(heads, s.Init, s.Cond), append(branches, s.Body.List)
		switch other := s.Else.(type) {
		case *ast.BlockStmt:
			branches = append(branches, other.List)
		case *ast.IfStmt:
			branches = append(branches, []ast.Stmt{other})
		}
	case *ast.SwitchStmt:
		heads = append(heads, s.Init, s.Tag)
		for _, c := range s.Body.List {
			clause := c.(*ast.CaseClause)
			branches = append(branches, clause.Body)
			for _, e := range clause.List {
				heads = append(heads, e)
			}
		}
	}
	if slices.ContainsFunc(heads, d.used) {
		return nil
	}
	var one []ast.Stmt
	for _, b := range branches {
		if !slices.ContainsFunc(b, func(s ast.Stmt) bool { return d.used(s) }) {
			continue
		}
		if one != nil {
			return nil
		}
		one = b
	}
	if len(one) == 1 { // else if: its own branches count, it has no room for a statement
		if elseIf, ok := one[0].(*ast.IfStmt); ok && d.fn.File.Parent(elseIf) == s {
			return d.inside(elseIf)
		}
	}
	return one
}

func (d *deadText) used(n ast.Node) bool {
	switch n := n.(type) {
	case nil:
		return false
	case ast.Expr, ast.Stmt:
		return code.Mentions(d.fn.Info(), n, d.v)
	}
	return false
}

func (f Format) propose(d *deadText) (*model.Change, *prove.Reason) {
	fn, text := d.fn, types.ExprString(d.call.Fun)
	if why := prove.Editable(fn.File); why != nil {
		return nil, why
	}
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
	if why := d.hidden(); why != nil {
		return nil, why
	}
	edits, why := d.edits()
	if why != nil {
		return nil, why
	}
	edits, err := d.p.Settle(edits)
	if err != nil {
		return nil, prove.Refuse(err.Error())
	}
	return &model.Change{
		ID: prove.ChangeID(f.Name(), fn.Obj.FullName(), edits), Kind: f.Name(), Class: "B",
		Title: fmt.Sprintf("%s: format %s of %s only in the branch that looks at it", fn.File.Pkg.Name, d.v.Name(), fn.Obj.Name()),
		Edits: edits, Obligations: []model.Obligation{
			{Text: "nothing but the branch looks at " + d.v.Name(), How: "proven", Why: "all uses stand in it, and it runs once at most after the definition"},
			{Text: "the text is the same there", How: "proven", Why: "its operands are constants and variables that keep their first value, of basic types without methods"},
			{Text: text + " has no effect and does not panic", How: "assumed", Why: "its documentation; no operand has a method that it could call"},
		},
	}, nil
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

// hidden says which name of the call means something else in the branch.
func (d *deadText) hidden() *prove.Reason {
	var why *prove.Reason
	at := d.branch[0].Pos()
	scope := d.fn.Obj.Pkg().Scope().Innermost(at)
	ast.Inspect(d.call, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			n = sel.X
		}
		id, ok := n.(*ast.Ident)
		if !ok || why != nil {
			return why == nil
		}
		if _, obj := scope.LookupParent(id.Name, at); obj != d.fn.Info().Uses[id] {
			why = prove.Refuse(id.Name + " means something else in the branch")
		}
		_, selected := d.fn.File.Parent(id).(*ast.SelectorExpr)
		return !selected
	})
	return why
}

// edits moves the lines of the definition, comments at their end included, to
// the beginning of the branch.
func (d *deadText) edits() ([]model.Edit, *prove.Reason) {
	f := d.fn.File
	start, end := d.p.LineOf(f, d.def)
	text := strings.TrimSpace(string(f.Src[start:end]))
	rest, ok := strings.CutPrefix(text, d.p.Source(f, d.def))
	if rest = strings.TrimSpace(rest); !ok || rest != "" && !strings.HasPrefix(rest, "//") {
		return nil, prove.Refuse("other code stands on its lines")
	}
	at := d.p.Offset(d.branch[0].Pos())
	return []model.Edit{d.p.Edit(f, start, end, ""), d.p.Edit(f, at, at, text+"\n")}, nil
}
