// Package anyvalue finds values of one type that are kept as any.
package anyvalue

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "anyvalue",
	Title: "values of one type kept as any",
	IDs:   []string{"C10"}, Seeds: []string{"001"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "Each store boxes the new value on the heap, and each reader asserts its type. A field of the value's own type is changed in place; an atomic " +
		"one, by several goroutines.",
	WhenNot: "The package stores values of several types, or of one that it does not see. The field has a tag, since an encoder reads it.",
	Gap: "Other packages may store other types in what is exported. sync.Map.LoadOrStore with a new value as its argument allocates on each call too, " +
		"also where the key is there: Load comes first.",
	Signature: "runtime.convT and its kin in alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkAdd", Metric: "allocs",
		Claimed: "a typed counter instead of one in an interface: 42 ns and no allocation instead of 650 ns and two",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for field, stored := range stores(p) {
		if !isAny(field.Type()) {
			stored = contents(p, field, stored)
		}
		t := only(p.TypesInfo, stored)
		taken := func(f *ast.File) bool { return code.AddressTaken(p.TypesInfo, f, field) }
		if t == nil || !code.Boxes(p.TypesSizes, t) || slices.ContainsFunc(p.Files, taken) {
			continue
		}
		name := types.TypeString(t, types.RelativeTo(p.Pkg))
		for _, x := range stored {
			if tv := p.TypesInfo.Types[x]; tv.Value == nil && !tv.IsNil() {
				p.Report(rule.Finding{
					Pos: x.Pos(), End: x.End(),
					Message: fmt.Sprintf("the %s is boxed on the heap, and %s holds no other type: give it that one", name, field.Name()),
				})
			}
		}
	}
}

// only returns the one type that values have, nil if there are several, or one is in an
// interface already.
func only(info *types.Info, values []ast.Expr) (one types.Type) {
	for _, x := range values {
		if info.Types[x].IsNil() {
			continue
		}
		t := types.Default(info.TypeOf(x))
		if types.IsInterface(t) || one != nil && !types.Identical(one, t) {
			return nil
		}
		one = t
	}
	return one
}

// stores returns what the package stores in the fields of its structs that have type any,
// or are maps or slices of any, and no tag, and in variables that are such maps or slices.
func stores(p *rule.Pass) map[*types.Var][]ast.Expr {
	all := map[*types.Var][]ast.Expr{}
	for _, obj := range p.TypesInfo.Defs {
		switch obj := obj.(type) {
		case *types.TypeName:
			candidates(obj.Type(), all)
		case *types.Var:
			if own := obj.Kind() == types.LocalVar || obj.Kind() == types.PackageVar && !obj.Exported(); own && holdsAny(obj.Type()) {
				all[obj] = nil
			}
		}
	}
	if len(all) == 0 || !p.Index.Whole() {
		return nil
	}
	add := func(obj types.Object, x ast.Expr) {
		if f, ok := obj.(*types.Var); ok {
			if stored, ok := all[f.Origin()]; ok {
				all[f.Origin()] = append(stored, x)
			}
		}
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.AssignStmt)(nil), (*ast.CompositeLit)(nil), (*ast.ValueSpec)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				v := code.Named(p.TypesInfo, lhs)
				switch {
				case v != nil && len(n.Lhs) == len(n.Rhs):
					add(v, n.Rhs[i])
				case v != nil:
					add(v, lhs) // of any type
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Names) == len(n.Values) {
					add(p.TypesInfo.Defs[name], n.Values[i])
				} else if len(n.Values) > 0 {
					add(p.TypesInfo.Defs[name], name)
				}
			}
		case *ast.CompositeLit:
			elements(p.TypesInfo, n, add)
		}
	}
	return all
}

func isAny(t types.Type) bool {
	return code.IsAny(t) && !code.Generic(t)
}

// holdsAny reports whether the elements of a map or slice may be of any type. A named type
// of that kind has a meaning.
func holdsAny(t types.Type) bool {
	var elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Map:
		elem = t.Elem()
	case *types.Slice:
		elem = t.Elem()
	default:
		return false
	}
	in, ok := types.Unalias(elem).(*types.Interface)
	return ok && in.Empty()
}

// candidates adds the fields of a struct that may hold values of any type. A map or slice
// that other packages see may get more from them.
func candidates(t types.Type, all map[*types.Var][]ast.Expr) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if st.Tag(i) == "" && (isAny(f.Type()) || holdsAny(f.Type()) && !f.Exported()) {
			all[f.Origin()] = nil
		}
	}
}

// elements adds what a literal of a struct gives its fields.
func elements(info *types.Info, lit *ast.CompositeLit, add func(types.Object, ast.Expr)) {
	st, ok := code.Pointee(info.TypeOf(lit)).Underlying().(*types.Struct) // an element of a list of pointers is one
	if !ok {
		return
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			add(info.Uses[kv.Key.(*ast.Ident)], kv.Value)
		} else {
			add(st.Field(i), e)
		}
	}
}
