package classes

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// lookup reads an element of an array of the package that is written out and never changes.
func (d *predicate) lookup(e *ast.IndexExpr) value {
	v := code.Var(d.fn.Info(), e.X)
	if v == nil || v.Exported() {
		return nil
	}
	table := d.array(v)
	if table == nil {
		return nil
	}
	at := d.compile(e.Index)
	if at == nil {
		return nil
	}
	d.bends = true
	return func(c int64) int64 {
		i := at(c)
		if i < 0 || i >= int64(len(table)) {
			d.panics = true
			return 0
		}
		return table[i]
	}
}

// array returns what a variable of the package holds for good; nil where that is not known.
func (d *predicate) array(v *types.Var) []int64 {
	t, ok := v.Type().Underlying().(*types.Array)
	if !ok || t.Len() > 1<<16 || !d.laidOut(v) {
		return nil
	}
	_, value := d.declared(v)
	lit, isLit := value.(*ast.CompositeLit)
	if !isLit {
		return nil
	}
	written := false // tests are looked at as well, which have a variable of their own for it
	d.p.EachFile(d.fn.File.Pkg, func(f *prove.File, info *types.Info) {
		written = written || code.Any(f.Syntax, func(id *ast.Ident) bool {
			obj := info.Uses[id]
			return obj != nil && obj.Pos() == v.Pos() && code.WrittenIn(info, f.Syntax, obj)
		})
	})
	if written {
		return nil
	}
	table, next := make([]int64, t.Len()), int64(0)
	for _, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if next, ok = prove.ConstInt(d.fn.Info(), pair.Key); !ok {
				return nil
			}
			e = pair.Value
		}
		x := d.fn.Info().Types[e].Value
		if x == nil || !d.settled(e, 0) {
			return nil
		}
		if x.Kind() == constant.Bool {
			table[next] = truth(constant.BoolVal(x))
		} else if n, ok := constant.Int64Val(constant.ToInt(x)); ok {
			table[next] = n
		} else {
			return nil
		}
		next++
	}
	return table
}

// name reads v := x, where v is only read afterwards: it stands for x. That may panic, be v read or not.
func (d *predicate) name(s *ast.AssignStmt) step {
	if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil
	}
	v, ok := d.fn.Info().Defs[s.Lhs[0].(*ast.Ident)].(*types.Var)
	x := d.compile(s.Rhs[0])
	if !ok || x == nil || code.WrittenIn(d.fn.Info(), d.fn.Decl.Body, v) {
		return nil
	}
	if d.named == nil {
		d.named = map[*types.Var]value{}
	}
	d.named[v] = x
	return func(c int64) (int64, bool) {
		x(c)
		return 0, false
	}
}
