package guard

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A unit is a piece of a package that base and candidate are compared by: a
// function with all its literals, a package-level variable, a type. All
// functions init of a package are one unit, and so are all variables _.
type unit struct {
	key   string // import path and name: the same in base and candidate
	name  string // as people write it: "(*T).F", "init", "bufPool"
	pkg   *packages.Package
	nodes []ast.Node
	fn    *ast.FuncDecl // nil when it is no function
	obj   *types.Func
	init  bool // runs before main: func init, or the initialiser of a variable

	text  string
	facts map[string][]fact
}

// A fact is something that a unit does, at one place. Units of base and
// candidate are compared by their facts, which are named by key.
type fact struct {
	at   token.Pos
	node ast.Node
}

func (u *unit) info() *types.Info { return u.pkg.TypesInfo }

// all returns the nodes of one kind in a unit, from the outside in. It is not inlined, for the binary's size.
//
//go:noinline
func all[N ast.Node](u *unit) iter.Seq[N] {
	return func(yield func(N) bool) {
		for _, root := range u.nodes {
			for n := range code.All[N](root) {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// index finds the units of all loaded packages, and the facts of those that
// belong to changed ones.
func (p *program) index() {
	p.units, p.decls, p.passed = make(map[string]*unit), make(map[string]*unit), make(map[*unit]map[types.Object]bool)
	for _, lp := range p.pkgs {
		p.nameFields(lp.Types)
		for _, f := range lp.Syntax {
			if !strings.HasSuffix(p.fset.PositionFor(f.FileStart, false).Filename, ".go") || !p.inTree(f) {
				continue
			}
			for _, d := range f.Decls {
				p.declare(lp, d)
			}
		}
	}
	for _, u := range p.units {
		var parts []string
		for _, n := range u.nodes {
			parts = append(parts, p.text(n))
		}
		u.text = strings.Join(parts, "\n")
		u.facts = make(map[string][]fact)
		p.collect(u)
	}
	p.findReaders()
}

// inTree reports whether a file belongs to the tree, and was not generated
// into the build cache for cgo.
func (p *program) inTree(f *ast.File) bool {
	return !filepath.IsAbs(p.rel(p.fset.PositionFor(f.FileStart, false).Filename))
}

func (p *program) declare(lp *packages.Package, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		obj, _ := lp.TypesInfo.Defs[d.Name].(*types.Func)
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			name = "(" + types.ExprString(d.Recv.List[0].Type) + ")." + name
		}
		u := p.unit(lp, name, d)
		u.init = d.Recv == nil && d.Name.Name == "init"
		if d.Body == nil {
			return
		}
		u.fn, u.obj = d, obj
		if obj != nil {
			p.decls[obj.FullName()] = u
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				p.unit(lp, "type "+s.Name.Name, s)
			case *ast.ValueSpec:
				u := p.unit(lp, s.Names[0].Name, s)
				u.init = d.Tok == token.VAR
				for _, name := range s.Names {
					if o := lp.TypesInfo.Defs[name]; o != nil && name.Name != "_" {
						p.decls[objectName(o)] = u
					}
				}
			case *ast.ImportSpec:
				p.unit(lp, "imports", s)
			}
		}
	}
}

func (p *program) unit(lp *packages.Package, name string, n ast.Node) *unit {
	key := lp.PkgPath + "." + name
	u := p.units[key]
	if u == nil {
		u = &unit{key: key, name: name, pkg: lp}
		p.units[key] = u
	}
	u.nodes = append(u.nodes, n)
	return u
}

// sorted returns the units of changed packages by place.
func (p *program) sorted() []*unit {
	var out []*unit
	for _, u := range p.units {
		if p.changed[u.pkg.PkgPath] {
			out = append(out, u)
		}
	}
	sorted.By(out, func(x, y *unit) int {
		a, b := p.pos(x.nodes[0].Pos()), p.pos(y.nodes[0].Pos())
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(x.key, y.key))
	})
	return out
}

