package sizes

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// variable reads a statement that declares a struct, var x T or x := T{…}, whose address a statement of the
// loop's body stores.
func (e *element) variable(s ast.Stmt) bool {
	info := e.fn.Info()
	name, typ, value := code.Declared(s)
	if name == nil || info.Defs[name] == nil {
		return false
	}
	if lit, ok := value.(*ast.CompositeLit); ok && typ == nil {
		typ = lit.Type
		if len(lit.Elts) > 0 {
			e.lit = lit
		}
	} else if value != nil {
		return false
	}
	v, ok := info.Defs[name].(*types.Var)
	if !ok || typ == nil {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Struct); !ok {
		return false
	}
	e.v, e.typ = v, typ
	return e.storedAs(e.address)
}

// ranged reads for …, x := range …, whose variable is a new struct in each iteration and whose address a
// statement of the body stores.
func (e *element) ranged(s *ast.RangeStmt) bool {
	id, ok := s.Value.(*ast.Ident)
	if !ok || s.Tok != token.DEFINE || len(s.Body.List) == 0 || !e.p.GoAtLeast(e.fn.File, "go1.22") {
		return false
	}
	v, ok := e.fn.Info().Defs[id].(*types.Var)
	if !ok {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Struct); !ok {
		return false
	}
	e.loop, e.body, e.stmt, e.v, e.typ = s, s.Body, s.Body.List[0], v, id
	e.value = code.FirstFree(e.fn.Decl, "value", "element", "each")
	return e.value != "" && e.storedAs(e.address)
}

// address reports whether an expression is the variable's address.
func (e *element) address(x ast.Expr) bool {
	u, ok := ast.Unparen(x).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return false
	}
	id, ok := u.X.(*ast.Ident)
	return ok && e.fn.Info().Uses[id] == e.v
}

// pointed declares the variable as a pointer, and uses it as one.
func (e *element) pointed(declared string) []model.Edit {
	p, f := e.p, e.fn.File
	var edits []model.Edit
	if e.value == "" {
		edits = append(edits, p.Put(f, e.stmt.Pos(), e.stmt.End(), declared))
	} else {
		id, at := e.typ, p.Offset(e.stmt.Pos())
		edits = append(edits, p.Put(f, id.Pos(), id.End(), e.value), p.Edit(f, at, at, declared+"\n"))
	}
	return append(edits, p.Pointed(e.fn, e.body, e.v)...)
}
