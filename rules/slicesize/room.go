package slicesize

import (
	"go/ast"
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// deepest is how many functions of the package a slice is followed through.
const deepest = 3

// roomElsewhere reports whether a function of the package that gets the slice, or gets it back
// from this one, appends to it more than once, or lets it go to several. Whether one overwrites
// what another has added is then a matter of the room.
func (g *growth) roomElsewhere(fl *flow.Flow) bool {
	if fl.Obj != nil && fl.Results != 0 {
		for at := range g.p.Index.CallsOf(fl.Obj) {
			if g.receives(at, fl.Results) {
				return true
			}
		}
	}
	return g.given(fl, deepest)
}

// receives reports whether a variable that a call's results go to is appended to more than once.
func (g *growth) receives(call inspector.Cursor, results uint64) bool {
	assign, ok := call.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 {
		return false
	}
	for i, x := range assign.Lhs {
		if v := code.Var(g.p.TypesInfo, x); results&(1<<i) != 0 && code.Local(v) && g.several(call, v, deepest) {
			return true
		}
	}
	return false
}

// given reports whether a function of the package that gets the slice appends to it more than
// once.
func (g *growth) given(fl *flow.Flow, depth int) bool {
	for _, h := range fl.Calls {
		fd := g.p.Index.Decl(h.Fn)
		if fd == nil || h.Index < 0 {
			continue
		}
		at, ok := g.p.Index.Inspect.Root().FindNode(fd.Body)
		if v := h.Fn.Origin().Signature().Params().At(h.Index); ok && (depth == 0 || g.several(at, v, depth-1)) {
			return true
		}
	}
	return false
}

// several reports whether the function at a place appends to the slice in v more than once, or
// lets it go to several.
func (g *growth) several(at inspector.Cursor, v *types.Var, depth int) bool {
	if _, slice := v.Type().Underlying().(*types.Slice); !slice {
		return false
	}
	fl := flow.Of(flow.Funcs{}.Around(g.p.TypesInfo, at), flow.Source{Call: flow.Outside}, v)
	if fl.CapSeen || len(fl.Extends) > 1 || bits.OnesCount64(fl.Results)+len(fl.Leaks) > 1 {
		return true
	}
	for _, call := range fl.Extends {
		cur, ok := g.p.Index.Inspect.Root().FindNode(call)
		if _, looped := code.Loop(cur); !ok || looped && !again(g.p.TypesInfo, cur, v) {
			return true
		}
	}
	return g.given(fl, depth)
}

// again reports whether a call's result goes to v itself.
func again(info *types.Info, call inspector.Cursor, v *types.Var) bool {
	assign, ok := call.Parent().Node().(*ast.AssignStmt)
	return ok && len(assign.Lhs) == 1 && code.Var(info, assign.Lhs[0]) == v
}
