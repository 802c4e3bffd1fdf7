package copies

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A written says which buffers functions only write to.
type written struct {
	p    *prove.Program
	seen map[*types.Var]bool // parameters that were asked for
}

// writers are functions that write to their first argument, and do not keep it.
var writers = code.Set("fmt.Fprintf fmt.Fprint fmt.Fprintln io.WriteString encoding/binary.Write")

// use reports whether a use of a buffer writes to it, at once. With methods, it may be a call of any method.
func (w *written) use(fn *prove.Function, id *ast.Ident, methods bool) bool {
	f, info := fn.File, fn.Info()
	var e ast.Expr = id
	if prove.Addressed(f, id) {
		e = f.Parent(id).(ast.Expr)
	}
	call, ok := f.Parent(e).(*ast.CallExpr)
	sel, isSel := f.Parent(e).(*ast.SelectorExpr)
	if isSel {
		call, ok = f.Parent(sel).(*ast.CallExpr)
		ok = ok && call.Fun == sel && (methods || slices.Contains([]string{"Write", "WriteString", "WriteByte", "WriteRune", "Grow"}, sel.Sel.Name))
	}
	if !ok || f.Later(call) {
		return false
	}
	if isSel {
		return true
	}
	callee := code.Callee(info, call)
	if callee == nil {
		return false
	}
	if writers[callee.FullName()] {
		return call.Args[0] == e
	}
	known, index := w.p.Function(callee), slices.Index(call.Args, e)
	if known == nil || index < 0 || callee.Signature().Variadic() {
		return false
	}
	return w.only(known, callee.Signature().Params().At(index))
}

// only reports whether a function does nothing with a parameter but write to it.
func (w *written) only(fn *prove.Function, v *types.Var) bool {
	if w.seen[v] {
		return true
	}
	w.seen[v] = true
	return writer(v.Type()) != "" && !code.Any(fn.Decl.Body, func(id *ast.Ident) bool {
		return fn.Info().Uses[id] == v && (fn.File.Literal(id) != nil || !w.use(fn, id, false))
	})
}
