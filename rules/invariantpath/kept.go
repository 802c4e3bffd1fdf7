package invariantpath

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// kept reports whether the fields and package variables that the path reads
// keep their values throughout the loop: nothing in it stores to them, under
// whatever name, and what it calls is known, or cannot change them either.
func (s *site) kept() bool {
	vars := s.memory()
	if code.Stores(s.p.TypesInfo, s.loop.Node(), vars, true) != nil {
		return false
	}
	if s.calls == known {
		return true // no code of the program runs but the loop's own
	}
	for _, v := range vars {
		if v.Exported() || v.Pkg() != s.p.Pkg || v.Origin() != v || code.Written(s.p.Index, s.p.TypesInfo, v, nil) {
			return false // elsewhere, or under another instance of its type
		}
	}
	if len(fields(vars)) > 0 && !s.p.Index.Whole() {
		return false
	}
	for _, f := range s.p.Files {
		if code.Stores(s.p.TypesInfo, f, fields(vars), false) != nil { // nobody has their addresses
			return false
		}
	}
	return true
}

// memory returns the fields and variables that the path reads and that others
// might change.
func (s *site) memory() (vars []*types.Var) {
	from := slices.Clone(s.call.Args)
	for _, def := range s.derived {
		from = append(from, def.Rhs[0])
	}
	for _, x := range from {
		for id := range code.All[*ast.Ident](x) {
			if v, ok := s.p.TypesInfo.ObjectOf(id).(*types.Var); ok && !code.Local(v) {
				vars = append(vars, v)
			}
		}
	}
	return vars
}

// fields leaves out the variables: these are part of nothing.
func fields(vars []*types.Var) (some []*types.Var) {
	for _, v := range vars {
		if v.IsField() {
			some = append(some, v)
		}
	}
	return some
}

// own reports whether nobody but the function itself can reach a local
// variable: neither is its address taken, nor a method with a pointer receiver
// called on it.
func (s *site) own(v *types.Var) bool {
	for _, use := range s.p.Index.Uses(v) {
		if !code.Writes(s.p.TypesInfo, use) {
			continue
		}
		if !plainly(use) {
			return false
		}
	}
	return true
}

// plainly reports whether a variable that is written is so by an assignment to
// it or to a field.
func plainly(use inspector.Cursor) bool {
	for c := use; c.Valid(); c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.SelectorExpr_X, edge.IndexExpr_X, edge.ParenExpr_X:
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return true
		default:
			return false
		}
	}
	return false
}
