package pools

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A pooledBuffer is a local variable that holds an object which can be used again.
type pooledBuffer struct {
	fn   *prove.Function
	v    *types.Var
	name *ast.Ident
	obj  *object
	stmt ast.Stmt
	made *making
	refs []*ast.UnaryExpr // &v, which becomes v
	give []*ast.CallExpr  // v.Bytes() in return statements, which give a copy away

	err   *ast.Ident  // the error that comes with it, nil if none does
	check *ast.IfStmt // what leaves the function for it; nil where it is the blank identifier
}

// pooledBuffersAt returns the local variables that a line declares or mentions and
// whose objects a pool could hold.
func pooledBuffersAt(p *prove.Program, fn *prove.Function, line int) []*pooledBuffer {
	var found []*pooledBuffer
	seen := map[types.Object]bool{}
	for id := range code.All[*ast.Ident](fn.Decl.Body) {
		if p.Fset.PositionFor(id.Pos(), false).Line != line {
			continue
		}
		v, ok := fn.Info().ObjectOf(id).(*types.Var)
		if !ok {
			continue
		}
		for _, v := range append(writesTo(p, fn, v), v) {
			if seen[v] || v.IsField() {
				continue
			}
			seen[v] = true
			if o := objectOf(v.Type()); o != nil {
				if b := declared(p, &pooledBuffer{fn: fn, v: v, obj: o}); b != nil {
					found = append(found, b)
				}
			}
		}
	}
	return found
}

// writesTo returns the variables that the declaration of an encoder, or of
// another object that holds a writer, mentions.
func writesTo(p *prove.Program, fn *prove.Function, v *types.Var) []*types.Var {
	if !flow.HoldsStream(v.Type()) {
		return nil
	}
	var found []*types.Var
	if made := fn.Value(v); made != nil {
		for id := range code.All[*ast.Ident](made) {
			if w, ok := fn.Info().Uses[id].(*types.Var); ok {
				found = append(found, w)
			}
		}
	}
	return found
}

