// Package pointermap finds maps of pointers to structs that are only read.
package pointermap

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "pointermap",
	Title: "map of pointers where one of values would do",
	IDs:   []string{"C30"}, Seeds: []string{"001"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "Each value is an allocation of its own, the collector follows each pointer, and a walk over the map jumps through memory. Values of up to 128 " +
		"bytes lie in the map itself.",
	WhenNot: "Values are larger than 128 bytes, which the map keeps by pointer anyway, or hold a lock. A pointer from the map is kept, handed on, " +
		"compared or written through. The map is exported, handed on, or a parameter; one that is returned to callers of the package is followed.",
	Gap: "A missing key gives nil in a map of pointers and an empty struct in one of values: ask with v, ok. What stored the pointers may still hold them " +
		"and write through them.",
	Signature: "runtime.gcBgMarkWorker and runtime.scanobject in CPU profiles of a program with large maps",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSum", Metric: "cpu",
		Claimed: "a walk over a map of a million values is 2.7 times faster without pointers", Ratio: 2.7,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// large is the size from which a map keeps values by pointer.
const large = 128

func run(p *rule.Pass) {
	for _, obj := range p.TypesInfo.Defs {
		v, ok := obj.(*types.Var)
		if !ok || v.Exported() && v.Kind() != types.LocalVar {
			continue
		}
		m, t := &pointers{p: p, seen: map[*types.Var]bool{}}, element(p, v)
		if t == nil || !m.owned(v) || !m.read(v) {
			continue
		}
		name := types.TypeString(t, types.RelativeTo(p.Pkg))
		for _, at := range m.costs {
			p.Report(rule.Finding{
				Pos: at.Pos(), End: at.End(),
				Message: fmt.Sprintf("%s holds pointers that are only read through: a map of %s keeps the values, of %d bytes, in itself", v.Name(), name, code.Size(p.TypesSizes, t)),
			})
		}
	}
}

// element returns T of a map of pointers to a struct T that would fit into the map itself.
func element(p *rule.Pass, v *types.Var) types.Type {
	m, ok := v.Type().Underlying().(*types.Map)
	if !ok {
		return nil
	}
	ptr, ok := m.Elem().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	t := ptr.Elem()
	if _, ok := t.Underlying().(*types.Struct); !ok || code.Generic(t) || code.Size(p.TypesSizes, t) > large || code.Locks(t) {
		return nil
	}
	return t
}

// pointers are the values of one map.
type pointers struct {
	p     *rule.Pass
	costs []ast.Node // what is allocated for the map, and walks over it
	seen  map[*types.Var]bool
}

// owned reports whether a variable is declared here without a map, or with a new one.
func (m *pointers) owned(v *types.Var) bool {
	at, ok := m.p.Index.Inspect.Root().FindByPos(v.Pos(), v.Pos())
	if !ok {
		return false
	}
	switch d := at.Parent().Node().(type) {
	case *ast.Field:
		return v.IsField()
	case *ast.AssignStmt:
		return len(d.Lhs) == 1 && made(m.p.TypesInfo, d.Rhs[0])
	case *ast.ValueSpec:
		return len(d.Values) == 0 || len(d.Names) == 1 && made(m.p.TypesInfo, d.Values[0])
	}
	return false
}

// read reports whether all uses of a map in the package only read through its pointers.
func (m *pointers) read(v *types.Var) bool {
	if m.seen[v] {
		return true
	}
	m.seen[v] = true
	for _, use := range m.p.Index.Uses(v) {
		if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
			use = use.Parent()
		}
		if !m.use(use) {
			return false
		}
	}
	return true
}

