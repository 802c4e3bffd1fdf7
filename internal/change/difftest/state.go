package difftest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A stateDecl is memory of the candidate that the base does not have, as its
// source shows it.
type stateDecl struct {
	model.State
	field    string // of a receiver; "" for a package variable
	owner    string // the type that has the field
	variable string
}

// states finds what the candidate adds: package variables that its functions
// write to or call methods of, and fields of types that both sides have.
func (c *comparison) states() []stateDecl {
	var out []stateDecl
	for _, d := range c.cand.sorted(varDecl) {
		v, ok := d.obj.(*types.Var)
		if !ok || c.base.decls[d.key] != nil || !c.cand.mutable(v) {
			continue
		}
		kind, bound := kindOf(v.Type(), "package variable")
		out = append(out, stateDecl{variable: d.key, State: model.State{
			At: d.file.pos(d.obj.Pos()), Name: d.key, Kind: kind, Bound: bound, Retained: -1, Instances: -1,
		}})
	}
	for _, typ := range slices.Sorted(maps.Keys(c.newFields)) {
		_, name, _ := strings.Cut(typ, ".")
		d := c.cand.decls[name]
		st, ok := d.obj.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if !slices.Contains(c.newFields[typ], f.Name()) {
				continue
			}
			kind, bound := kindOf(f.Type(), "field")
			out = append(out, stateDecl{field: f.Name(), owner: name, State: model.State{
				At: d.file.pos(f.Pos()), Name: name + "." + f.Name(), Kind: kind, Bound: bound, Retained: -1, Instances: -1,
			}})
		}
	}
	return out
}

func (f *file) pos(at token.Pos) model.Pos {
	return model.Pos{File: f.Name, Line: f.Line(at)}
}

// kindOf returns the word for the kind of state that a type makes, and what
// bounds it as far as the type says so.
func kindOf(t types.Type, other string) (kind, bound string) {
	if s := types.TypeString(t, nil); s == "sync.Pool" || s == "*sync.Pool" {
		return "pool", "the garbage collector empties it"
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return "map", ""
	case *types.Signature:
		return "closure", ""
	case *types.Array:
		return other, fmt.Sprintf("an array of %d", u.Len())
	case *types.Basic:
		if u.Kind() != types.String && u.Kind() != types.UnsafePointer {
			return other, "a number"
		}
	}
	if strings.HasPrefix(types.TypeString(t, nil), "sync.Map") {
		return "map", ""
	}
	return other, ""
}

// mutable reports whether functions of the package may write to a package
// variable, or to what it leads to: they assign to it or to a part, take its
// address, or call a method that may. A table that is only read is no state.
func (s *side) mutable(v *types.Var) bool {
	for _, d := range s.decls {
		if d.kind == funcDecl && s.writtenIn(d, v) {
			return true
		}
	}
	return false
}

// writtenIn reports whether one function may write to v itself.
func (s *side) writtenIn(d *decl, v *types.Var) bool {
	return d.fn.Body != nil && code.Any(d.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			return n.Op == token.AND && s.isPart(n.X, v)
		case *ast.CallExpr:
			return s.callWrites(n, v)
		}
		return slices.ContainsFunc(code.Assigned(n), func(e ast.Expr) bool { return s.isPart(e, v) })
	})
}

func (s *side) callWrites(n *ast.CallExpr, v *types.Var) bool {
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		if b, ok := s.info.Uses[fun].(*types.Builtin); ok {
			changes := b.Name() == "copy" || b.Name() == "delete" || b.Name() == "clear"
			return changes && len(n.Args) > 0 && s.isPart(n.Args[0], v)
		}
	case *ast.SelectorExpr:
		if m, ok := s.info.Uses[fun.Sel].(*types.Func); ok && s.isPart(fun.X, v) {
			r := m.Signature().Recv()
			if r == nil {
				return false
			}
			_, pointer := r.Type().(*types.Pointer)
			return pointer && !frozenType(v.Type())
		}
	}
	return false
}

// frozenType reports whether a type is known to hold no state that grows.
func frozenType(t types.Type) bool {
	switch strings.TrimPrefix(types.TypeString(t, nil), "*") {
	case "regexp.Regexp", "strings.Replacer", "encoding/base64.Encoding", "encoding/base32.Encoding", "encoding/binary.bigEndian", "math/big.Int", "time.Location":
		return true
	}
	return false
}

// isPart reports whether an expression is v or a part of it.
func (s *side) isPart(e ast.Expr, v *types.Var) bool {
	id := code.RootIdent(e)
	return id != nil && s.info.Uses[id] == v
}

// reached reports whether the function d gets to the declaration named key by
// names of its package.
func (s *side) reached(d *decl, key string) bool {
	return s.anyReached(d, func(to *decl) bool { return to.key == key })
}

// anyReached reports whether d, or what it gets to by names of its package, is of
// some kind.
func (s *side) anyReached(d *decl, is func(*decl) bool) bool {
	seen := make(map[*decl]bool)
	var visit func(d *decl) bool
	visit = func(d *decl) bool {
		if seen[d] {
			return false
		}
		seen[d] = true
		found := is(d)
		s.refs(d.node(), func(_ *ast.Ident, to *decl) { found = found || visit(to) })
		return found
	}
	return visit(d)
}
