package guard

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// states asks what memory lives across calls that the base does not have, and what
// bounds it.
type states struct{ *pair }

// newState names memory that lives across calls and that the base does not
// have, or that functions newly write.
func (p states) newState() {
	written := p.written()
	for _, lp := range p.cand.pkgs {
		if !p.cand.changed[lp.PkgPath] {
			continue
		}
		for _, name := range lp.Types.Scope().Names() {
			switch o := lp.Types.Scope().Lookup(name).(type) {
			case *types.Var:
				p.packageState(o, written)
			case *types.TypeName:
				p.fieldState(o, written)
			}
		}
	}
	for _, u := range p.cand.sorted() {
		if p.differs(u) {
			p.closures(u)
		}
	}
}

// A write is where a piece of state is written.
type write struct {
	unit *unit
	fact fact
}

// written returns who writes what, functions that only run before main aside.
func (p states) written() map[string][]write {
	out := make(map[string][]write)
	for _, u := range p.cand.sorted() {
		if u.init {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(u.facts)) {
			if name, ok := strings.CutPrefix(key, "write "); ok {
				for _, f := range u.facts[key] {
					out[name] = append(out[name], write{u, f})
				}
			}
		}
	}
	return out
}

// packageState reports a package variable that is new and written, or newly
// written.
func (p states) packageState(v *types.Var, written map[string][]write) {
	name := p.cand.stateName(v)
	old := p.base.lookup(v.Pkg().Path(), v.Name())
	if old == nil {
		w := written[name]
		mutable := keepsByItself(v.Type()) || p.fieldsWritten(v.Type(), written)
		if len(w) > 0 || mutable {
			p.state(v, kindOf(v.Type(), "package variable"), p.bound(v, w), "a new package variable that functions write: it lives across calls")
		}
		return
	}
	for _, w := range written[name] {
		if p.differs(w.unit) && len(p.fresh(w.unit, "write "+name)) > 0 {
			p.stateAt(v, p.cand.pos(w.fact.at), kindOf(v.Type(), "package variable"), p.bound(v, written[name]),
				w.unit.name+" writes "+v.Name()+", which it did not in the base", w.fact.node)
			return
		}
	}
}

// fieldState reports the fields of a type of the base that are new and
// written by more than what makes a value, or that a function writes which
// wrote nothing of the type.
func (p states) fieldState(tn *types.TypeName, written map[string][]write) {
	st, ok := tn.Type().Underlying().(*types.Struct)
	if !ok || tn.IsAlias() || p.base.lookup(tn.Pkg().Path(), tn.Name()) == nil {
		return
	}
	prefix := tn.Pkg().Path() + "." + tn.Name() + "."
	for f := range st.Fields() {
		name := p.cand.stateName(f)
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		w := p.writesBelow(name, written)
		if !p.base.hasField(name) {
			if len(w) > 0 || keepsByItself(f.Type()) || p.fieldsWritten(f.Type(), written) {
				p.state(f, kindOf(f.Type(), "field"), p.bound(f, w), "a new field of "+tn.Name()+" that functions write: it lives as long as the value")
			}
			continue
		}
		for _, w := range w {
			if p.differs(w.unit) && len(p.fresh(w.unit, "write "+name)) > 0 && !p.wroteBefore(w.unit, prefix) {
				p.stateAt(f, p.cand.pos(w.fact.at), kindOf(f.Type(), "field"), p.bound(f, written[name]),
					w.unit.name+" writes "+tn.Name()+"."+f.Name()+", and wrote nothing of "+tn.Name()+" in the base", w.fact.node)
				break
			}
		}
	}
}

// writesBelow returns the writes of a field and of the fields of a struct
// without a name in it.
func (p states) writesBelow(name string, written map[string][]write) []write {
	out := slices.Clone(written[name])
	for other, w := range written {
		if strings.HasPrefix(other, name+".") {
			out = append(out, w...)
		}
	}
	return out
}

// wroteBefore reports whether a unit wrote any field of a type in the base,
// itself or through what it called. A function that the base does not have did
// so when all did that now call it, and others wrote the type.
func (p states) wroteBefore(u *unit, prefix string) bool {
	if old := p.base.units[u.key]; old != nil {
		return p.writesType(old, prefix, 2)
	}
	if u.obj == nil {
		return false
	}
	for _, w := range p.cand.sorted() {
		old := p.base.units[w.key]
		if w.facts["use "+objectName(u.obj)] != nil && old != nil && !p.writesType(old, prefix, 2) {
			return false
		}
	}
	for _, old := range p.base.units {
		if old.writes(prefix) && !constructorName.MatchString(old.name) {
			return true
		}
	}
	return false
}

func (u *unit) writes(prefix string) bool {
	return oneIs(u.facts, func(key string) bool { return strings.HasPrefix(key, "write "+prefix) })
}

// writesType reports whether a unit of the base writes fields of a type, or
// calls what does, depth calls away.
func (p states) writesType(u *unit, prefix string, depth int) bool {
	if u.writes(prefix) {
		return true
	}
	for key := range u.facts {
		if name, ok := strings.CutPrefix(key, "use "); ok && depth > 0 {
			if v := p.base.decls[name]; v != nil && v != u && p.writesType(v, prefix, depth-1) {
				return true
			}
		}
	}
	return false
}

// lookup returns a package-level object of a loaded package, or nil.
func (p *program) lookup(pkg, name string) types.Object {
	for _, lp := range p.pkgs {
		if lp.PkgPath == pkg {
			return lp.Types.Scope().Lookup(name)
		}
	}
	return nil
}

func (p *program) hasField(name string) bool {
	for _, n := range p.fields {
		if n == name {
			return true
		}
	}
	return false
}

