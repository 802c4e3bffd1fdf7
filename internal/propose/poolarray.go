package propose

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// largeField is the size in bytes from which a buffer is much to keep for each
// value of a struct: below it a field is simpler and cheaper than a pool.
const largeField = 4 << 10

// minPooled is the size in bytes below which making an array costs no more
// than taking it from a pool.
const minPooled = 256

// A pooledArray is a local array, or a make of constant size, that escapes.
type pooledArray struct {
	*local
	fn   *function
	size int64
}

// pooledArrays returns those that a line declares, but for the ones that are
// better kept in a field of the receiver.
func (p *Program) pooledArrays(fn *function, t model.Target, at model.Pos) []*pooledArray {
	var found []*pooledArray
	for _, l := range p.localsAt(fn, at.Line) {
		a := &pooledArray{local: l, fn: fn, size: fn.file.pkg.TypesSizes.Sizeof(l.array)}
		if !escapes(t, at, l.name.Name) || a.size < minPooled {
			continue
		}
		if a.size < largeField {
			again := *l
			if c, _ := (scratch{}).propose(p, fn, &again); c != nil {
				continue
			}
		}
		l.m = &method{function: fn}
		found = append(found, a)
	}
	return found
}

func (a *pooledArray) propose(p *Program) (*model.Change, string) {
	if why := a.place(); why != "" {
		return nil, why
	}
	a.wide = newDispatch(p, a.fn.file.pkg, nil)
	fl, whole, why := a.follow(p)
	if why != "" {
		return nil, why
	}
	for _, v := range fl.vars {
		if v != a.v && fl.definition(v).Pos() < a.stmt.Pos() {
			return nil, "a slice of it is held in " + v.Name() + ", which a deferred call may look at after it is put back"
		}
	}
	what := a.name.Name
	if len(what) < 2 {
		what = "buf"
	}
	name := p.poolName(a.fn, what)
	taken := a.name.Name
	if a.made != nil {
		taken = p.freeName(a.fn, a.name.Name+"Array", "array", "pooled")
	}
	if name == "" || taken == "" {
		return nil, "no name is free for the pool"
	}
	h := &holder{name: name, elem: a.typeText, made: "new(" + a.typeText + ")",
		says: fmt.Sprintf("%s holds the scratch space of %s between its calls.", name, a.fn.obj.Name())}
	more := a.poolEdits(p, h, taken)
	for _, id := range whole {
		at := p.offset(id.Pos())
		more = append(more, p.edit(a.fn.file, at, at, "*"))
	}
	declared, why := h.declare(p, a.fn)
	if why != "" {
		return nil, why
	}
	edits, err := p.settle(append(declared, more...))
	if err != nil {
		return nil, err.Error()
	}
	kept := model.Obligation{Text: "nothing refers to " + a.name.Name + " after the call", How: "proven",
		Why: "it is only indexed, copied and passed to functions that do not keep it"}
	if len(fl.assumed) > 0 {
		kept.How, kept.Why = "assumed", strings.Join(fl.assumed, "; ")
	}
	clean := model.Obligation{Text: "no call sees what another has left in it", How: "proven", Why: "it is overwritten when it is taken"}
	return &model.Change{
		ID: changeID("pool", a.fn.obj.FullName(), edits), Kind: "pool", Class: "B",
		Title: fmt.Sprintf("%s: take %s's %s from a pool", a.fn.file.pkg.Name, a.fn.obj.Name(), a.name.Name),
		Edits: edits, Obligations: []model.Obligation{kept, clean, lost(true), ready()}, Retains: perP(fmt.Sprintf("%d bytes", a.size)),
	}, ""
}

// place checks the declaration.
func (a *pooledArray) place() string {
	f := a.fn.file
	switch {
	case editable(f) != "":
		return editable(f)
	case !plain(a.array.Elem()):
		return "its elements hold pointers or are composite"
	case a.size > maxPooled:
		return fmt.Sprintf("%d bytes are too many to keep in a pool", a.size)
	case stmtList(f.parent(a.stmt)) == nil:
		return "it is declared in the head of a statement"
	case f.loop(a.stmt) != nil:
		return "it is declared in a loop: a deferred call would put it back only when the function returns"
	case hasGoto(a.fn.decl.Body):
		return a.fn.obj.Name() + " uses goto"
	case a.spec != nil:
		return a.grouped()
	}
	return ""
}

// poolEdits takes the array from the pool under a name; a slice that was made
// is a slice of it.
func (a *pooledArray) poolEdits(p *Program, h *holder, taken string) []model.Edit {
	f := a.fn.file
	text := fmt.Sprintf("%s := %s.Get().(*%s)\ndefer %s.Put(%s)", taken, h.name, h.elem, h.name, taken)
	switch {
	case a.made != nil:
		end := ""
		if a.length != a.array.Len() {
			end = p.source(f, a.made.Args[1])
		}
		text += fmt.Sprintf("\n*%s = %s{}\n%s := %s[:%s]", taken, h.elem, a.name.Name, taken, end)
	case a.init != nil:
		text += fmt.Sprintf("\n*%s = %s", taken, p.source(f, a.init))
	case !a.overwritten(p):
		text += fmt.Sprintf("\n*%s = %s{}", taken, h.elem)
	}
	if a.spec == nil {
		return []model.Edit{p.edit(f, p.offset(a.stmt.Pos()), p.offset(a.stmt.End()), text)}
	}
	start, end := p.lineOf(f, a.spec)
	return []model.Edit{p.edit(f, start, end, ""), p.edit(f, p.offset(a.stmt.End()), p.offset(a.stmt.End()), "\n"+text)}
}
