// Package unboundedcache finds maps of a package that remember results and never forget
// one.
package unboundedcache

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "unboundedcache",
	Title: "a cache of the package that only grows",
	IDs:   []string{"C34"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.N,
	Why: "It is a leak with a key: what was looked up once stays for as long as the process lives, and each collection marks all of it. A limit with an " +
		"order of eviction bounds both.",
	WhenNot: "The keys are few by design: types, booleans, constants of an own type. The map is a registry that is filled at the start. Something is " +
		"deleted from it, it is cleared or replaced, or its length is looked at. It is handed to other code, which may do so.",
	Gap: "The rule does not know how many keys there can be: those that a user's input chooses are what grows. It sees maps and sync.Map values of the " +
		"package that one function both reads and fills, and maps of a function literal that is returned.",
	Signature: "runtime.mapassign, or what makes the values, below the line in inuse_space profiles that grow",
	Evidence: &rule.Evidence{
		Exempt: "what is lost is memory that grows for as long as the process lives, not time of a call",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncLit)(nil)) {
		captured(p, cur)
	}
	seen := make(map[*types.Var]bool) // fields of types that several variables have
	for _, name := range p.Pkg.Scope().Names() {
		v, ok := p.Pkg.Scope().Lookup(name).(*types.Var)
		if !ok || v.Exported() {
			continue
		}
		for _, held := range maps(v) {
			c := &cache{p: p, v: held}
			if seen[held] || held != v && replaced(p, v) || !c.read() {
				continue
			}
			seen[held] = true
			for _, fill := range c.fills {
				_, decl := code.Decl(p.TypesInfo, fill)
				if decl == nil || calls.OnlyAtStart(decl) || !c.asked(decl, calls) {
					continue
				}
				p.Report(rule.Finding{
					Pos: fill.Node().Pos(), End: fill.Node().End(),
					Message: "each new key stays in " + v.Name() + " for as long as the process lives; nothing is ever deleted",
				})
			}
		}
	}
}

// captured reports a map that a function literal remembers results in, which its function
// hands out, to be kept.
func captured(p *rule.Pass, lit inspector.Cursor) {
	if _, ok := lit.Parent().Node().(*ast.ReturnStmt); !ok {
		return
	}
	seen := make(map[*types.Var]bool)
	for cur := range lit.Preorder((*ast.IndexExpr)(nil)) {
		v := code.Var(p.TypesInfo, cur.Node().(*ast.IndexExpr).X)
		if v == nil || seen[v] || !code.Local(v) || code.Declares(lit.Node(), v) || !holds(v.Type()) || parameter(lit, v) {
			continue
		}
		seen[v] = true
		c := &cache{p: p, v: v}
		if c.read() && len(c.reads) > 0 && code.Within(lit.Node(), c.fills[0].Node()) {
			p.Report(rule.Finding{
				Pos: c.fills[0].Node().Pos(), End: c.fills[0].Node().End(),
				Message: "each new key stays in " + v.Name() + " for as long as the function literal lives; nothing is ever deleted",
			})
		}
	}
}

// parameter reports whether v is a parameter of a function around a literal.
func parameter(lit inspector.Cursor, v *types.Var) bool {
	for fn := range lit.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := fn.Node().(type) {
		case *ast.FuncDecl:
			return code.Declares(n.Type, v)
		case *ast.FuncLit:
			if code.Declares(n.Type, v) {
				return true
			}
		}
	}
	return false
}

// maps returns what holds a map: the variable, or fields of one of a type of its own.
func maps(v *types.Var) (all []*types.Var) {
	if holds(v.Type()) {
		all = append(all, v)
	}
	if str := structure(v); str != nil {
		for f := range str.Fields() {
			if !f.Exported() && holds(f.Type()) {
				all = append(all, f)
			}
		}
	}
	return all
}

// replaced reports whether a variable gets another struct, with maps of its own.
func replaced(p *rule.Pass, v *types.Var) bool {
	return slices.ContainsFunc(p.Index.Uses(v), func(use inspector.Cursor) bool {
		return use.ParentEdgeKind() == edge.AssignStmt_Lhs || use.ParentEdgeKind() == edge.StarExpr_X && use.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs
	})
}

