package pools

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// pooledArrays are several local arrays of a function that go to the heap for the same reason. They come from one pool,
// as the fields of a struct.
type pooledArrays struct {
	fn    *prove.Function
	parts []*pooledArray
	size  int64
	whole map[*pooledArray][]*ast.Ident
	field map[*pooledArray]string // its name in the struct
	known []string                // what is assumed of functions that get them
	first ast.Stmt                // before which the struct is taken
}

// jointArraysAt returns the array that a line declares, with the others of its function that go to the heap for certain;
// nil where there are none, or a field of the receiver would hold the array.
func jointArraysAt(s *prove.Site, inField func(*prove.Program, *prove.Function, *prove.Local) bool) *pooledArrays {
	all := &pooledArrays{fn: s.Fn, whole: map[*pooledArray][]*ast.Ident{}, field: map[*pooledArray]string{}}
	here := false
	for line := s.Pos(s.Fn.Decl.Body.Lbrace).Line; line <= s.Pos(s.Fn.Decl.Body.Rbrace).Line; line++ {
		for _, l := range s.LocalsAt(s.Fn, line) {
			if slices.ContainsFunc(all.parts, func(a *pooledArray) bool { return a.Var == l.Var }) {
				continue
			}
			a := &pooledArray{Local: l, fn: s.Fn, size: code.Size(s.Fn.File.Pkg.TypesSizes, l.Array)}
			l.Method = &prove.Method{Function: s.Fn}
			if at := line == s.At.Line && prove.Escapes(s.Target, s.At, l.Name.Name); at || lent(a) {
				again := *l
				here = here || at && !inField(s.Program, s.Fn, &again)
				a.loop = a.around()
				all.parts = append(all.parts, a)
				all.size += a.size
			}
		}
	}
	if !here || len(all.parts) < 2 || all.size < minPooled {
		return nil
	}
	return all
}

// lent reports whether a part of an array is given to a method that is known at run time only, or to a reader of package
// io: the array goes to the heap for that.
func lent(a *pooledArray) bool {
	info := a.fn.Info()
	for id := range prove.UsesIn(info, a.fn.Decl.Body, a.Var) {
		var arg ast.Node = id
		if part, ok := a.fn.File.Parent(id).(*ast.SliceExpr); ok {
			arg = part
		}
		call, ok := a.fn.File.Parent(arg).(*ast.CallExpr)
		if !ok || arg == ast.Node(id) && a.Made == nil || call.Fun == arg {
			continue
		}
		target := code.Callee(info, call)
		if target == nil {
			continue
		}
		read := target.FullName() == "io.ReadFull" || target.FullName() == "io.ReadAtLeast"
		if code.IsInterfaceMethod(target) || read && types.IsInterface(info.TypeOf(call.Args[0])) {
			return true
		}
	}
	return false
}

// follow says why the arrays cannot all come from one pool.
func (all *pooledArrays) follow(p *prove.Program) *prove.Reason {
	f := all.fn.File
	for _, a := range all.parts {
		if why := a.place(); why != nil {
			return why
		}
		switch {
		case a.Spec != nil:
			return prove.Refuse(a.Name.Name + " is declared in a group")
		case f.Literal(a.Stmt) != nil:
			return prove.Refuse(a.Name.Name + " is declared in a function literal")
		case f.Commented(a.Stmt):
			return prove.Refuse("there is a comment within a declaration")
		}
		a.Wide = prove.NewDispatch(p, f.Pkg, nil)
		fl, whole, why := a.Follow(p)
		if why == nil {
			why = heldBefore(fl, a.Stmt, a.Var)
		}
		if why != nil {
			return why
		}
		all.whole[a] = whole
		for _, known := range fl.Assumed {
			if !slices.Contains(all.known, known) {
				all.known = append(all.known, known)
			}
		}
	}
	all.first = all.before()
	all.call()
	return nil
}