// use looks at one use of the map.
func (m *pointers) use(cur inspector.Cursor) bool {
	info, parent := m.p.TypesInfo, cur.Parent()
	switch n := parent.Node().(type) {
	case *ast.IndexExpr:
		if cur.ParentEdgeKind() != edge.IndexExpr_X {
			return false
		}
		if parent.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return m.stored(parent)
		}
		return m.value(parent)
	case *ast.RangeStmt:
		if n.Value == nil {
			return true
		}
		m.costs = append(m.costs, n.X)
		v := m.variable(n.Value)
		return v != nil && m.reads(v)
	case *ast.CallExpr:
		b := code.Builtin(info, n)
		return b == "len" || b == "delete" && n.Args[0] == cur.Node() || b == "clear"
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return false
		}
		if cur.ParentEdgeKind() == edge.AssignStmt_Rhs { // another name for it
			v := m.variable(n.Lhs[cur.ParentEdgeIndex()])
			return v != nil && m.read(v)
		}
		return made(info, n.Rhs[cur.ParentEdgeIndex()])
	case *ast.ReturnStmt:
		all, ok := code.Received(m.p.Index, info, cur)
		return ok && !slices.ContainsFunc(all, func(at inspector.Cursor) bool { return !m.use(at) })
	case *ast.KeyValueExpr:
		return cur.ParentEdgeKind() == edge.KeyValueExpr_Key && made(info, n.Value)
	case *ast.BinaryExpr: // with nil
		return true
	}
	return false
}

// stored reports whether what is stored in the map is a new struct.
func (m *pointers) stored(element inspector.Cursor) bool {
	as := element.Parent().Node().(*ast.AssignStmt)
	fn, ok := code.Func(element)
	if !ok || len(as.Lhs) != len(as.Rhs) {
		return false
	}
	made, _ := code.Fresh(m.p.Index, m.p.TypesInfo, fn.Node(), as.Rhs[element.ParentEdgeIndex()])
	if made != nil {
		m.costs = append(m.costs, made)
	}
	return made != nil
}

// made reports whether an expression is a new map.
func made(info *types.Info, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return code.IsBuiltin(info, x, "make")
	}
	return code.IsNil(info, x)
}

// value reports whether a pointer from the map is only read through.
func (m *pointers) value(cur inspector.Cursor) bool {
	info, parent := m.p.TypesInfo, cur.Parent()
	switch n := parent.Node().(type) {
	case *ast.ParenExpr:
		return m.value(parent)
	case *ast.SelectorExpr:
		s := info.Selections[n]
		if s.Kind() == types.FieldVal {
			return !writes(parent)
		}
		return s.Kind() == types.MethodVal && !code.PointerReceiver(s)
	case *ast.StarExpr:
		return !writes(parent)
	case *ast.BinaryExpr:
		return code.IsNil(info, n.X) || code.IsNil(info, n.Y)
	case *ast.AssignStmt:
		if cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return true // v itself gets another pointer
		}
		v := m.variable(n.Lhs[cur.ParentEdgeIndex()])
		return v != nil && m.reads(v)
	}
	return false
}

// reads is value for all uses of a local variable.
func (m *pointers) reads(v *types.Var) bool {
	return !slices.ContainsFunc(m.p.Index.Uses(v), func(use inspector.Cursor) bool { return !m.value(use) })
}

// variable returns the local variable that a statement declares, or nil.
func (m *pointers) variable(x ast.Expr) *types.Var {
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := m.p.TypesInfo.Defs[id].(*types.Var)
	return v
}

// writes reports whether what stands at a place, or a part of it, is assigned, or its
// address taken.
func writes(cur inspector.Cursor) bool {
	for {
		switch cur.ParentEdgeKind() {
		case edge.ParenExpr_X, edge.IndexExpr_X:
		case edge.SelectorExpr_X:
			if cur.Parent().ParentEdgeKind() == edge.CallExpr_Fun {
				return true // perhaps of a method with a pointer receiver
			}
		case edge.UnaryExpr_X:
			return cur.Parent().Node().(*ast.UnaryExpr).Op == token.AND
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.SliceExpr_X:
			return true
		default:
			return false
		}
		cur = cur.Parent()
	}
}
