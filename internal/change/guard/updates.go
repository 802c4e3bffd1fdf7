package guard

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// The updates are what the code of a program does to the numbers that live across calls.
type updates struct {
	p     *program
	isNew func(*types.Var) bool // state that only the candidate has; nil for none

	up, down       map[types.Object]map[string]bool // by how much: constants, "" for anything else
	reset, indexed map[types.Object]bool
	made           map[types.Object]bool       // by a literal with anything but a constant
	longer         map[types.Object]bool       // slices that constants are appended to
	left, right    map[string]bool             // shifted, by stateName
	falls          map[string]bool             // something is taken from it, or may be, by stateName
	passing        map[[2]types.Object]carried // what carries has found, and nothing while it looks
}

func updatesOf(p *program, isNew func(*types.Var) bool) *updates {
	s := &updates{
		p: p, isNew: isNew, up: make(map[types.Object]map[string]bool), down: make(map[types.Object]map[string]bool),
		reset: make(map[types.Object]bool), indexed: make(map[types.Object]bool), longer: make(map[types.Object]bool), made: make(map[types.Object]bool),
		left: make(map[string]bool), right: make(map[string]bool), falls: make(map[string]bool), passing: make(map[[2]types.Object]carried),
	}
	for _, u := range p.sorted() {
		for n := range all[ast.Node](u) {
			s.update(u, n)
		}
	}
	return s
}

// counters are what counts calls: what only goes up, and of new state what only goes down, too.
func (s *updates) counters() map[types.Object]bool {
	out := make(map[types.Object]bool)
	for o, by := range s.up {
		// What goes up and down is a depth, where it does so by the same steps, and an index that is reset a cursor.
		depth := s.down[o] != nil && (!s.added(o) || s.down[o][""] || maps.Equal(by, s.down[o]))
		if !depth && !(s.indexed[o] && s.reset[o]) {
			out[o] = true
		}
	}
	for o := range s.down {
		if s.up[o] == nil && !s.down[o][""] && !s.reset[o] && !s.made[o] && s.added(o) && !isLocal(o) {
			out[o] = true
		}
	}
	return out
}

// lengths are the slices whose length counts calls: each appends a constant.
func (s *updates) lengths() map[types.Object]bool {
	out := maps.Clone(s.longer)
	maps.DeleteFunc(out, func(o types.Object, _ bool) bool { return s.reset[o] || s.made[o] })
	return out
}

// shifted names what is shifted both ways.
func (s *updates) shifted() map[string]bool {
	out := maps.Clone(s.left)
	maps.DeleteFunc(out, func(name string, _ bool) bool { return !s.right[name] })
	return out
}

// added reports whether only the candidate has some state.
func (s *updates) added(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && s.isNew != nil && s.isNew(v)
}

// update notes what one node does to state: counts up or down, or sets it.
func (s *updates) update(u *unit, n ast.Node) {
	switch n := n.(type) {
	case *ast.IndexExpr:
		if o := stateOf(u, n.Index); o != nil {
			s.indexed[o] = true
		}
	case *ast.IncDecStmt:
		if o := stateOf(u, n.X); o != nil {
			s.step(o, n.Tok == token.INC, constant.MakeInt64(1))
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if o := stateOf(u, l); o != nil && n.Tok != token.DEFINE && len(n.Lhs) == len(n.Rhs) {
				s.assign(u, o, n.Tok, n.Rhs[i])
			}
		}
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok && constantOf(u.info(), n.Value) == nil {
			if v, ok := u.info().Uses[id].(*types.Var); ok && v.IsField() {
				s.made[v.Origin()] = true
			}
		}
	case *ast.CallExpr:
		if o, by := atomicAdd(u, n); o != nil {
			s.step(o, by != nil, by)
		}
	}
}

// step notes that state goes up or down by a constant; nil for what is none.
func (s *updates) step(o types.Object, up bool, by constant.Value) {
	name := ""
	if by != nil {
		if (by.Kind() == constant.Int || by.Kind() == constant.Float) && constant.Sign(by) < 0 {
			up, by = !up, constant.UnaryOp(token.SUB, by, 0)
		}
		name = by.ExactString()
	}
	to := s.up
	if !up {
		to, s.falls[s.p.stateName(o)] = s.down, true
	}
	if to[o] == nil {
		to[o] = make(map[string]bool)
	}
	to[o][name] = true
}

