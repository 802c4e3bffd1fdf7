package storage

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Scratch moves a local array or make of constant size that escapes into the
// receiver's struct.
var Scratch = prove.Transformation{
	Name:     "scratch-to-field",
	Doc:      "A local array or constant-size make that the compiler moves to the heap becomes a field of the method's receiver.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "scratch-to-field", "BenchmarkNext", "allocs", "no allocation for the head of a record", 0),
	// It looks at the declarations on the target's lines.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for _, l := range s.LocalsAt(s.Fn, s.At.Line) {
			if !prove.Escapes(s.Target, s.At, l.Name.Name) {
				continue
			}
			ch, why := proposeScratch(s.Program, s.Fn, l)
			s.Add(l.Name.Name+" stays a local variable", ch, why)
		}
	}),
}

// maxScratch is the largest array that a struct is made to carry, in bytes.
const maxScratch = 64 << 10

// propose works out the change for one declaration, or why there is none.
func proposeScratch(p *prove.Program, fn *prove.Function, l *prove.Local) (*model.Change, *prove.Reason) {
	m, why := p.MethodOf(fn)
	if why != nil {
		return nil, why
	}
	l.Method = m
	if why := declaration(l, p); why != nil {
		return nil, why
	}
	uses, whole, why := l.Follow(p)
	if why != nil {
		return nil, why
	}
	obligations, why := argue(p, m, l.Name.Name, l.Stmt, uses)
	if why != nil {
		return nil, why
	}
	field := fieldName(p, m, m.Obj.Name(), l.Name.Name)
	if field == "" {
		return nil, prove.Refuse("no name is free for the field")
	}
	return p.Change(fn, edits(l, p, field, whole), model.Change{
		Kind:        "scratch-to-field",
		Title:       fmt.Sprintf("%s: keep %s's %s in %s", m.File.Pkg.Name, m.Obj.Name(), l.Name.Name, m.Named.Obj().Name()),
		Obligations: obligations, Retains: retained(p, m, l.Array),
	})
}

// Fits reports whether there is a change for one declaration.
func Fits(p *prove.Program, fn *prove.Function, l *prove.Local) bool {
	c, _ := proposeScratch(p, fn, l)
	return c != nil
}

// declaration checks the declaration itself.
func declaration(l *prove.Local, p *prove.Program) *prove.Reason {
	if b, ok := l.Array.Elem().Underlying().(*types.Basic); !ok || b.Info()&types.IsString != 0 || b.Kind() == types.UnsafePointer {
		return prove.Refuse("its elements hold pointers or are composite")
	}
	if size := l.Method.File.Pkg.TypesSizes.Sizeof(l.Array); size > maxScratch {
		return prove.Refusef("%d bytes are too many for a field", size)
	}
	if code.StmtList(l.Method.File.Parent(l.Stmt)) == nil {
		return prove.Refuse("it is declared in the head of a statement")
	}
	if why := receiverAt(p, l.Method, l.Stmt); why != nil {
		return why
	}
	if l.Spec != nil {
		return l.Grouped()
	}
	return nil
}

// edits makes the field, the pointer or slice that takes the variable's name,
// and the dereferences.
func edits(l *prove.Local, p *prove.Program, field string, whole []*ast.Ident) []model.Edit {
	recv, name := l.Method.Recv.Name(), l.Name.Name
	edits := []model.Edit{fieldEdit(p, l.Method, field, l.TypeText,
		fmt.Sprintf("%s is scratch space of %s: nothing in it outlives a call.", field, l.Method.Obj.Name()))}
	var text string
	switch {
	case l.Made != nil:
		text = fmt.Sprintf("%s.%s = %s{}\n%s := %s.%s[:]", recv, field, l.TypeText, name, recv, field)
		if l.Length != l.Array.Len() {
			text = strings.TrimSuffix(text, ":]") + fmt.Sprintf(":%s]", p.Source(l.Method.File, l.Made.Args[1]))
		}
	case l.Init != nil:
		text = fmt.Sprintf("%s := &%s.%s\n*%s = %s", name, recv, field, name, p.Source(l.Method.File, l.Init))
	case l.Overwritten(p):
		text = fmt.Sprintf("%s := &%s.%s", name, recv, field)
	default:
		text = fmt.Sprintf("%s := &%s.%s\n*%s = %s{}", name, recv, field, name, l.TypeText)
	}
	if l.Spec == nil {
		edits = append(edits, p.Put(l.Method.File, l.Stmt.Pos(), l.Stmt.End(), text))
	} else {
		edits = append(edits, p.Drop(l.Method.File, l.Spec), p.Insert(l.Method.File, l.Stmt.End(), "\n"+text))
	}
	for _, id := range whole {
		edits = append(edits, p.Insert(l.Method.File, id.Pos(), "*"))
	}
	return edits
}
