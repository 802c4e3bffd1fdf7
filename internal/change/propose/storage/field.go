package storage

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// receiverAt checks that the receiver's name means the receiver at n, in the
// method's own body.
func receiverAt(p *prove.Program, m *prove.Method, n ast.Node) *prove.Reason {
	if m.File.Literal(n) != nil {
		return prove.Refuse("it stands in a function literal")
	}
	if code.WrittenIn(m.Info(), m.Decl.Body, m.Recv) {
		return prove.Refuse("the receiver is assigned to or its address is taken")
	}
	scope := m.Obj.Pkg().Scope().Innermost(n.Pos())
	if _, obj := scope.LookupParent(m.Recv.Name(), n.Pos()); obj != m.Recv {
		return prove.Refuse("another variable hides the receiver there")
	}
	if code.Jumps(m.Decl.Body) {
		return prove.Refuse(m.Obj.Name() + " uses goto")
	}
	return nil
}

// outsideHow is "assumed" where packages that were not read can name the type.
func outsideHow(m *prove.Method) string {
	if m.Named.Obj().Exported() && m.File.Pkg.Name != "main" && types.Comparable(m.Named) {
		return "assumed"
	}
	return "proven"
}

// argue collects the obligations on how the method is called when storage of
// a call, which the flow has followed, lives in the receiver.
func argue(p *prove.Program, m *prove.Method, name string, at ast.Node, fl *flow.Flow) ([]model.Obligation, *prove.Reason) {
	kept := model.Obligation{Text: "nothing refers to " + name + " after the call", How: "proven",
		Why: "it is only indexed, copied and passed to functions that do not keep it"}
	kept = prove.Assuming(kept, fl.Assumed)
	alone, why := p.OneAtATime(m, at)
	if why != nil {
		return nil, why
	}
	once, why := p.NotReentered(m.Function)
	if why != nil {
		return nil, why
	}
	struc := m.Named.Obj().Name()
	if at := p.OverwritesWhole(m); at != "" {
		return nil, prove.Refuse("a whole " + struc + " is overwritten at " + at + ", which may happen while it is in use")
	}
	notNil, why := p.NotNil(m, at)
	if why != nil {
		return nil, why
	}
	facts := p.StructUses(m)
	if facts.Why != nil {
		return nil, facts.Why
	}
	unseen := model.Obligation{Text: "nothing can tell that " + struc + " has one more field", How: outsideHow(m),
		Why: "in what was read, it is not compared, converted, measured, written without field names or shown with all its fields"}
	return []model.Obligation{kept, alone, once, notNil, unseen}, nil
}

// retained says what a field of a type costs per value of the receiver's type.
func retained(p *prove.Program, m *prove.Method, t types.Type) string {
	text := fmt.Sprintf("%d bytes per %s", m.File.Pkg.TypesSizes.Sizeof(t), m.Named.Obj().Name())
	if rest, one := strings.CutPrefix(text, "1 bytes "); one {
		text = "1 byte " + rest
	}
	if facts := p.StructUses(m); facts.Copied != "" {
		text += fmt.Sprintf(", also in each copy of it (%s)", facts.Copied)
	}
	if m.File.Pkg.TypesSizes.Sizeof(t) >= prove.LargeField {
		text += "; a pool, which is proposed too where it can be, would hold them per processor instead"
	}
	return text
}

// fieldEdit adds a field with a comment at the end of the receiver's struct.
func fieldEdit(p *prove.Program, m *prove.Method, name, typ, comment string) model.Edit {
	gap := "\n"
	if m.Shape.Fields.NumFields() == 0 {
		gap = ""
	}
	if p.Fset.Position(m.Shape.Fields.Opening).Line == p.Fset.Position(m.Shape.Fields.Closing).Line {
		gap = "\n\n"
	}
	return p.Insert(m.Home, m.Shape.Fields.Closing, fmt.Sprintf("%s\t// %s\n\t%s %s\n", gap, comment, name, typ))
}

// fieldName returns the name for a new field, or "" if it is taken: any use
// of the name as an identifier in the package or its tests counts.
func fieldName(p *prove.Program, m *prove.Method, first, second string) string {
	if second == "" {
		return ""
	}
	name := code.LowerName(first) + code.UpperName(second)
	if !p.Free(m.File.Pkg, name) {
		return ""
	}
	return name
}