// collect notes the facts of a unit: objects it uses, expressions and
// statements by their text, go statements, loops, calls, writes.
func (p *program) collect(u *unit) {
	add := func(key string, n ast.Node) { u.facts[key] = append(u.facts[key], fact{n.Pos(), n}) }
	for n := range all[ast.Node](u) {
		switch n := n.(type) {
		case *ast.Ident:
			if o := u.info().Uses[n]; o != nil && o.Pkg() != nil && !isLocal(o) {
				add("use "+objectName(o), n)
			}
		case *ast.GoStmt:
			add("go", n)
		case *ast.ForStmt, *ast.RangeStmt:
			add("loop", n)
		case *ast.CallExpr:
			add("calls", n)
			add("expr "+p.text(n), n)
			if callsBack(u.info(), n) {
				add("loop", n)
			}
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				add("loop", n)
			}
			add("stmt "+p.text(n), n)
		case *ast.BasicLit:
			if n.Kind != token.CHAR {
				add("lit "+n.Value, n)
			}
		case *ast.ImportSpec:
			add("import "+p.text(n), n)
		case ast.Expr:
			add("expr "+p.text(n), n)
		case *ast.BlockStmt:
		case ast.Stmt:
			add("stmt "+p.text(n), n)
		}
	}
	for _, root := range u.nodes {
		p.writes(u, root, func(o types.Object, n ast.Node) { add("write "+p.stateName(o), n) })
	}
}

// callsBack reports whether a call gives a function of the standard library one that it calls again and again.
func callsBack(info *types.Info, c *ast.CallExpr) bool {
	if !hasAnyPrefix(calleeName(info, c), "slices.", "sort.", "maps.", "strings.", "bytes.", "(*sync.Map).Range") {
		return false
	}
	return slices.ContainsFunc(c.Args, func(a ast.Expr) bool { _, ok := typeOf(info, a).(*types.Signature); return ok })
}

// isLocal reports whether an object is declared inside a function.
func isLocal(o types.Object) bool {
	if v, ok := o.(*types.Var); ok && v.IsField() {
		return false
	}
	if o.Pkg() == nil || o.Parent() == nil { // methods and fields have no scope
		_, isFunc := o.(*types.Func)
		return !isFunc
	}
	return o.Parent() != o.Pkg().Scope()
}

// objectName names a package-level object, a method or a field, the same in
// all programs.
func objectName(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		return f.Origin().FullName()
	}
	if o.Pkg() == nil {
		return o.Name()
	}
	return o.Pkg().Path() + "." + o.Name()
}

// A pair is both sides of a change, and what differs.
type pair struct {
	Change
	base, cand *program
	spare      map[string]int // facts that units of the base have lost: what moved is not new
	known      *known
	found      []model.Suspicion
	states     []model.State
}

func newPair(c Change, base, cand *program, k *known) *pair {
	p := &pair{Change: c, base: base, cand: cand, spare: make(map[string]int), known: k}
	for key, u := range base.units {
		if !base.changed[u.pkg.PkgPath] && !cand.changed[u.pkg.PkgPath] {
			continue
		}
		var now map[string][]fact
		if v := cand.units[key]; v != nil {
			now = v.facts
		}
		for k, old := range u.facts {
			if lost := len(old) - len(now[k]); lost > 0 {
				p.spare[k] += lost
			}
		}
	}
	return p
}

// differs reports whether a unit of the candidate is new or changed: in its
// text, or in what its text means.
func (p *pair) differs(u *unit) bool {
	old := p.base.units[u.key]
	if old == nil || old.text != u.text || len(old.facts) != len(u.facts) {
		return true
	}
	for key := range u.facts {
		if old.facts[key] == nil {
			return true
		}
	}
	return false
}

// fresh returns the facts of a unit that are new under one key: more than the
// base's unit has, and not merely moved here from another.
func (p *pair) fresh(u *unit, key string) []fact {
	now := u.facts[key]
	had := p.spare[key]
	if old := p.base.units[u.key]; old != nil {
		had += len(old.facts[key])
	}
	if len(now) <= had {
		return nil
	}
	return now[had:]
}

// isNew reports whether a node of the unit is none of the base's, by its text.
func (p *pair) isNew(u *unit, n ast.Node) bool {
	key := "stmt "
	if _, ok := n.(ast.Expr); ok {
		key = "expr "
	}
	return len(p.fresh(u, key+p.cand.text(n))) > 0
}

// add notes a suspicion, once for each kind and line.
func (p *pair) add(k model.SuspicionKind, n ast.Node, detail string) {
	p.addAt(k, p.cand.pos(n.Pos()), detail, p.cand.text(n))
}

func (p *pair) addAt(k model.SuspicionKind, at model.Pos, detail, code string) {
	for _, s := range p.found {
		if s.Kind == k && s.At == at {
			return
		}
	}
	p.found = append(p.found, suspect(k, at, detail, code))
}

// isNewState reports whether the base has no such package variable or field.
func (p *pair) isNewState(v *types.Var) bool {
	if v.IsField() {
		return !p.base.hasField(p.cand.stateName(v))
	}
	return v.Pkg() != nil && p.cand.mine(v) && p.base.lookup(v.Pkg().Path(), v.Name()) == nil
}