// declared fills in the declaration of a variable; nil if it has none that
// makes an object.
func declared(p *prove.Program, b *pooledBuffer) *pooledBuffer {
	ast.Inspect(b.fn.Decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || b.fn.Info().Defs[id] != b.v {
			return b.made == nil
		}
		b.name = id
		switch up := b.fn.File.Parent(id).(type) {
		case *ast.AssignStmt:
			if len(up.Rhs) == 1 && up.Lhs[0] == id {
				b.stmt, b.made = up, b.obj.making(p, b.fn, up.Rhs[0])
			}
			switch {
			case b.made == nil || b.made.fails != (len(up.Lhs) == 2):
				b.made = nil
			case b.made.fails:
				b.err, _ = up.Lhs[1].(*ast.Ident)
			}
		case *ast.ValueSpec:
			gen, _ := b.fn.File.Parent(up).(*ast.GenDecl)
			if gen == nil || len(gen.Specs) > 1 || gen.Lparen.IsValid() || len(up.Names) > 1 {
				return false
			}
			b.stmt, _ = b.fn.File.Parent(gen).(ast.Stmt)
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
	return prove.OnHeap(t, model.Pos{}, func(n model.Note) bool {
		return strings.Contains(n.Message, b.obj.Name) || strings.HasSuffix(n.Message, ": "+b.v.Name())
	})
}

func (b *pooledBuffer) propose(p *prove.Program) (*model.Change, *prove.Reason) {
	if why := b.place(p); why != nil {
		return nil, why
	}
	if why := b.checked(); why != nil {
		return nil, why
	}
	fl, why := b.follow(p)
	if why != nil {
		return nil, why
	}
	what := b.v.Name()
	if len(what) < 2 {
		what = prove.Uncapitalized(b.obj.Name)
	}
	name := poolName(p, b.fn, what)
	if name == "" {
		return nil, prove.Refuse("no name is free for the pool")
	}
	h := &holder{name: name, made: b.made.text, init: b.made.first,
		says: fmt.Sprintf("%s holds the %s of %s, between calls.", name, b.obj.noun, b.fn.Obj.Name())}
	if b.check != nil && !b.obj.reads {
		h.gone = b.check
	}
	more := b.edits(p, h)
	var packages []string
	if b.obj.hash {
		packages = []string{"hash"}
	}
	declared, why := h.declare(p, b.fn, packages...)
	if why != nil {
		return nil, why
	}
	kept := model.Obligation{Text: "nothing refers to " + b.v.Name() + " after the call", How: "proven",
		Why: "it is only written, read and passed to functions that do not keep it"}
	kept = prove.Assuming(kept, fl.Assumed)
	clean := model.Obligation{Text: "no call sees what another has left in it", How: "assumed", Why: b.obj.resets}
	return p.Change(b.fn, append(declared, more...), model.Change{
		Kind:        "pool",
		Title:       fmt.Sprintf("%s: take %s's %s from a pool", b.fn.File.Pkg.Name, b.fn.Obj.Name(), b.v.Name()),
		Obligations: append([]model.Obligation{kept, clean, lost(true), ready()}, b.same()...), Retains: b.retains(),
	})
}

func (b *pooledBuffer) retains() string {
	switch {
	case b.obj.reads:
		return perP(b.obj.size) + "; what it last read from stays reachable as long"
	case b.made.on != nil && b.obj.size != "":
		return perP(b.obj.size) + "; what it last wrote to stays reachable as long"
	case b.obj.size != "":
		return perP(b.obj.size)
	}
	return perP(fmt.Sprintf("%d bytes", b.made.size))
}

// place checks the declaration.
func (b *pooledBuffer) place(p *prove.Program) *prove.Reason {
	f := b.fn.File
	switch {
	case code.StmtList(f.Parent(b.stmt)) == nil:
		return prove.Refuse("it is declared in the head of a statement")
	case f.Loop(b.stmt) != nil:
		return prove.Refuse("it is declared in a loop: a deferred call would put it back only when the function returns")
	case code.Jumps(b.fn.Decl.Body):
		return prove.Refuse(b.fn.Obj.Name() + " uses goto")
	case b.made.size > maxPooled:
		return prove.Refusef("%d bytes are too many to keep in a pool", b.made.size)
	}
	if _, variable := b.made.on.(*ast.Ident); b.mayBeOne() && (!variable || objectOf(b.fn.Info().TypeOf(b.made.on)) == b.obj || b.made.size < 16) {
		return prove.Refusef("what it works on may be a bufio.%[1]s, which New%[1]s returns as it is", b.obj.Name)
	}
	return nil
}

// mayBeOne reports whether what a bufio.Writer writes to, or a bufio.Reader reads
// from, may be one itself: the maker then returns it, while Reset puts one before the other.
func (b *pooledBuffer) mayBeOne() bool {
	if b.obj.Pkg != "bufio" {
		return false
	}
	t := b.fn.Info().TypeOf(b.made.on)
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return objectOf(t) == b.obj
	}
	return types.Implements(types.NewPointer(b.objectType()), iface)
}

// objectType returns the named type of the object.
func (b *pooledBuffer) objectType() types.Type {
	t := b.v.Type()
	if ptr, ok := t.(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// checked finds what becomes of the error that comes with the object.
func (b *pooledBuffer) checked() *prove.Reason {
	info := b.fn.Info()
	switch {
	case !b.made.fails || b.err != nil && b.err.Name == "_" && !b.obj.reads:
		return nil
	case b.err == nil || b.err.Name == "_":
		return prove.Refuse("nobody looks at the error that comes with it")
	}
	list := code.StmtList(b.fn.File.Parent(b.stmt))
	if at := slices.Index(list, b.stmt) + 1; at < len(list) {
		b.check, _ = list[at].(*ast.IfStmt)
	}
	err := info.ObjectOf(b.err)
	switch {
	case b.check == nil || !prove.LeavesOn(info, b.check, b.err):
		return prove.Refuse("the error that comes with it is not looked at at once, by an if that leaves the function")
	case code.Mentions(info, b.check.Body, b.v):
		return prove.Refuse("it is looked at beside the error that comes with it")
	case !b.obj.reads && info.Defs[b.err] == nil && code.Any(b.fn.Decl.Body, func(id *ast.Ident) bool { return id.Pos() > b.check.End() && info.Uses[id] == err }):
		return prove.Refusef("%s, which is nil after it, is used below, and was there before", b.err.Name)
	}
	return nil
}

// trace follows the object through the function, as one of a kind. refs are where its address is taken.
func (b *pooledBuffer) trace(p *prove.Program, o *flow.Object) (fl *flow.Flow, refs []*ast.UnaryExpr) {
	fl = prove.NewDispatch(p, b.fn.File.Pkg, o).Flow(b.fn)
	fl.Copied = func(call *ast.CallExpr) bool { return slices.Contains(b.give, call) }
	_, ptr := b.v.Type().(*types.Pointer)
	if ptr || b.obj.hash {
		fl.Track(b.v)
	} else {
		fl.Uses(b.v, func(id *ast.Ident) {
			if ref := fl.Value(id); ref != nil {
				refs = append(refs, ref)
			}
		})
	}
	fl.Drain()
	return fl, refs
}

// follow traces the object through the function.
func (b *pooledBuffer) follow(p *prove.Program) (*flow.Flow, *prove.Reason) {
	b.give = b.given()
	fl, refs := b.trace(p, &b.obj.Object)
	b.refs = refs
	switch {
	case code.Reassigned(b.fn.Info(), b.fn.Decl.Body, b.v):
		return nil, prove.Refuse("it is assigned to")
	case len(fl.Leaks) > 0:
		return nil, prove.Refusef("it is %s (%s)", fl.Leaks[0].Why, p.Pos(fl.Leaks[0].At.Pos()))
	case fl.Results != 0:
		return nil, prove.Refuse("a part of it is returned")
	case fl.NilSeen:
		return nil, prove.Refuse("it is compared with nil, or a part of it is: an empty one would no longer be nil")
	case fl.CapSeen:
		return nil, prove.Refuse("its capacity is asked for")
	}
	for _, v := range fl.Vars {
		if v != b.v && fl.Definition(v).Pos() < b.stmt.Pos() {
			return nil, prove.Refuse("a part of it is held in " + v.Name() + ", which a deferred call may look at after it is put back")
		}
	}
	if v := b.outlived(fl); v != nil {
		return nil, prove.Refuse("a part of it is held in " + v.Name() + " while it is used: whether that is then its memory depends on its capacity")
	}
	return fl, b.copied(p, append(fl.Vars, b.v))
}

// outlived returns a variable that holds a part of the object, or a copy of it, and is used after the object may have been
// written to; nil if there is none. Where the part has room for what is written, it is written over.
func (b *pooledBuffer) outlived(fl *flow.Flow) *types.Var {
	f, info := b.fn.File, b.fn.Info()
	if !b.obj.big { // others have as much memory as the new ones
		return nil
	}
	for _, v := range fl.Vars {
		switch code.Core(v.Type()).(type) {
		case *types.Slice, *types.Struct:
		default:
			continue
		}
		def := fl.Definition(v)
		if v == b.v || def == nil {
			continue
		}
		last := token.NoPos
		for id := range prove.UsesIn(info, b.fn.Decl.Body, v) {
			last = max(last, id.Pos())
		}
		for id := range code.All[*ast.Ident](b.fn.Decl.Body) {
			w, _ := info.Uses[id].(*types.Var)
			if w == nil || w != b.v && !slices.Contains(fl.Vars, w) || b.looks(id, w) {
				continue
			}
			if f.Loop(def) != nil || f.Stmt(def).End() <= id.Pos() && id.Pos() < last {
				return v
			}
		}
	}
	return nil
}

// looks reports whether a use of something that holds the object, or of a part of it, writes nothing.
func (b *pooledBuffer) looks(id *ast.Ident, v *types.Var) bool {
	f := b.fn.File
	at, up := ast.Node(id), f.Parent(id)
	_, part := code.Core(v.Type()).(*types.Slice)
	if sel, ok := up.(*ast.SelectorExpr); ok && !part {
		if part = slices.Contains([]string{"Bytes", "Len", "String"}, sel.Sel.Name); part {
			at = f.Parent(sel)
			up = f.Parent(at)
		}
	}
	call, ok := up.(*ast.CallExpr)
	return part && !(ok && code.Builtin(b.fn.Info(), call) == "append" && call.Args[0] == at)
}

// edits takes the object from the pool where it was made, and defers putting
// it back.
func (b *pooledBuffer) edits(p *prove.Program, h *holder) []model.Edit {
	f, name := b.fn.File, b.v.Name()
	typ := "*" + b.obj.Pkg[strings.LastIndexByte(b.obj.Pkg, '/')+1:] + "." + b.obj.Name
	var edits []model.Edit
	if b.obj.hash {
		typ = p.Qualifier(f, b.stmt.Pos(), "hash") + ".Hash"
	}
	get, put := fmt.Sprintf("%s.Get().(%s)", h.name, typ), h.name+".Put("+name+")"
	start, end := b.stmt.Pos(), b.stmt.End()
	text := name + " := " + get + "\n"
	switch {
	case b.obj.big:
		text += fmt.Sprintf("defer func() {\n\tif %s.Cap() <= 64<<10 { // a larger one is left to the collector\n\t\t%s.Reset()\n\t\t%s\n\t}\n}()", name, name, put)
	case b.obj.hash:
		text += fmt.Sprintf("defer func() {\n\t%s.Reset()\n\t%s\n}()", name, put)
	case b.obj.reads:
		define := "="
		if b.fn.Info().Defs[b.err] != nil {
			define = ":="
		}
		text += fmt.Sprintf("defer %s\n%s %s %s.Reset(%s)", put, b.err.Name, define, name, p.Source(f, b.made.on))
	case b.obj.Pkg == "bufio":
		back := fmt.Sprintf("%s.Reset(%s)\ndefer func() {\n\t%s.Reset(nil) // keep nothing alive\n\t%s\n}()", name, p.Source(f, b.made.on), name, put)
		if b.mayBeOne() {
			text = b.unlessOne(p, typ, get, back)
		} else {
			text += back
		}
	default:
		text += fmt.Sprintf("%s.Reset(%s)\ndefer %s", name, p.Source(f, b.made.on), put)
		if h.gone != nil {
			end = h.gone.End()
			if code.Any(b.fn.Decl.Body, func(id *ast.Ident) bool {
				return !code.Within(h.gone, id) && b.fn.Info().Uses[id] == b.fn.Info().Defs[b.err] && b.fn.Info().Uses[id] != nil
			}) {
				text += "\nvar " + b.err.Name + " error"
			}
		}
	}
	edits = append(edits, p.Put(f, start, end, text))
	for _, r := range b.refs {
		edits = append(edits, p.Put(f, r.Pos(), r.End(), name))
	}
	for _, call := range b.give {
		edits = append(edits, p.Put(f, call.Pos(), call.Pos(), "append([]byte(nil), "), p.Put(f, call.End(), call.End(), "...)"))
	}
	return edits
}

// unlessOne takes the object from the pool, unless what it works on is one that the
// maker returns as it is.
func (b *pooledBuffer) unlessOne(p *prove.Program, typ, get, back string) string {
	name, ok := b.v.Name(), code.FreeLocal(b.fn.Decl, "ok")
	return fmt.Sprintf("%s, %s := %s.(%s)\nif !%s || %s.Size() < %d {\n%s = %s\n%s\n}",
		name, ok, p.Source(b.fn.File, b.made.on), typ, ok, name, b.made.size, name, get, back)
}
