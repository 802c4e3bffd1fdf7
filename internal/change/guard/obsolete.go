package guard

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// obsolete returns a warning for each changed function in which a mutex that was
// unlocked by defer is unlocked by hand: since Go 1.14 that saves a nanosecond,
// and it is not what it was when something panics.
func (p *pair) obsolete() []model.Warning {
	var warnings []model.Warning
	for _, u := range p.cand.sorted() {
		old := p.base.units[u.key]
		if old == nil || u.fn == nil || old.fn == nil || !p.differs(u) {
			continue
		}
		deferred, byHand := unlocks(old)
		stays, now := unlocks(u)
		for _, call := range slices.Sorted(maps.Keys(deferred)) {
			if stays[call] || byHand[call] || !now[call] {
				continue
			}
			warnings = append(warnings, model.Warning{
				Seen:  fmt.Sprintf("%s: %s is not deferred any more", u.name, call),
				Cause: "an obsolete idea: since Go 1.14 the compiler writes out defers at the ends of a function, and one costs about a nanosecond",
				Try:   "leave the defer: by hand, the mutex stays locked after a panic; pawl rules deferunlock",
			})
		}
	}
	return warnings
}

// unlocks returns the calls of Unlock and RUnlock of package sync in a function,
// as text: those that are deferred outside of loops, and those made by hand.
func unlocks(u *unit) (deferred, byHand map[string]bool) {
	deferred, byHand = make(map[string]bool), make(map[string]bool)
	var loops []ast.Node
	ast.Inspect(u.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops = append(loops, n)
		case *ast.DeferStmt:
			inLoop := slices.ContainsFunc(loops, func(l ast.Node) bool { return code.Within(l, n) })
			if isUnlock(u.info(), n.Call) && !inLoop {
				deferred[types.ExprString(n.Call)] = true
			}
			return false
		case *ast.CallExpr:
			if isUnlock(u.info(), n) {
				byHand[types.ExprString(n)] = true
			}
		}
		return true
	})
	return deferred, byHand
}

func isUnlock(info *types.Info, call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasSuffix(sel.Sel.Name, "Unlock") {
		return false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "sync"
}