// structure returns the struct that a variable holds, or points to, of a type without a
// name, or of one of the package. Of an exported type others make values that live less
// long.
func structure(v *types.Var) *types.Struct {
	t := types.Unalias(v.Type())
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	if n, ok := t.(*types.Named); ok && (n.Obj().Pkg() != v.Pkg() || n.Obj().Exported()) {
		return nil
	}
	if n, ok := t.(*types.Named); ok {
		t = n.Origin()
	}
	str, _ := t.Underlying().(*types.Struct)
	return str
}

// holds reports whether a type is a map whose keys may be many, or a sync.Map.
func holds(t types.Type) bool {
	if code.IsNamed(t, "sync", "Map") {
		return true
	}
	m, ok := t.Underlying().(*types.Map)
	return ok && !few(m.Key())
}

// few reports whether there are few values of a type of key by design.
func few(key types.Type) bool {
	if code.IsNamed(key, "reflect", "Type") {
		return true
	}
	b, basic := key.Underlying().(*types.Basic)
	if basic && (b.Kind() == types.Bool || b.Kind() == types.Uint8) {
		return true
	}
	named, ok := types.Unalias(key).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !basic {
		return false
	}
	scope := named.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		c, ok := scope.Lookup(name).(*types.Const)
		return ok && types.Identical(c.Type(), named)
	})
}

// A cache is a map of the package with its uses.
type cache struct {
	p     *rule.Pass
	v     *types.Var
	fills []inspector.Cursor // m[k] = v, or m.Store(k, v)
	reads []*types.Func      // functions that look a key up
}

// read takes the uses apart; it is false where something may make the map smaller.
func (c *cache) read() bool {
	for _, use := range c.p.Index.Uses(c.v) {
		if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
			use = use.Parent()
		}
		if !c.use(use) {
			return false
		}
	}
	return len(c.fills) > 0
}

func (c *cache) use(use inspector.Cursor) bool {
	_, decl := code.Decl(c.p.TypesInfo, use)
	switch use.ParentEdgeKind() {
	case edge.KeyValueExpr_Key:
		return true // made
	case edge.IndexExpr_X:
		at := use.Parent()
		if at.ParentEdgeKind() != edge.AssignStmt_Lhs {
			if !presence(at) {
				c.reads = append(c.reads, decl)
			}
		} else if c.p.TypesInfo.Types[at.Node().(*ast.IndexExpr).Index].Value == nil {
			c.fills = append(c.fills, at.Parent())
		}
		return true
	case edge.SelectorExpr_X:
		return c.method(use, decl)
	case edge.RangeStmt_X:
		return true
	}
	return false
}

// presence reports whether a lookup only asks whether a key is there: _, ok := m[k].
func presence(at inspector.Cursor) bool {
	a, ok := at.Parent().Node().(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 {
		return false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	return ok && id.Name == "_"
}

// method looks at a call of a method of a sync.Map.
func (c *cache) method(use inspector.Cursor, decl *types.Func) bool {
	call, ok := code.MethodCall(use)
	if !ok || !code.IsNamed(c.v.Type(), "sync", "Map") {
		return false
	}
	n := call.Node().(*ast.CallExpr)
	switch use.Parent().Node().(*ast.SelectorExpr).Sel.Name {
	case "Load":
		c.reads = append(c.reads, decl)
		return !few(c.p.TypesInfo.TypeOf(n.Args[0]))
	case "LoadOrStore":
		c.reads = append(c.reads, decl)
		c.fills = append(c.fills, call)
		return !few(c.p.TypesInfo.TypeOf(n.Args[0]))
	case "Store":
		c.fills = append(c.fills, call)
		return !few(c.p.TypesInfo.TypeOf(n.Args[0]))
	}
	return false
}

// asked reports whether a function that fills the map, or one that calls it, looks keys
// up, as a cache does and a registry does not.
func (c *cache) asked(decl *types.Func, calls *callers.Callers) bool {
	return slices.Contains(c.reads, decl) || slices.ContainsFunc(calls.Edges, func(e callers.Edge) bool {
		return e.To == rule.FuncID(decl) && !e.InLoop && slices.ContainsFunc(c.reads, func(f *types.Func) bool { return f != nil && rule.FuncID(f) == e.From })
	})
}