// assign notes what one assignment does.
func (s *updates) assign(u *unit, o types.Object, tok token.Token, e ast.Expr) {
	name, by := s.p.stateName(o), constantOf(u.info(), e)
	switch tok {
	case token.SHL_ASSIGN:
		s.left[name] = true
	case token.SHR_ASSIGN:
		s.right[name] = true
	}
	if tok != token.ASSIGN && tok != token.ADD_ASSIGN || code.Any(e, takes) || by != nil && by.String()[0] == '-' {
		s.falls[name] = true
	}
	switch {
	case tok == token.SUB_ASSIGN:
		s.step(o, false, by)
	case tok == token.ADD_ASSIGN && by != nil:
		s.step(o, true, by)
	case tok != token.ASSIGN && by != nil:
		s.step(o, true, nil)
	case tok == token.ASSIGN && s.onlyItself(u, e, o), tok != token.ASSIGN && s.added(o) && s.onlyItself(u, e, o):
		s.step(o, true, nil)
	case tok == token.ASSIGN && s.added(o) && appendsConstants(u, e, o):
		s.longer[o] = true
	case tok == token.ASSIGN:
		s.reset[o] = true
	}
}

// takes reports whether a node makes something less.
func takes(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.SUB || n.Op == token.XOR
	case *ast.BinaryExpr:
		return n.Op == token.SUB
	}
	return false
}

// appendsConstants reports whether an expression is a slice with constants appended.
func appendsConstants(u *unit, e ast.Expr, o types.Object) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !code.IsBuiltin(u.info(), c, "append") || len(c.Args) < 2 || stateOf(u, c.Args[0]) != o {
		return false
	}
	for _, a := range c.Args[1:] {
		if constantOf(u.info(), a) == nil {
			return false
		}
	}
	return true
}

// onlyItself reports whether an expression calculates with one variable and
// constants. A field that is taken over from another value of its type counts nothing.
// New state may come back through a local variable.
func (s *updates) onlyItself(u *unit, e ast.Expr, o types.Object) bool {
	if stateOf(u, e) == o {
		return false
	}
	if v := localOf(u, e); v != nil && s.added(o) {
		return s.carries(u, v, o) == more
	}
	itself := false
	return !code.Any(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !u.info().Types[n.Fun].IsType() && !(s.added(o) && passesOn(u, n))
		case *ast.Ident:
			v, ok := u.info().Uses[n].(*types.Var)
			if ok && (v.Origin() == o || s.added(o) && isLocal(v) && s.carries(u, v, o) != nothing) {
				itself = true
				return false
			}
			return ok && !(isLocal(v) && o.(*types.Var).IsField()) // the receiver before the field
		}
		return false
	}) && itself
}

// What a local variable carries of some state.
type carried int

const (
	nothing carried = iota
	as              // the state as it is
	more            // what was calculated with it and constants
)

// carries says what a local variable is set to of some state. Variables that are set to one another carry nothing by that.
func (s *updates) carries(u *unit, v *types.Var, o types.Object) carried {
	key := [2]types.Object{v, o}
	found, asked := s.passing[key]
	if !asked {
		s.passing[key] = nothing
		found = s.setTo(u, v, o)
		s.passing[key] = found
	}
	return found
}

func (s *updates) setTo(u *unit, v *types.Var, o types.Object) (found carried) {
	steps := false
	for n := range all[ast.Stmt](u) {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			steps = steps || localOf(u, n.X) == v
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if i >= len(n.Rhs) || localOf(u, l) != v {
					continue
				}
				steps = steps || n.Tok != token.DEFINE && n.Tok != token.ASSIGN
				switch from := localOf(u, n.Rhs[i]); {
				case stateOf(u, n.Rhs[i]) == o:
					found = max(found, as)
				case from != nil:
					found = max(found, s.carries(u, from, o))
				case s.onlyItself(u, n.Rhs[i], o):
					return more
				}
			}
		}
	}
	if steps && found == as {
		return more
	}
	return found
}

// localOf returns the local variable that an expression is, nil for any other.
func localOf(u *unit, e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	if v, ok := u.info().ObjectOf(id).(*types.Var); ok && isLocal(v) {
		return v
	}
	return nil
}

// passesOn reports whether what a call gives tells what it was given: the least of it, or its bits.
func passesOn(u *unit, c *ast.CallExpr) bool {
	return code.IsBuiltin(u.info(), c, "min") || code.IsBuiltin(u.info(), c, "max") || hasAnyPrefix(calleeName(u.info(), c), "math/bits.")
}

// atomicAdd returns what an atomic addition adds to, and the constant that it adds; nil for what is none.
func atomicAdd(u *unit, c *ast.CallExpr) (o types.Object, by constant.Value) {
	name := calleeName(u.info(), c)
	if len(c.Args) == 0 {
		return nil, nil
	}
	switch {
	case hasAnyPrefix(name, "sync/atomic.Add") && len(c.Args) == 2:
		if a, ok := ast.Unparen(c.Args[0]).(*ast.UnaryExpr); ok {
			return stateOf(u, a.X), constantOf(u.info(), c.Args[1])
		}
	case hasAnyPrefix(name, "(*sync/atomic.") && len(c.Args) == 1 && name[len(name)-4:] == ".Add":
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			return stateOf(u, sel.X), constantOf(u.info(), c.Args[0])
		}
	}
	return nil, nil
}
