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

// unseen argues that nothing can tell that the receiver's struct has one more field. Where a copy of the struct would do
// harm, shared says which. It is assumed where packages that were not read can compare or copy a value.
func unseen(p *prove.Program, m *prove.Method, shared string) (model.Obligation, *prove.Reason) {
	facts, struc := p.StructUses(m), m.Named.Obj().Name()
	o := model.Obligation{Text: "nothing can tell that " + struc + " has one more field", How: "proven",
		Why: "in what was read, it is not compared, converted, measured, written without field names or shown with all its fields"}
	if shared != "" {
		o.Why = strings.Replace(o.Why, "compared", "copied, compared", 1)
		if facts.Why == nil && facts.Copied != "" {
			return o, prove.Refusef("%s is copied at %s: %s", struc, facts.Copied, shared)
		}
	}
	if m.Named.Obj().Exported() && m.File.Pkg.Name != "main" && (shared != "" || types.Comparable(m.Named)) {
		o.How = "assumed"
	}
	return o, facts.Why
}

// held collects the obligations on a method that keeps something in one more field of its receiver. For shared, see unseen.
func held(p *prove.Program, m *prove.Method, at ast.Node, shared string) ([]model.Obligation, *prove.Reason) {
	alone, why := p.OneAtATime(m, at)
	if why != nil {
		return nil, why
	}
	notNil, why := p.NotNil(m, at)
	if why != nil {
		return nil, why
	}
	field, why := unseen(p, m, shared)
	return []model.Obligation{alone, notNil, field}, why
}

// argue collects the obligations on how the method is called when storage of
// a call, which the flow has followed, lives in the receiver.
func argue(p *prove.Program, m *prove.Method, name string, at ast.Node, fl *flow.Flow) ([]model.Obligation, *prove.Reason) {
	kept := model.Obligation{Text: "nothing refers to " + name + " after the call", How: "proven",
		Why: "it is only indexed, copied and passed to functions that do not keep it"}
	kept = prove.Assuming(kept, fl.Assumed)
	once, why := p.NotReentered(m.Function)
	if why != nil {
		return nil, why
	}
	if at := p.OverwritesWhole(m); at != "" {
		return nil, prove.Refusef("a whole %s is overwritten at %s, which may happen while it is in use", m.Named.Obj().Name(), at)
	}
	others, why := held(p, m, at, "")
	return append([]model.Obligation{kept, once}, others...), why
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
