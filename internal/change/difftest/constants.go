package difftest

import (
	"bufio"
	"cmp"
	"go/ast"
	"go/constant"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

const (
	maxConstants = 256
	maxConstText = 1 << 10
)

// sizes are the buffers of what the standard library's functions make or use: there code begins to
// read or write in pieces, and to see errors of it.
var sizes = map[string]int64{
	"bufio.NewReader": 4096, "bufio.NewWriter": 4096, "bufio.NewReadWriter": 4096, "bufio.NewScanner": bufio.MaxScanTokenSize, "io.Copy": 32 << 10,
}

// constants returns the numbers and texts that the changed functions have, and
// those that they name, in either version: what code compares its input with is an input worth trying.
func constants(subjects []*subject) (numbers []int64, floats []float64, texts []string) {
	take := func(s *side, fn *ast.FuncDecl) {
		for e := range code.All[ast.Expr](fn.Body) {
			if call, ok := e.(*ast.CallExpr); ok {
				if fn := code.Callee(s.info, call); fn != nil && sizes[code.FullName(fn)] > 0 {
					numbers = append(numbers, sizes[code.FullName(fn)])
				}
			}
			v := s.info.Types[e].Value
			if v == nil {
				continue
			}
			switch v.Kind() {
			case constant.Int, constant.Float:
				if i, exact := constant.Int64Val(constant.ToInt(v)); exact {
					numbers = append(numbers, i)
				} else if x, _ := constant.Float64Val(v); !math.IsInf(x, 0) {
					floats = append(floats, x)
				}
			case constant.String:
				if t := constant.StringVal(v); t != "" && len(t) <= maxConstText {
					texts = append(texts, t)
				}
			}
		}
	}
	around := make(map[*decl]bool) // functions that changed ones name
	for _, s := range subjects {
		for _, side := range []struct {
			*side
			d *decl
		}{{s.c.base, s.base}, {s.c.cand, s.cand}} {
			if side.d != nil && side.d.fn.Body != nil {
				side.refs(side.d.fn, func(_ *ast.Ident, to *decl) {
					if to.kind == funcDecl && to.fn.Body != nil && !around[to] {
						around[to] = true
						take(side.side, to.fn)
					}
				})
			}
		}
		if s.base != nil && s.base.fn.Body != nil {
			take(s.c.base, s.base.fn)
		}
		if s.cand.fn.Body != nil {
			take(s.c.cand, s.cand.fn)
		}
	}
	return first(numbers, maxConstants), first(floats, maxConstants/8), first(texts, maxConstants/8)
}

// first returns up to n of the values, each once, in order.
func first[T cmp.Ordered](list []T, n int) []T {
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), n)]
}
