package lookups

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Set leaves out the values of a map that nobody reads.
var Set = prove.Transformation{
	Name: "map-to-set",
	Doc: "A map whose values nobody reads, as only its keys matter, holds empty structs. " +
		"Nothing is boxed for it, and it has less to copy when it grows.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "map-to-set", "BenchmarkUnique", "allocs", "no value is put into an interface for a set of texts", 0),
	// It looks at the maps that the target's line mentions.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for id := range code.All[*ast.Ident](s.Fn.Decl.Body) {
			v, ok := s.Fn.Info().ObjectOf(id).(*types.Var)
			if !ok || s.Pos(id.Pos()).Line != s.At.Line || !valued(v) {
				continue
			}
			c, why := proposeSet(&set{p: s.Program, fn: s.Fn, v: v})
			s.Add("the values of "+v.Name()+" are kept", c, why)
		}
	}),
}

// valued reports whether a variable of this module is a map with values that take room.
func valued(v *types.Var) bool {
	m, ok := v.Type().Underlying().(*types.Map)
	if !ok || v.Pkg() == nil {
		return false
	}
	str, ok := m.Elem().Underlying().(*types.Struct)
	return !ok || str.NumFields() > 0
}

// A set is a map whose keys alone are asked for.
type set struct {
	p     *prove.Program
	fn    *prove.Function
	v     *types.Var
	read  bool // it is asked for a key
	edits []model.Edit
}

func proposeSet(s *set) (*model.Change, *prove.Reason) {
	if _, why := s.p.Hidden(s.fn, s.v); why != nil {
		return nil, why
	}
	why := s.p.EachUse(s.fn, s.v, s.use)
	if why == nil && !s.read {
		why = prove.Refuse("nothing asks for a key")
	}
	if why != nil {
		return nil, why
	}
	return s.p.Change(s.fn, s.edits, model.Change{
		Kind:  "map-to-set",
		Title: fmt.Sprintf("%s: keep no values in the set %s of %s", s.fn.File.Pkg.Name, s.v.Name(), s.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "nobody misses the values", How: "proven", Why: "each use of the map stores a value, asks whether a key is there, deletes one, counts them or goes over the keys"},
			{Text: "nothing is left out but values", How: "proven", Why: "working them out has no effect and cannot panic"},
		},
	})
}

// use takes one mention of the map in, and says why its values may be read there.
func (s *set) use(f *prove.File, info *types.Info, e ast.Expr, up ast.Node) *prove.Reason {
	switch up := up.(type) {
	case *ast.ValueSpec:
		return s.made(f, info, up.Type, up.Values)
	case *ast.Field:
		if s.v.IsField() {
			return s.made(f, info, up.Type, nil)
		}
	case *ast.KeyValueExpr:
		if up.Key == e && s.v.IsField() {
			return s.made(f, info, nil, []ast.Expr{up.Value})
		}
	case *ast.AssignStmt:
		if i := slices.Index(up.Lhs, e); i >= 0 && len(up.Lhs) == len(up.Rhs) {
			return s.made(f, info, nil, up.Rhs[i:i+1])
		}
	case *ast.IndexExpr:
		if up.X == e {
			return s.index(f, info, up)
		}
	case *ast.CallExpr:
		if code.IsBuiltin(info, up, "len") || code.IsBuiltin(info, up, "delete") || code.IsBuiltin(info, up, "clear") {
			s.read = s.read || code.IsBuiltin(info, up, "len")
			return nil
		}
	case *ast.RangeStmt:
		if v, _ := up.Value.(*ast.Ident); up.X == e && (up.Value == nil || v != nil && v.Name == "_") {
			s.read = true
			return nil
		}
	case *ast.BinaryExpr:
		return nil // with nil: there is nothing else to compare a map with
	}
	return prove.Refusef("its values may be read (%s)", s.p.Pos(e.Pos()))
}

// index takes in that a key is looked up, or a value stored.
func (s *set) index(f *prove.File, info *types.Info, x *ast.IndexExpr) *prove.Reason {
	a, ok := f.Parent(x).(*ast.AssignStmt)
	if !ok {
		return prove.Refusef("a value is read (%s)", s.p.Pos(x.Pos()))
	}
	if i := slices.Index(a.Lhs, ast.Expr(x)); i >= 0 && a.Tok == token.ASSIGN && len(a.Lhs) == len(a.Rhs) {
		return s.empty(f, info, a.Rhs[i], "struct{}{}")
	}
	if blank, ok := a.Lhs[0].(*ast.Ident); ok && blank.Name == "_" && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
		s.read = true
		return nil
	}
	return prove.Refusef("a value is read (%s)", s.p.Pos(x.Pos()))
}

// made takes in where the map is declared or made.
func (s *set) made(f *prove.File, info *types.Info, typ ast.Expr, values []ast.Expr) *prove.Reason {
	if typ != nil {
		if why := s.retyped(f, typ); why != nil {
			return why
		}
	}
	for _, value := range values {
		switch value := ast.Unparen(value).(type) {
		case *ast.CallExpr:
			if !code.IsBuiltin(info, value, "make") {
				return prove.Refusef("it is made elsewhere (%s)", s.p.Pos(value.Pos()))
			}
			if why := s.retyped(f, value.Args[0]); why != nil {
				return why
			}
		case *ast.CompositeLit:
			if why := s.retyped(f, value.Type); why != nil {
				return why
			}
			for _, pair := range value.Elts {
				if why := s.empty(f, info, pair.(*ast.KeyValueExpr).Value, "{}"); why != nil {
					return why
				}
			}
		default:
			if !code.IsNil(info, value) {
				return prove.Refusef("it is made elsewhere (%s)", s.p.Pos(value.Pos()))
			}
		}
	}
	return nil
}

// retyped writes the type of an empty struct for that of the values.
func (s *set) retyped(f *prove.File, typ ast.Expr) *prove.Reason {
	m, ok := typ.(*ast.MapType)
	if !ok {
		return prove.Refusef("its type is not written out (%s)", s.p.Pos(typ.Pos()))
	}
	return s.replace(f, m.Value, "struct{}")
}

// empty stores nothing instead of a value, which nobody misses.
func (s *set) empty(f *prove.File, info *types.Info, value ast.Expr, nothing string) *prove.Reason {
	eval := code.Eval{Info: info, Call: func(call *ast.CallExpr) code.Loss {
		return code.Loss{Grade: code.AnyLoss, Why: types.ExprString(call) + " may have an effect"}
	}}
	if loss := eval.Of(value); loss.Grade != code.NoLoss {
		return prove.Refuse(loss.Why)
	}
	return s.replace(f, value, nothing)
}

func (s *set) replace(f *prove.File, n ast.Node, text string) *prove.Reason {
	if why := prove.Editable(f); why != nil {
		return why
	}
	if f.Commented(n) {
		return prove.Refusef("there is a comment within it (%s)", s.p.Pos(n.Pos()))
	}
	s.edits = append(s.edits, s.p.Put(f, n.Pos(), n.End(), text))
	return nil
}
