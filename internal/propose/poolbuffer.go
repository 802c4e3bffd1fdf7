package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A pooledBuffer is a local variable that holds an object which can be used again.
type pooledBuffer struct {
	fn   *function
	v    *types.Var
	name *ast.Ident
	obj  *object
	stmt ast.Stmt
	made *making
	refs []*ast.UnaryExpr // &v, which becomes v
}

// pooledBuffersAt returns the local variables that a line declares or mentions and
// whose objects a pool could hold.
func (p *Program) pooledBuffersAt(fn *function, line int) []*pooledBuffer {
	var found []*pooledBuffer
	seen := map[types.Object]bool{}
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || p.fset.PositionFor(id.Pos(), false).Line != line {
			return true
		}
		v, ok := fn.info().ObjectOf(id).(*types.Var)
		if !ok {
			return true
		}
		for _, v := range append(p.writesTo(fn, v), v) {
			if seen[v] || v.IsField() {
				continue
			}
			seen[v] = true
			if o := objectOf(v.Type()); o != nil {
				if b := p.declared(&pooledBuffer{fn: fn, v: v, obj: o}); b != nil {
					found = append(found, b)
				}
			}
		}
		return true
	})
	return found
}

// writesTo returns the variables that the declaration of an encoder, or of
// another object that holds a writer, mentions.
func (p *Program) writesTo(fn *function, v *types.Var) []*types.Var {
	if !holdsStream(v.Type()) {
		return nil
	}
	var found []*types.Var
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 {
			return true
		}
		if id, ok := a.Lhs[0].(*ast.Ident); !ok || fn.info().Defs[id] != v {
			return true
		}
		ast.Inspect(a.Rhs[0], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if w, ok := fn.info().Uses[id].(*types.Var); ok {
					found = append(found, w)
				}
			}
			return true
		})
		return true
	})
	return found
}

// declared fills in the declaration of a variable; nil if it has none that
// makes an object.
func (p *Program) declared(b *pooledBuffer) *pooledBuffer {
	ast.Inspect(b.fn.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || b.fn.info().Defs[id] != b.v {
			return b.made == nil
		}
		b.name = id
		switch up := b.fn.file.parent(id).(type) {
		case *ast.AssignStmt:
			if len(up.Lhs) == 1 && len(up.Rhs) == 1 {
				b.stmt, b.made = up, b.obj.making(p, b.fn, up.Rhs[0])
			}
		case *ast.ValueSpec:
			gen, _ := b.fn.file.parent(up).(*ast.GenDecl)
			if gen == nil || len(gen.Specs) > 1 || gen.Lparen.IsValid() || len(up.Names) > 1 {
				return false
			}
			b.stmt, _ = b.fn.file.parent(gen).(ast.Stmt)
			if len(up.Values) == 1 {
				b.made = b.obj.making(p, b.fn, up.Values[0])
			} else if _, ptr := b.v.Type().(*types.Pointer); !ptr {
				b.made = b.obj.making(p, b.fn, nil)
			}
		}
		return false
	})
	if b.made == nil || b.stmt == nil {
		return nil
	}
	return b
}

// costs reports whether what t allocates is the object or its storage.
func (b *pooledBuffer) costs(t model.Target) bool {
	if !t.Leaf.Module && t.Leaf.Func != "" {
		return strings.HasPrefix(t.Leaf.Func, b.obj.leaf) || b.obj.hash && strings.HasPrefix(t.Leaf.Func, "hash/")
	}
	any := false
	for _, n := range t.Notes {
		if n.Kind == model.NoteEscape {
			any = true
			if strings.Contains(n.Message, b.obj.name) || strings.HasSuffix(n.Message, ": "+b.v.Name()) {
				return true
			}
		}
	}
	return !any
}

func (b *pooledBuffer) propose(p *Program) (*model.Change, string) {
	if why := editable(b.fn.file); why != "" {
		return nil, why
	}
	if why := b.place(p); why != "" {
		return nil, why
	}
	fl, why := b.follow(p)
	if why != "" {
		return nil, why
	}
	what := b.v.Name()
	if len(what) < 2 {
		what = lowerFirst(b.obj.name)
	}
	name := p.poolName(b.fn, what)
	if name == "" {
		return nil, "no name is free for the pool"
	}
	h := &holder{name: name, made: b.made.text,
		says: fmt.Sprintf("%s holds the %s of %s, between calls.", name, b.obj.noun, b.fn.obj.Name())}
	more := b.edits(p, h)
	var packages []string
	if b.obj.hash {
		packages = []string{"hash"}
	}
	declared, why := h.declare(p, b.fn, packages...)
	if why != "" {
		return nil, why
	}
	edits, err := p.settle(append(declared, more...))
	if err != nil {
		return nil, err.Error()
	}
	kept := model.Obligation{Text: "nothing refers to " + b.v.Name() + " after the call", How: "proven",
		Why: "it is only written, read and passed to functions that do not keep it"}
	if len(fl.assumed) > 0 {
		kept.How, kept.Why = "assumed", strings.Join(fl.assumed, "; ")
	}
	clean := model.Obligation{Text: "no call sees what another has left in it", How: "assumed", Why: b.obj.resets}
	return &model.Change{
		ID: changeID("pool", b.fn.obj.FullName(), edits), Kind: "pool", Class: "B",
		Title: fmt.Sprintf("%s: take %s's %s from a pool", b.fn.file.pkg.Name, b.fn.obj.Name(), b.v.Name()),
		Edits: edits, Obligations: []model.Obligation{kept, clean, lost(true), ready()}, Retains: b.retains(),
	}, ""
}

