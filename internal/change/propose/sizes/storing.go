package sizes

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// storing are the methods of the standard library that store one key of a map, their first argument. Those that add to a
// list of values are for lists that mostly have one.
var storing = code.Set("(net/http.Header).Add (net/http.Header).Set (net/textproto.MIMEHeader).Add (net/textproto.MIMEHeader).Set " +
	"(net/url.Values).Add (net/url.Values).Set")

// addition is additionIn, also for a call of a method that stores one entry of a map.
func (c counter) addition(s ast.Stmt) (addition, bool) {
	if a, ok := additionIn(c.fn.Info(), s); ok {
		return a, true
	}
	expr, ok := s.(*ast.ExprStmt)
	if !ok {
		return addition{}, false
	}
	call, ok := expr.X.(*ast.CallExpr)
	if !ok {
		return addition{}, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	target := code.Callee(c.fn.Info(), call)
	if !ok || target == nil || target.Signature().Recv() == nil || c.fn.Info().TypeOf(sel.X) == nil {
		return addition{}, false
	}
	if _, isMap := code.Core(c.fn.Info().TypeOf(sel.X)).(*types.Map); !isMap {
		return addition{}, false
	}
	i, again := storesOne(c.p, target)
	if i < 0 || i >= len(call.Args) {
		return addition{}, false
	}
	return addition{to: sel.X, n: 1, key: call.Args[i], again: again}, true
}

// storesOne returns the parameter of a method on a map that is the key of the one entry that it stores, -1 for others; and
// whether it looks at the map, too.
func storesOne(p *prove.Program, target *types.Func) (key int, again bool) {
	if storing[target.FullName()] {
		return 0, false
	}
	fn := p.Function(target)
	if fn == nil || fn.Obj.Signature().Recv() == nil || fn.Obj.Signature().Variadic() {
		return -1, false
	}
	info, recv, found := fn.Info(), fn.Obj.Signature().Recv(), 0
	key = -1
	for s := range code.All[ast.Stmt](fn.Decl.Body) {
		a, ok := additionIn(info, s)
		if !ok || a.key == nil || code.Var(info, a.to) != recv {
			continue
		}
		if found++; found > 1 || fn.File.Loop(s) != nil || fn.File.Literal(s) != nil {
			return -1, false
		}
		again = a.again
		for id := range code.All[*ast.Ident](a.key) {
			if i := code.ParameterIndex(fn.Obj.Signature(), code.Var(info, id)); i >= 0 {
				key = i
			}
		}
	}
	uses := 0
	for range prove.UsesIn(info, fn.Decl.Body, recv) {
		uses++
	}
	return key, again || uses > found
}

// storedFor is the place that calls the target's function, where that is a method that stores one entry of a map.
func storedFor(p *prove.Program, t model.Target) []model.Pos {
	fn := p.FunctionAt(t.At)
	if fn == nil {
		return nil
	}
	if key, _ := storesOne(p, fn.Obj); key < 0 {
		return nil
	}
	frames := prove.Frames(t)
	if i := slices.Index(frames, model.Pos{File: t.At.File, Line: t.At.Line}); i >= 0 && i+1 < len(frames) {
		return frames[i+1 : i+2]
	}
	return nil
}