// call names the fields. Arrays of several branches may have one name.
func (all *pooledArrays) call() {
	taken := map[string]bool{}
	for _, a := range all.parts {
		for i := 1; all.field[a] == "" || taken[all.field[a]]; i++ {
			all.field[a] = prove.Numbered(a.Name.Name, i)
		}
		taken[all.field[a]] = true
	}
}

// before returns the statement of the function's own list that the first of the arrays is in: it is in no loop.
func (all *pooledArrays) before() ast.Stmt {
	list := all.fn.Decl.Body.List
	return list[slices.IndexFunc(list, func(s ast.Stmt) bool { return code.Within(s, all.parts[0].Stmt) })]
}

func (all *pooledArrays) propose(p *prove.Program) (*model.Change, *prove.Reason) {
	if why := all.follow(p); why != nil {
		return nil, why
	}
	fn := all.fn
	name, taken := poolName(p, fn, "scratch"), code.FirstFree(fn.Decl, "scratch", "arrays", "pooled")
	kind := code.LowerName(strings.TrimSuffix(name, "Pool")) + "Space"
	if name == "" || taken == "" || !p.Free(fn.File.Pkg, kind) {
		return nil, prove.Refuse("no name is free for the pool")
	}
	h := &holder{name: name, elem: kind, made: "new(" + kind + ")", kind: all.fields(kind),
		says: fmt.Sprintf("%s holds the scratch space of %s between its calls.", name, fn.Obj.Name())}
	edits, why := h.declare(p, fn)
	if why != nil {
		return nil, why
	}
	edits = append(edits, p.Insert(fn.File, all.first.Pos(), fmt.Sprintf("%s := %s.Get().(*%s)\ndefer %s.Put(%s)\n", taken, h.name, h.elem, h.name, taken)))
	var names []string
	for _, a := range all.parts {
		names = append(names, all.field[a])
		edits = append(edits, p.Put(fn.File, a.Stmt.Pos(), a.Stmt.End(), a.partOf(p, taken+"."+all.field[a])))
		for _, id := range all.whole[a] {
			edits = append(edits, p.Insert(fn.File, id.Pos(), "*"))
		}
	}
	last := len(names) - 1
	text := strings.Join(names[:last], ", ") + " and " + names[last]
	kept := prove.Assuming(model.Obligation{Text: "nothing refers to " + text + " after the call", How: "proven",
		Why: "they are only indexed, copied and passed to functions that do not keep them"}, all.known)
	clean := model.Obligation{Text: "no call sees what another has left in them", How: "proven", Why: "each is overwritten where it was declared"}
	return p.Change(fn, edits, model.Change{
		Kind: "pool", Title: fmt.Sprintf("%s: take %s's %s from one pool", fn.File.Pkg.Name, fn.Obj.Name(), text),
		Obligations: []model.Obligation{kept, clean, lost(true), ready()}, Retains: perP(fmt.Sprintf("%d bytes", all.size)),
	})
}

// fields declares the struct.
func (all *pooledArrays) fields(kind string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is the scratch space of a call of %s.\ntype %[1]s struct {\n", kind, all.fn.Obj.Name())
	for _, a := range all.parts {
		fmt.Fprintf(&b, "\t%s %s\n", all.field[a], a.TypeText)
	}
	return b.String() + "}\n\n"
}

// partOf declares the variable as the field of the struct, with what it holds at first.
func (a *pooledArray) partOf(p *prove.Program, field string) string {
	name := a.Name.Name
	switch {
	case a.Made != nil:
		end := ""
		if a.Length != a.Array.Len() {
			end = p.Source(a.fn.File, a.Made.Args[1])
		}
		return fmt.Sprintf("%s = %s{}\n%s := %s[:%s]", field, a.TypeText, name, field, end)
	case a.Init != nil:
		return fmt.Sprintf("%s := &%s\n*%[1]s = %[3]s", name, field, p.Source(a.fn.File, a.Init))
	case a.Overwritten(p):
		return fmt.Sprintf("%s := &%s", name, field)
	}
	return fmt.Sprintf("%s := &%s\n*%[1]s = %[3]s{}", name, field, a.TypeText)
}
