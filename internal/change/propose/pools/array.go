package pools

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// minPooled is the size in bytes below which making an array costs no more
// than taking it from a pool: 4 bytes take 1.0 times as long, 16 bytes 1.7 and
// 64 bytes 2.9 (amd64, Go 1.26, read by io.ReadFull).
const minPooled = 8

// A pooledArray is a local array, or a make of constant size, that escapes.
type pooledArray struct {
	*prove.Local
	fn   *prove.Function
	size int64
	loop ast.Stmt // the outermost loop around it, with its label; nil without one
}

// arraysAt returns those that a line declares, but for the ones that are
// better kept in a field of the receiver.
func arraysAt(s *prove.Site, inField func(*prove.Program, *prove.Function, *prove.Local) bool) []*pooledArray {
	var found []*pooledArray
	for _, l := range s.LocalsAt(s.Fn, s.At.Line) {
		a := &pooledArray{Local: l, fn: s.Fn, size: code.Size(s.Fn.File.Pkg.TypesSizes, l.Array)}
		if !prove.Escapes(s.Target, s.At, l.Name.Name) || a.size < minPooled {
			continue
		}
		if a.size < prove.LargeField {
			again := *l
			if inField(s.Program, s.Fn, &again) {
				continue
			}
		}
		l.Method = &prove.Method{Function: s.Fn}
		a.loop = a.around()
		found = append(found, a)
	}
	return found
}

func (a *pooledArray) propose(p *prove.Program) (*model.Change, *prove.Reason) {
	if why := a.place(); why != nil {
		return nil, why
	}
	a.Wide = prove.NewDispatch(p, a.fn.File.Pkg, nil)
	var why *prove.Reason
	if a.Copied, why = a.handedOn(); why != nil {
		return nil, why
	}
	fl, whole, why := a.Follow(p)
	if why != nil {
		return nil, why
	}
	if why := heldBefore(fl, a.Stmt, a.Var); why != nil {
		return nil, why
	}
	name := poolName(p, a.fn, a.Name.Name)
	taken := a.Name.Name
	if a.Made != nil || a.loop != nil {
		taken = code.FirstFree(a.fn.Decl, a.Name.Name+"Array", "array", "pooled")
	}
	if name == "" || taken == "" {
		return nil, prove.Refuse("no name is free for the pool")
	}
	h := &holder{name: name, elem: a.TypeText, made: "new(" + a.TypeText + ")",
		says: fmt.Sprintf("%s holds the scratch space of %s between its calls.", name, a.fn.Obj.Name())}
	copies, alike, why := a.copies(p, fl.Vars)
	if why != nil {
		return nil, why
	}
	more := append(a.poolEdits(p, h, taken), copies...)
	for _, id := range whole {
		more = append(more, p.Insert(a.fn.File, id.Pos(), "*"))
	}
	declared, why := h.declare(p, a.fn)
	if why != nil {
		return nil, why
	}
	kept := model.Obligation{Text: "nothing refers to " + a.Name.Name + " after the call", How: "proven",
		Why: "it is only indexed, copied and passed to functions that do not keep it"}
	kept = prove.Assuming(kept, fl.Assumed)
	clean := model.Obligation{Text: "no call sees what another has left in it", How: "proven", Why: "it is overwritten when it is taken"}
	hypothesis := ""
	if len(copies) > 0 {
		hypothesis = "B/op falls"
	}
	return p.Change(a.fn, append(declared, more...), model.Change{
		Kind: "pool", Hypothesis: hypothesis,
		Title:       fmt.Sprintf("%s: take %s's %s from a pool", a.fn.File.Pkg.Name, a.fn.Obj.Name(), a.Name.Name),
		Obligations: append([]model.Obligation{kept, clean, lost(true), ready()}, alike...), Retains: perP(fmt.Sprintf("%d bytes", a.size)),
	})
}

// place checks the declaration.
func (a *pooledArray) place() *prove.Reason {
	f := a.fn.File
	switch {
	case prove.Editable(f) != nil:
		return prove.Editable(f)
	case !prove.Plain(a.Array.Elem()):
		return prove.Refuse("its elements hold pointers or are composite")
	case a.size > maxPooled:
		return prove.Refusef("%d bytes are too many to keep in a pool", a.size)
	case code.StmtList(f.Parent(a.Stmt)) == nil:
		return prove.Refuse("it is declared in the head of a statement")
	case a.loop != nil && code.StmtList(f.Parent(a.loop)) == nil:
		return prove.Refuse("nothing can stand before the loop around it")
	case code.Jumps(a.fn.Decl.Body):
		return prove.Refuse(a.fn.Obj.Name() + " uses goto")
	case a.Spec != nil:
		return a.Grouped()
	}
	return nil
}

// around returns the outermost loop of its function around it.
func (a *pooledArray) around() ast.Stmt {
	f := a.fn.File
	var loop ast.Stmt
	for body := f.Loop(a.Stmt); body != nil; body = f.Loop(loop) {
		loop = f.Parent(body).(ast.Stmt)
		if label, ok := f.Parent(loop).(*ast.LabeledStmt); ok {
			loop = label
		}
	}
	return loop
}

// poolEdits takes the array from the pool under a name, before the loops
// around it; a slice that was made is a slice of it.
func (a *pooledArray) poolEdits(p *prove.Program, h *holder, taken string) []model.Edit {
	f, name := a.fn.File, a.Name.Name
	get := fmt.Sprintf("%s := %s.Get().(*%s)\ndefer %s.Put(%s)\n", taken, h.name, h.elem, h.name, taken)
	text := ""
	switch {
	case a.Made != nil:
		end := ""
		if a.Length != a.Array.Len() {
			end = p.Source(f, a.Made.Args[1])
		}
		text = fmt.Sprintf("*%s = %s{}\n%s := %s[:%s]", taken, h.elem, name, taken, end)
	case a.Init != nil:
		text = fmt.Sprintf("*%s = %s", taken, p.Source(f, a.Init))
	case !a.Overwritten(p):
		text = fmt.Sprintf("*%s = %s{}", taken, h.elem)
	}
	var edits []model.Edit
	if a.loop == nil {
		text = strings.TrimSuffix(get+text, "\n")
	} else {
		edits = append(edits, p.Insert(f, a.loop.Pos(), get))
		if a.Made == nil {
			text = strings.TrimPrefix(text+"\n", "\n") + name + " := " + taken
		}
	}
	if a.Spec == nil {
		return append(edits, p.Put(f, a.Stmt.Pos(), a.Stmt.End(), text))
	}
	return append(edits, p.Drop(f, a.Spec), p.Insert(f, a.Stmt.End(), "\n"+text))
}
