package difftest

import (
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A shape compares the two versions of a type.
type shape struct {
	compatible bool     // values of the candidate's type serve the base's code
	added      []string // fields that only the candidate has
}

// compareTypes says whether base code can work with values of the candidate's
// type: it is the same, or a struct that has all the base's fields.
func compareTypes(b, c *types.TypeName) shape {
	if b == nil || c == nil || b.IsAlias() != c.IsAlias() {
		return shape{}
	}
	bt, ct := b.Type().Underlying(), c.Type().Underlying()
	if typeParams(b) != typeParams(c) {
		return shape{}
	}
	if types.TypeString(bt, nil) == types.TypeString(ct, nil) {
		return shape{compatible: true}
	}
	bs, ok := bt.(*types.Struct)
	cs, ok2 := ct.(*types.Struct)
	if !ok || !ok2 {
		return shape{}
	}
	type field struct{ typ, tag string }
	have, base := make(map[string]field), make(map[string]bool)
	of := func(s *types.Struct, i int) field {
		f := s.Field(i)
		typ := types.TypeString(f.Type(), nil)
		if f.Embedded() {
			typ = "embedded " + typ
		}
		return field{typ, s.Tag(i)}
	}
	for i := range cs.NumFields() {
		have[cs.Field(i).Name()] = of(cs, i)
	}
	for i := range bs.NumFields() {
		name := bs.Field(i).Name()
		if got, ok := have[name]; !ok || got != of(bs, i) {
			return shape{}
		}
		base[name] = true
	}
	s := shape{compatible: true}
	for i := range cs.NumFields() {
		if name := cs.Field(i).Name(); !base[name] {
			s.added = append(s.added, name)
		}
	}
	return s
}

func typeParams(t *types.TypeName) string {
	n, ok := t.Type().(*types.Named)
	if !ok || n.TypeParams().Len() == 0 {
		return ""
	}
	var s string
	for i := range n.TypeParams().Len() {
		p := n.TypeParams().At(i)
		s += p.Obj().Name() + " " + types.TypeString(p.Constraint(), nil) + ","
	}
	return s
}

// mentions reports whether one of a set of declared types is part of how t is
// written. It does not look behind other declared types.
func mentions(t types.Type, in func(*types.TypeName) bool) bool {
	declared, ok := t.(interface{ Obj() *types.TypeName })
	return ok && !code.IsTypeParam(t) && in(declared.Obj()) || code.Parts(t, func(part types.Type) bool { return mentions(part, in) })
}
