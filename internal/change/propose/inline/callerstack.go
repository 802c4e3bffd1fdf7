package inline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// CallerStack makes what a function returns where the function is called. All but that moves to a function of its own,
// so that the compiler can inline what is left.
var CallerStack = prove.Transformation{
	Name: "caller-stack",
	Doc: "What a function makes and returns, a struct or a slice of constant size, is made where the function is called. All else that the function does " +
		"becomes one of its own, and what is left is inlined. A caller that does not keep the result has it on its stack.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "caller-stack", "BenchmarkCommon", "allocs", "no allocation for what the caller only looks at", 0),
	// It looks at what is made on the target's line.
	Propose: prove.At(prove.Unless(inlinedHere, prove.Here), func(s *prove.Site) {
		if strings.HasSuffix(s.Fn.Obj.Name(), "Into") || !longer(s.Fn.Decl.Body.List) { // it is inlined as it is
			return
		}
		for e := range prove.On[ast.Expr](s) {
			if m := madeBy(s.Program, s.Fn, e); m != nil {
				ch, why := m.propose(s.Target)
				s.Add(prove.Short(types.ExprString(e))+" cannot be made by the callers of "+s.Fn.Obj.Name(), ch, why)
			}
		}
	}),
}

// mostMade is how large it may be, in bytes, which is what a caller has more on its stack.
const mostMade = 1 << 10

// A made is what a function makes on the heap.
type made struct {
	*prove.Function
	p     *prove.Program
	expr  ast.Expr          // new(T), &T{…} or make([]T, n)
	lit   *ast.CompositeLit // of &T{…} with elements
	elem  types.Type
	typ   string // of the parameter that brings it
	made  string // how it is made empty
	size  int64
	stmt  ast.Stmt
	name  string     // of that parameter
	whole *ast.Ident // the variable that stmt defines as it, nil if it does more
}

// madeBy reads a value that a function makes as one of its own statements; nil for anything else, and for what it
// does not return.
func madeBy(p *prove.Program, fn *prove.Function, e ast.Expr) *made {
	m := &made{Function: fn, p: p, expr: e}
	if !m.read() || !m.stated() || fn.Obj.Signature().Results().Len() == 0 {
		return nil
	}
	return m
}

// read tells the kinds of values apart.
func (m *made) read() bool {
	info, text := m.Info(), func(n ast.Node) string { return m.p.Source(m.File, n) }
	count := int64(1)
	switch x := m.expr.(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		if !ok || x.Op != token.AND || lit.Type == nil {
			return false
		}
		m.elem, m.typ, m.made = info.TypeOf(lit), "*"+text(lit.Type), "&"+text(lit.Type)+"{}"
		if len(lit.Elts) > 0 {
			m.lit = lit
		}
		if _, ok := m.elem.Underlying().(*types.Struct); !ok {
			return false
		}
	case *ast.CallExpr:
		switch code.Builtin(info, x) {
		case "new":
			if !info.Types[x.Args[0]].IsType() {
				return false
			}
			m.elem, m.typ, m.made = info.TypeOf(x.Args[0]), "*"+text(x.Args[0]), text(x)
		case "make":
			slice, ok := info.TypeOf(x).Underlying().(*types.Slice)
			n, known := prove.ConstInt(info, x.Args[len(x.Args)-1])
			if !ok || !known || n <= 0 || len(x.Args) == 3 && info.Types[x.Args[1]].Value == nil {
				return false
			}
			m.elem, m.typ, m.made, count = slice.Elem(), text(x.Args[0]), text(x), n
		default:
			return false
		}
	default:
		return false
	}
	if code.Generic(m.elem) || m.lit == nil && !prove.PackageLevel(info, m.expr) || m.lit != nil && !prove.PackageLevel(info, m.lit.Type) {
		return false
	}
	m.size = count * m.File.Pkg.TypesSizes.Sizeof(m.elem)
	return m.size > 0
}

// stated finds the statement of the function that makes it: one that runs once at most.
func (m *made) stated() bool {
	for n := ast.Node(m.expr); n != nil; n = m.File.Parent(n) {
		switch up := m.File.Parent(n).(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if up.Y == n && (up.Op == token.LAND || up.Op == token.LOR) {
				return false
			}
		case *ast.BlockStmt:
			m.stmt, _ = n.(ast.Stmt)
			return up == m.Decl.Body && m.placed()
		}
	}
	return false
}

// placed reports whether the statement can do without what it makes, and names the parameter.
func (m *made) placed() bool {
	var names []*ast.Ident
	var values []ast.Expr
	switch s := m.stmt.(type) {
	case *ast.AssignStmt:
		if id, ok := s.Lhs[0].(*ast.Ident); ok && s.Tok == token.DEFINE {
			names = []*ast.Ident{id}
		}
		values = s.Rhs
	case *ast.ReturnStmt:
		values = s.Results
		if m.lit != nil && (values[0] != m.expr || slices.ContainsFunc(values[1:], func(x ast.Expr) bool { return !code.IsNil(m.Info(), x) })) {
			return false
		}
	case *ast.ExprStmt:
		return m.lit == nil
	default:
		return false
	}
	if len(names) == 1 && len(values) == 1 && values[0] == m.expr && m.first(names[0]) {
		m.whole, m.name = names[0], names[0].Name
		return true
	}
	_, returns := m.stmt.(*ast.ReturnStmt)
	m.name = code.FirstFree(m.Decl, "room", "made", "space")
	return m.name != "" && (m.lit == nil || returns)
}

// first reports whether a variable can be a parameter: nothing before it, nor what it is made of, is called the same.
func (m *made) first(id *ast.Ident) bool {
	return id.Name != "_" && m.Info().Defs[id] != nil && !code.Any(m.Decl, func(other *ast.Ident) bool {
		return other != id && other.Name == id.Name && other.Pos() < m.stmt.End()
	})
}

func (m *made) propose(t model.Target) (*model.Change, *prove.Reason) {
	if why := movable(m.p, m.Function); why != nil {
		return nil, why
	}
	if why := m.tied(); why != nil {
		return nil, why
	}
	if m.size > mostMade {
		return nil, prove.Refusef("it has %d bytes, and callers that have it on their stack clear it", m.size)
	}
	if why := m.returned(t); why != nil {
		return nil, why
	}
	if why := m.released(); why != nil {
		return nil, why
	}
	own, why := m.p.PointersFree(m.elem)
	if why != nil {
		return nil, why
	}
	stack, why := stackBlind(m.p, m.Function)
	if why != nil {
		return nil, why
	}
	name := code.LowerName(m.Obj.Name()) + "Into"
	if !m.p.Free(m.File.Pkg, name) {
		return nil, prove.Refuse("the name " + name + " is taken")
	}
	return m.p.Change(m.Function, m.edits(name), model.Change{
		Kind:    "caller-stack",
		Title:   fmt.Sprintf("%s: let the callers of %s have %s made, and move the rest to %s", m.File.Pkg.Name, m.Obj.Name(), prove.Short(m.made), name),
		Inlines: &model.Declared{File: m.File.Name, Name: nameInNotes(m.Function)},
		Obligations: []model.Obligation{
			{Text: "each call has memory of its own", How: "proven", Why: "it is made once in each call, as before, and nothing has it until the statement that made it"},
			own, stack,
		},
	})
}