// fieldsWritten reports whether functions write the fields of a struct of the module, or of what new fields of it have, to which a
// type is or leads. Of an interface, new types count that have its methods.
func (p states) fieldsWritten(t types.Type, written map[string][]write) bool {
	return p.deepWritten(t, written, map[types.Type]bool{})
}

func (p states) deepWritten(t types.Type, written map[string][]write, seen map[types.Type]bool) bool {
	t = types.Unalias(code.Pointee(t))
	if seen[t] {
		return false
	}
	seen[t] = true
	if iface, ok := t.Underlying().(*types.Interface); ok {
		return iface.NumMethods() > 0 && slices.ContainsFunc(p.newTypes(), func(n *types.Named) bool {
			return types.Implements(types.NewPointer(n), iface) && (p.deepWritten(n, written, seen) || p.methodWrites(n))
		})
	}
	named, ok := t.(*types.Named)
	if !ok || !p.cand.mine(named.Obj()) {
		return false
	}
	prefix := named.Obj().Pkg().Path() + "." + named.Obj().Name() + "."
	if oneIs(written, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		return true
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if !p.base.hasField(p.cand.stateName(f)) && (keepsByItself(f.Type()) || p.deepWritten(f.Type(), written, seen)) {
				return true
			}
		}
	}
	return false
}

// newTypes returns the types of changed packages that the base does not have.
func (p states) newTypes() (out []*types.Named) {
	for _, lp := range p.cand.pkgs {
		for _, name := range lp.Types.Scope().Names() {
			tn, ok := lp.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || !p.cand.changed[lp.PkgPath] || p.base.lookup(lp.PkgPath, name) != nil {
				continue
			}
			if named, ok := tn.Type().(*types.Named); ok && named.TypeParams() == nil && !types.IsInterface(named) {
				out = append(out, named)
			}
		}
	}
	return out
}

// methodWrites reports whether a method of a type writes what its receiver shares.
func (p states) methodWrites(n *types.Named) bool {
	for m := range n.Methods() {
		if u := p.cand.decls[m.FullName()]; u != nil {
			if id := nameOf(u.fn.Recv.List[0]); id != nil && p.cand.passedBy(u)[u.info().Defs[id]] {
				return true
			}
		}
	}
	return false
}

// keepsByItself reports whether the only use of a type is to keep things.
func keepsByItself(t types.Type) bool {
	t = code.Pointee(t)
	name := types.Unalias(t).String()
	_, isChan := t.Underlying().(*types.Chan)
	return name == "sync.Pool" || name == "sync.Map" || isChan || hasAnyPrefix(name, "sync/atomic.", "weak.", "container/list.List",
		"container/ring.Ring", "bytes.Buffer", "strings.Builder", "math/rand.Rand", "math/rand/v2.Rand", "expvar.")
}

func kindOf(t types.Type, otherwise string) string {
	t = code.Pointee(t)
	switch types.Unalias(t).String() {
	case "sync.Pool":
		return "pool"
	case "sync.Map":
		return "map"
	}
	if _, ok := t.Underlying().(*types.Map); ok {
		return "map"
	}
	return otherwise
}

func (p states) state(v *types.Var, kind, bound, why string) {
	p.stateAt(v, p.cand.pos(v.Pos()), kind, bound, why, nil)
}

func (p states) stateAt(v *types.Var, at model.Pos, kind, bound, why string, n ast.Node) {
	name := p.cand.stateName(v)
	if v.Pkg() != nil {
		name = strings.TrimPrefix(name, v.Pkg().Path()+".")
	}
	for _, s := range p.states {
		if s.Name == name && s.At == at {
			return
		}
	}
	code := name + " " + types.TypeString(v.Type(), func(q *types.Package) string { return q.Name() })
	if n != nil {
		code = p.cand.text(n)
	}
	p.states = append(p.states, model.State{At: at, Name: name, Kind: kind, Bound: bound, Retained: -1})
	detail := why
	if bound == "" {
		detail += "; nothing was found that keeps it from growing"
	}
	p.addAt(model.SuspectState, at, detail, code)
}

// closures reports function literals that outlive the call that made them,
// and write a variable of that call.
func (p states) closures(u *unit) {
	for n := range all[ast.Node](u) {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				p.closure(u, r)
			}
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if i < len(n.Lhs) && outlives(u.info(), n.Lhs[i]) {
					p.closure(u, r)
				}
			}
		case *ast.KeyValueExpr:
			p.closure(u, n.Value)
		}
	}
}

func outlives(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return true
	case *ast.Ident:
		o := info.Uses[e]
		return o != nil && !isLocal(o)
	case *ast.IndexExpr:
		return outlives(info, e.X)
	}
	return false
}

func (p states) closure(u *unit, e ast.Expr) {
	lit, ok := ast.Unparen(e).(*ast.FuncLit)
	if !ok || !p.isNewText(u, lit) {
		return
	}
	w := &writer{p: p.cand, info: u.info()}
	reported := false
	check := func(target ast.Expr, at ast.Node) {
		root := code.RootIdent(target)
		if root == nil || reported {
			return
		}
		v, ok := u.info().Uses[root].(*types.Var)
		if !ok || v.IsField() || !isLocal(v) || (v.Pos() >= lit.Pos() && v.Pos() < lit.End()) {
			return
		}
		reported = true
		p.stateAt(v, p.cand.pos(at.Pos()), "closure", p.bound(v, []write{{unit: u}}), "a function that outlives the call keeps "+v.Name()+" and writes it", at)
	}
	for n := range code.All[ast.Node](lit) {
		for _, to := range code.Assigned(n) {
			check(to, n)
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				if s := w.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal && w.mutates(s) {
					check(sel.X, n)
				}
			}
		}
	}
}