func (b *pooledBuffer) retains() string {
	switch {
	case b.made.on != nil && b.obj.size != "":
		return perP(b.obj.size) + "; what it last wrote to stays reachable as long"
	case b.obj.size != "":
		return perP(b.obj.size)
	}
	return perP(fmt.Sprintf("%d bytes", b.made.size))
}

// place checks the declaration.
func (b *pooledBuffer) place(p *Program) string {
	f := b.fn.file
	switch {
	case stmtList(f.parent(b.stmt)) == nil:
		return "it is declared in the head of a statement"
	case f.loop(b.stmt) != nil:
		return "it is declared in a loop: a deferred call would put it back only when the function returns"
	case hasGoto(b.fn.decl.Body):
		return b.fn.obj.Name() + " uses goto"
	case b.made.size > maxPooled:
		return fmt.Sprintf("%d bytes are too many to keep in a pool", b.made.size)
	}
	if b.obj.pkg == "bufio" && b.mayBeWriter(p) {
		return "what it writes to may be a bufio.Writer, which NewWriter returns as it is"
	}
	return ""
}

// mayBeWriter reports whether what a bufio.Writer writes to may be one
// itself: NewWriter then returns it, while Reset puts one before the other.
func (b *pooledBuffer) mayBeWriter(p *Program) bool {
	t := b.fn.info().TypeOf(b.made.on)
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return objectOf(t) == b.obj
	}
	return types.Implements(types.NewPointer(b.writerType()), iface)
}

// writerType returns the named type of the object.
func (b *pooledBuffer) writerType() types.Type {
	t := b.v.Type()
	if ptr, ok := t.(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// follow traces the object through the function.
func (b *pooledBuffer) follow(p *Program) (*flow, string) {
	d := newDispatch(p, b.fn.file.pkg, b.obj)
	fl := d.flow(b.fn)
	_, ptr := b.v.Type().(*types.Pointer)
	if ptr || b.obj.hash {
		fl.track(b.v)
	} else {
		fl.uses(b.v, func(id *ast.Ident) { b.use(fl, id) })
	}
	fl.drain()
	switch {
	case b.reassigned():
		return nil, "it is assigned to"
	case len(fl.leaks) > 0:
		return nil, fmt.Sprintf("it is %s (%s)", fl.leaks[0].why, p.pos(fl.leaks[0].at.Pos()))
	case fl.results != 0:
		return nil, "a part of it is returned"
	case fl.nilSeen:
		return nil, "it is compared with nil, or a part of it is: an empty one would no longer be nil"
	case fl.capSeen:
		return nil, "its capacity is asked for"
	}
	for _, v := range fl.vars {
		if v != b.v && fl.definition(v).Pos() < b.stmt.Pos() {
			return nil, "a part of it is held in " + v.Name() + ", which a deferred call may look at after it is put back"
		}
	}
	return fl, ""
}

// use classifies a use of a variable that is the object itself.
func (b *pooledBuffer) use(fl *flow, id *ast.Ident) {
	switch up := b.fn.file.parent(id).(type) {
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			b.refs = append(b.refs, up)
			fl.expr(up)
			return
		}
	case *ast.SelectorExpr:
		fl.selector(up)
		return
	}
	fl.leak(id, "copied")
}

func (b *pooledBuffer) reassigned() bool {
	found := false
	ast.Inspect(b.fn.decl.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, l := range a.Lhs {
				id, ok := ast.Unparen(l).(*ast.Ident)
				found = found || ok && b.fn.info().Uses[id] == b.v
			}
		}
		return !found
	})
	return found
}

// edits takes the object from the pool where it was made, and defers putting
// it back.
func (b *pooledBuffer) edits(p *Program, h *holder) []model.Edit {
	f, name := b.fn.file, b.v.Name()
	typ := "*" + b.obj.pkg[strings.LastIndexByte(b.obj.pkg, '/')+1:] + "." + b.obj.name
	var edits []model.Edit
	if b.obj.hash {
		typ = p.qualifier(f, b.stmt.Pos(), "hash") + ".Hash"
	}
	text := fmt.Sprintf("%s := %s.Get().(%s)\n", name, h.name, typ)
	put := h.name + ".Put(" + name + ")"
	switch {
	case b.obj.big:
		text += fmt.Sprintf("defer func() {\n\tif %s.Cap() <= 64<<10 { // a larger one is left to the collector\n\t\t%s.Reset()\n\t\t%s\n\t}\n}()", name, name, put)
	case b.obj.hash:
		text += fmt.Sprintf("defer func() {\n\t%s.Reset()\n\t%s\n}()", name, put)
	case b.obj.pkg == "bufio":
		text += fmt.Sprintf("%s.Reset(%s)\ndefer func() {\n\t%s.Reset(nil) // keep nothing alive\n\t%s\n}()", name, p.source(f, b.made.on), name, put)
	default:
		text += fmt.Sprintf("%s.Reset(%s)\ndefer %s", name, p.source(f, b.made.on), put)
	}
	edits = append(edits, p.edit(f, p.offset(b.stmt.Pos()), p.offset(b.stmt.End()), text))
	for _, r := range b.refs {
		edits = append(edits, p.edit(f, p.offset(r.Pos()), p.offset(r.End()), name))
	}
	return edits
}
