package boxing

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// own reports whether the package itself gives a literal its type: it is the value of a
// new variable, or the result of a function that only the package calls.
func own(lit inspector.Cursor) bool {
	switch n := lit.Parent().Node().(type) {
	case *ast.AssignStmt:
		return n.Tok == token.DEFINE
	case *ast.ReturnStmt:
		fn, _ := code.Func(lit.Parent())
		fd, ok := fn.Node().(*ast.FuncDecl)
		return ok && fd.Recv == nil && !fd.Name.IsExported() && fd.Type.Results.NumFields() == 1
	}
	return false
}

// result reports a function that returns any and means one type, unless its own is
// prescribed.
func (b *boxer) result(cur inspector.Cursor, sig *types.Signature, name string, prescribed bool) {
	results := sig.Results()
	if prescribed {
		return
	}
	for i := range results.Len() {
		if !isAny(results.At(i).Type()) || sig.Recv() != nil && !b.asserted(cur, i) {
			continue
		}
		var one types.Type
		var first ast.Expr
		for at := range cur.Preorder((*ast.ReturnStmt)(nil)) {
			if fn, _ := code.Func(at); fn != cur {
				continue
			}
			ret := at.Node().(*ast.ReturnStmt)
			if len(ret.Results) != results.Len() {
				return // bare, or another call's results
			}
			if b.absent(ret, i) && b.asserted(cur, i) {
				continue
			}
			x := unboxed(b.p.TypesInfo, ret.Results[i])
			t := b.p.TypesInfo.TypeOf(x)
			if one != nil && !types.Identical(t, one) || t == nil {
				return
			}
			one = t
			if first == nil && (b.boxes(x) || number(t)) && !code.Rare(b.p.TypesInfo, at) {
				first = ret.Results[i]
			}
		}
		if first != nil {
			b.p.Report(rule.Finding{
				Pos: first.Pos(), End: first.End(),
				Message: fmt.Sprintf("%s boxes its result into any, although it is always %s; declare the type", name, types.TypeString(one, types.RelativeTo(b.p.Pkg))),
			})
		}
	}
}

// absent reports whether result i of a return is nil beside a false or an error, which say
// that there is no value.
func (b *boxer) absent(ret *ast.ReturnStmt, i int) bool {
	last := ret.Results[len(ret.Results)-1]
	if i == len(ret.Results)-1 || !b.p.TypesInfo.Types[ret.Results[i]].IsNil() {
		return false
	}
	tv := b.p.TypesInfo.Types[last]
	return code.ReturnsError(b.p.TypesInfo, ret) || tv.Value != nil && tv.Value.Kind() == constant.Bool && !constant.BoolVal(tv.Value)
}

// asserted reports whether a call of the function at cur asserts the type of its result i: no
// other any is meant to take it.
func (b *boxer) asserted(cur inspector.Cursor, i int) bool {
	fd, ok := cur.Node().(*ast.FuncDecl)
	if !ok {
		return false
	}
	for at := range b.p.Index.CallsOf(b.p.TypesInfo.Defs[fd.Name]) {
		if at.ParentEdgeKind() == edge.TypeAssertExpr_X {
			return true
		}
		assign, ok := at.Parent().Node().(*ast.AssignStmt)
		if !ok || i >= len(assign.Lhs) {
			continue
		}
		for _, use := range b.p.Index.Uses(code.Var(b.p.TypesInfo, assign.Lhs[i])) {
			if use.ParentEdgeKind() == edge.TypeAssertExpr_X {
				return true
			}
		}
	}
	return false
}

// number reports whether a type parameter stands for types that are listed, and no pointer is
// among them, as with numbers.
func number(t types.Type) bool {
	param, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return false
	}
	set := param.Constraint().Underlying().(*types.Interface)
	for i := range set.NumEmbeddeds() {
		if u, ok := set.EmbeddedType(i).(*types.Union); ok {
			_, basic := u.Term(0).Type().Underlying().(*types.Basic)
			return basic
		}
	}
	return false
}

// unboxed returns the operand of a conversion to any.
func unboxed(info *types.Info, x ast.Expr) ast.Expr {
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() && isAny(info.TypeOf(call)) {
		return call.Args[0]
	}
	return x
}

// fields reports numbers that are stored in fields of type any to which the
// package stores nothing but numbers.
func (b *boxer) fields() {
	for _, name := range b.p.Pkg.Scope().Names() {
		tn, ok := b.p.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		s, ok := tn.Type().Underlying().(*types.Struct)
		if !ok || tn.IsAlias() {
			continue
		}
		for f := range s.Fields() {
			if isAny(f.Type()) {
				b.field(tn.Name(), f)
			}
		}
	}
}

func (b *boxer) field(typ string, f *types.Var) {
	var stores []inspector.Cursor
	for _, cur := range b.p.Index.Uses(f) {
		value, ok := store(cur)
		if !ok {
			if passedOn(cur) {
				return // a number would be boxed there
			}
			continue
		}
		x := value.Node().(ast.Expr)
		basic, ok := b.p.TypesInfo.TypeOf(x).Underlying().(*types.Basic)
		if !ok || basic.Info()&types.IsNumeric == 0 {
			return // a pointer, a string: any has its reason
		}
		if b.boxes(x) && !code.Rare(b.p.TypesInfo, value) {
			stores = append(stores, value)
		}
	}
	for _, value := range stores {
		b.p.Report(rule.Finding{
			Pos: value.Node().Pos(), End: value.Node().End(),
			Message: fmt.Sprintf("storing a number in %s.%s, which is any, allocates; all that the package stores there are numbers", typ, f.Name()),
		})
	}
}

// passedOn reports whether a use of a field takes the any as it is, rather
// than what is in it.
func passedOn(cur inspector.Cursor) bool {
	for cur.ParentEdgeKind() == edge.SelectorExpr_Sel || cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	switch cur.ParentEdgeKind() {
	case edge.TypeAssertExpr_X, edge.BinaryExpr_X, edge.BinaryExpr_Y, edge.AssignStmt_Lhs, edge.Field_Names:
		return false
	}
	return true
}

// store returns the value that a use of a field stores in it.
func store(cur inspector.Cursor) (inspector.Cursor, bool) {
	switch cur.ParentEdgeKind() {
	case edge.KeyValueExpr_Key:
		return cur.Parent().ChildAt(edge.KeyValueExpr_Value, -1), true
	case edge.SelectorExpr_Sel:
		sel := cur.Parent()
		if sel.ParentEdgeKind() != edge.AssignStmt_Lhs {
			return cur, false
		}
		assign := sel.Parent()
		n := assign.Node().(*ast.AssignStmt)
		if len(n.Lhs) != len(n.Rhs) {
			return cur, false
		}
		return assign.ChildAt(edge.AssignStmt_Rhs, sel.ParentEdgeIndex()), true
	}
	return cur, false
}
