// Package bigcopy finds large values that are copied only to be looked at: by
// range, as a parameter or as a receiver.
package bigcopy

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "bigcopy",
	Title: "large value copied only to be looked at",
	IDs:   []string{"C38"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.B,
	Why: "A range value, a parameter or a receiver of 128 bytes or more is copied in each iteration or call; two kilobytes take some 70 ns, a pointer " +
		"two. Up to Go 1.26 inlining does not remove the copy. The compiler of Go 1.27 does where only fields and constant indices are read, and " +
		"nothing is called or stored until then. A variable index, a call in between, or a function that is not inlined keeps the copy.",
	WhenNot: "The copy is needed: it is written to, its address is taken, a function literal captures it, or it is passed on or stored as a whole. The " +
		"value is smaller than 128 bytes. The receiver is that of String, MarshalJSON or the like, which values would lose.",
	Gap: "A pointer sees what other code or another goroutine writes to the original meanwhile. A value whose address is taken may move to the heap. " +
		"Signatures that others see are reported without a fix: methods, which may belong to an interface, exported functions, and functions used as " +
		"values or named in a test that is not analysed with them.",
	Signature: "runtime.memmove or runtime.duffcopy below the line of the range, or at the entry of the function, in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkScore", Metric: "cpu",
		Claimed: "passing a struct of two kilobytes by value has a hidden cost in functions that are called often",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

// limit is the size in bytes from which a copy costs more than a pointer, and
// from which the compiler calls a routine for it.
const limit = 128

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.RangeStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.RangeStmt:
			ranged(p, cur, n)
		case *ast.FuncDecl:
			if n.Body != nil {
				params(p, cur, n)
			}
		case *ast.FuncLit:
			literal(p, cur, n)
		}
	}
}

// size returns the size of a struct or an array, 0 of other types.
func size(p *rule.Pass, t types.Type) int64 {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return code.Size(p.TypesSizes, t)
	}
	return 0
}

// looked reports whether all uses of a variable read parts of it, so that a
// pointer would do.
func looked(p *rule.Pass, v *types.Var, home inspector.Cursor) bool {
	uses := p.Index.Uses(v)
	for _, cur := range uses {
		if fn, _ := code.Func(cur); fn != home || !part(p, cur) {
			return false
		}
	}
	return len(uses) > 0
}

// part reports whether a use reads a field or element.
func part(p *rule.Pass, cur inspector.Cursor) bool {
	switch n := cur.Parent().Node().(type) {
	case *ast.SelectorExpr:
		sel := p.TypesInfo.Selections[n]
		if sel == nil {
			return false
		}
		if sel.Kind() != types.FieldVal {
			// A method with a value receiver copies on its own account.
			return cur.Parent().ParentEdgeKind() == edge.CallExpr_Fun && (sel.Indirect() || !pointerMethod(sel)) && !code.Deferred(cur.Parent().Parent())
		}
		if sel.Indirect() {
			return true // memory that is not the value's
		}
	case *ast.IndexExpr:
		if cur.ParentEdgeKind() != edge.IndexExpr_X {
			return false
		}
		if _, array := p.TypesInfo.TypeOf(n.X).Underlying().(*types.Array); !array {
			return true
		}
	case *ast.CallExpr:
		return code.IsBuiltin(p.TypesInfo, n, "len")
	default:
		return false
	}
	return !code.Writes(p.TypesInfo, cur.Parent())
}

func pointerMethod(sel *types.Selection) bool {
	_, ptr := types.Unalias(sel.Obj().(*types.Func).Signature().Recv().Type()).(*types.Pointer)
	return ptr
}

// ranged reports a range whose value is large and only looked at.
func ranged(p *rule.Pass, cur inspector.Cursor, n *ast.RangeStmt) {
	id, ok := n.Value.(*ast.Ident)
	if !ok || n.Tok != token.DEFINE || id.Name == "_" {
		return
	}
	v, _ := p.TypesInfo.Defs[id].(*types.Var)
	home, ok := code.Func(cur)
	if v == nil || !ok || size(p, v.Type()) < limit || !looked(p, v, home) {
		return
	}
	switch t := p.TypesInfo.TypeOf(n.X).Underlying().(type) {
	case *types.Slice, *types.Array:
	case *types.Pointer:
		if _, ok := t.Elem().Underlying().(*types.Array); !ok {
			return
		}
	default:
		return // elements of a map have no address
	}
	f := rule.Finding{
		Pos: id.Pos(), End: id.End(),
		Message: fmt.Sprintf("range copies %d bytes into %s in each iteration, which only looks at parts of it; a pointer to the element does not",
			size(p, v.Type()), v.Name()),
	}
	if edits := rangeEdits(p, n, home.Node()); edits != nil {
		f.Fixes = []analysis.SuggestedFix{{Message: "Range over the index", TextEdits: edits}}
	}
	p.Report(f)
}

// rangeEdits ranges over the index and points to the element. Nil unless the
// operand names a variable that the loop leaves alone.
func rangeEdits(p *rule.Pass, n *ast.RangeStmt, fn ast.Node) []analysis.TextEdit {
	xs := code.Var(p.TypesInfo, n.X)
	if xs == nil || !code.Invariant(p.Index, p.TypesInfo, n.X, n.Body) {
		return nil
	}
	for _, cur := range p.Index.Uses(xs) {
		if call, ok := cur.Parent().Node().(*ast.CallExpr); code.Within(n.Body, cur.Node()) && !(ok && code.IsBuiltin(p.TypesInfo, call, "len")) {
			return nil
		}
	}
	key, value := "", n.Value.(*ast.Ident).Name
	if id, ok := n.Key.(*ast.Ident); ok && id.Name != "_" {
		kv, _ := p.TypesInfo.Defs[id].(*types.Var)
		if kv == nil || code.Written(p.Index, p.TypesInfo, kv, n.Body) {
			return nil
		}
		key = id.Name
	} else {
		key = code.FreeLocal(fn, "i")
	}
	if value == xs.Name() || redeclared(p, n.Body, value, key, xs.Name()) {
		return nil
	}
	return []analysis.TextEdit{
		{Pos: n.Key.Pos(), End: n.Value.End(), NewText: []byte(key)},
		{Pos: n.Body.Lbrace + 1, End: n.Body.Lbrace + 1, NewText: []byte(fmt.Sprintf("\n%s := &%s[%s]", value, xs.Name(), key))},
	}
}

// redeclared reports whether a statement of a block itself declares a name.
func redeclared(p *rule.Pass, body *ast.BlockStmt, names ...string) bool {
	scope := p.TypesInfo.Scopes[body]
	return slices.ContainsFunc(names, func(name string) bool { return scope != nil && scope.Lookup(name) != nil })
}
