package inline

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// splittable says why the rest of a function cannot be another one. It fills
// in the variables that the rest needs from the top.
func splittable(p *prove.Program, sp *split) *prove.Reason {
	if why := movable(p, sp.Function); why != nil {
		return why
	}
	if restStart(p, sp) > p.Offset(sp.rest[0].Pos()) {
		return prove.Refuse("the rest begins on the same line")
	}
	if why := moves(sp); why != nil {
		return why
	}
	return sp.borrow(p)
}

// movable says why what a function does cannot be another one with the same parameters.
func movable(p *prove.Program, fn *prove.Function) *prove.Reason {
	if why := prove.Editable(fn.File); why != nil {
		return why
	}
	sig := fn.Obj.Signature()
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return prove.Refuse("it is generic")
	}
	if why := pragma(p, fn); why != nil {
		return why
	}
	if fn.Decl.Recv != nil && len(fn.Decl.Recv.List[0].Names) == 0 {
		return prove.Refuse("it does not name its receiver")
	}
	for _, vars := range []*types.Tuple{sig.Params(), types.NewTuple(sig.Recv())} {
		for v := range vars.Variables() {
			if v != nil && (v.Name() == "" || v.Name() == "_") {
				return prove.Refuse("it does not name all its parameters")
			}
		}
	}
	return nil
}

// pragma says which directive speaks of the function.
func pragma(p *prove.Program, fn *prove.Function) *prove.Reason {
	if fn.Decl.Doc != nil {
		for _, c := range fn.Decl.Doc.List {
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//export ") {
				return prove.Refuse("it has the directive " + strings.Fields(c.Text)[0])
			}
		}
	}
	if p.Linked(fn) {
		return prove.Refuse("a go:linkname speaks of it")
	}
	return nil
}

// moves says what in a function is tied to it as a whole.
func moves(sp *split) *prove.Reason {
	info := sp.Info()
	for n := range code.All[ast.Node](sp.Decl.Body) {
		switch n := n.(type) {
		case *ast.DeferStmt:
			return prove.Refuse("it defers a call")
		case *ast.LabeledStmt:
			if code.Jumps(sp.Decl.Body) {
				return prove.Refuse("it uses goto")
			}
		case *ast.CallExpr:
			if code.Builtin(info, n) == "recover" {
				return prove.Refuse("it recovers")
			}
		case *ast.FuncLit:
			if n.Pos() < sp.rest[0].Pos() {
				return prove.Refuse("there is a function literal in its fast returns")
			}
		}
	}
	results := sp.Obj.Signature().Results()
	for v := range results.Variables() {
		for _, stmt := range sp.Decl.Body.List {
			if stmt.Pos() >= sp.rest[0].Pos() {
				break
			}
			head := stmt
			if n, ok := stmt.(*ast.IfStmt); ok {
				head = n.Init // the branch returns
			}
			if head != nil && code.WrittenIn(info, head, v) {
				return prove.Refuse("its fast returns set the result " + v.Name())
			}
		}
	}
	return nil
}

// borrow collects the variables of the top that the rest uses. They are handed
// over, so the top must not keep a hold on them.
func (sp *split) borrow(p *prove.Program) *prove.Reason {
	var why *prove.Reason
	info := sp.Info()
	sig := sp.Obj.Signature()
	for id := range code.All[*ast.Ident](sp.Decl.Body) {
		if id.Pos() < sp.rest[0].Pos() {
			continue
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() || !code.Within(sp.Decl.Body, sp.Declaration(v)) || v.Pos() >= sp.rest[0].Pos() {
			continue
		}
		if v.Pos() > sp.Decl.Body.Pos() && !slices.Contains(sp.extras, v) {
			sp.extras = append(sp.extras, v)
		}
	}
	for _, stmt := range sp.Decl.Body.List {
		if stmt.Pos() >= sp.rest[0].Pos() {
			break
		}
		for v := range sig.Params().Variables() {
			if code.AddressTaken(info, stmt, v) {
				why = prove.Refuse("its fast returns take the address of " + v.Name())
			}
		}
		for _, v := range sp.extras {
			if code.AddressTaken(info, stmt, v) {
				why = prove.Refuse("its fast returns take the address of " + v.Name())
			}
		}
	}
	return why
}

// stackBlind argues that nothing that the rest calls looks at how deep the
// stack is: there is one more frame now. The second result says what does.
func stackBlind(p *prove.Program, of *prove.Function) (model.Obligation, *prove.Reason) {
	o := model.Obligation{Text: "nothing looks at the callers of " + of.Obj.Name(), How: "assumed",
		Why: "nothing of the module that it calls asks for them; other modules do not count frames beyond their own caller"}
	for fn := range p.Reached(p.EdgesOf(of)) {
		if why := looksBack(p, fn); why != nil {
			return o, why
		}
	}
	return o, nil
}

// looksBack says which call in a function looks at its callers.
func looksBack(p *prove.Program, fn *prove.Function) *prove.Reason {
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		target := code.Callee(fn.Info(), call)
		if target == nil || target.Pkg() == nil {
			continue
		}
		switch path, name := target.Pkg().Path(), target.Name(); {
		case path == "runtime" && strings.HasPrefix(name, "Caller"), path == "runtime" && name == "Stack", path == "runtime/debug" && strings.HasSuffix(name, "Stack"),
			path == "testing", path == "log" && name == "Output", path == "log/slog":
			return prove.Refusef("%s looks at the callers (%s)", code.CallName(target), p.Pos(call.Pos()))
		}
	}
	return nil
}
