// Package marshalkeys finds MarshalJSON methods that do by hand what
// encoding/json does for a map: sort the keys, and encode one after the other.
package marshalkeys

import (
	"fmt"
	"go/ast"
	"go/types"
	"iter"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "marshalkeys",
	Title: "MarshalJSON that encodes a map key by key",
	IDs:   []string{"C70"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.B, Go: "go1.12",
	Why: "encoding/json sorts the keys of a map itself. A method that calls json.Marshal for each key and value starts an encoder and copies the " +
		"result for each. The encoder around it scans and copies again what the method returns, once more at each level of nesting.",
	WhenNot: "The members have an order of their own, some are left out or renamed, or others are written beside them.",
	Gap: "A nil map becomes null where such a method usually writes {}. Where the encoder around it has SetEscapeHTML(false), the method escapes all " +
		"the same and a plain map does not. The fix, which deletes the method of a map type, is given for types of the package that nothing embeds " +
		"and whose method nothing calls; a struct has to become a map first, by hand.",
	Signature: "encoding/json.Marshal and encoding/json.appendCompact below encoding/json.marshalerEncoder in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkDocument", Metric: "cpu",
		Claimed: "a document of maps that sort and encode themselves takes three times as long as plain maps", Ratio: 3.25,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	if p.Index.Object("encoding/json", "Marshal") == nil {
		return
	}
	seen := map[*ast.FuncDecl]bool{}
	try := func(cur inspector.Cursor, call *ast.CallExpr) {
		decl, f := code.Decl(p.TypesInfo, cur)
		if decl == nil || seen[decl] || decl.Name.Name != "MarshalJSON" || decl.Recv == nil || f.Signature().Params().Len() != 0 {
			return
		}
		seen[decl] = true
		if m := look(p, decl); m != nil {
			m.report(call)
		}
	}
	for cur, call := range p.Index.Calls("encoding/json", "Marshal") {
		try(cur, call)
		if fn, ok := code.Func(cur); ok {
			for at, outer := range code.Calls(p.Index, p.TypesInfo, fn) {
				try(at, outer)
			}
		}
	}
}

// A method is a MarshalJSON that encodes the entries of one map.
type method struct {
	p    *rule.Pass
	decl *ast.FuncDecl
	recv *types.Var
	loop *ast.RangeStmt
	key  *types.Var
	val  *types.Var // the value variable of a range over the map, or nil
	m    ast.Expr   // the map: the receiver, or a field of it
}

// look returns the method, or nil where the rule does not apply.
func look(p *rule.Pass, decl *ast.FuncDecl) *method {
	m := &method{p: p, decl: decl}
	if names := decl.Recv.List[0].Names; len(names) == 1 {
		m.recv, _ = p.TypesInfo.Defs[names[0]].(*types.Var)
	}
	if m.recv == nil || !m.findLoop() || !m.onlyEntries() || !m.allCalls() || !m.onlyPunctuation() {
		return nil
	}
	if b, ok := keyType(p.TypesInfo.TypeOf(m.m)); !ok || b.Info()&types.IsString == 0 {
		return nil
	}
	return m
}

// keyType returns the key of a map whose type is plain: it has no methods, so
// that there is one way to encode it.
func keyType(t types.Type) (*types.Basic, bool) {
	if t == nil {
		return nil, false
	}
	mt, ok := code.Pointee(t).Underlying().(*types.Map)
	if !ok || types.NewMethodSet(types.NewPointer(mt.Key())).Len() > 0 {
		return nil, false
	}
	b, ok := mt.Key().Underlying().(*types.Basic)
	return b, ok
}

// findLoop finds the loop that encodes, over the map or over sorted keys.
func (m *method) findLoop() bool {
	for rng := range code.All[*ast.RangeStmt](m.decl.Body) {
		if m.marshals(rng.Body) {
			m.loop = rng
			break
		}
	}
	if m.loop == nil || m.loop.Key == nil {
		return false
	}
	info := m.p.TypesInfo
	if _, isMap := info.TypeOf(m.loop.X).Underlying().(*types.Map); isMap {
		m.m, m.key, m.val = m.loop.X, code.Var(info, m.loop.Key), nil
		if m.loop.Value != nil {
			m.val = code.Var(info, m.loop.Value)
		}
		return m.key != nil && m.own(m.m)
	}
	if m.loop.Value != nil {
		m.key = code.Var(info, m.loop.Value)
	} else if _, isFunc := info.TypeOf(m.loop.X).Underlying().(*types.Signature); isFunc {
		m.key = code.Var(info, m.loop.Key)
	}
	return m.key != nil && m.indexed() && m.sorted()
}

// marshals reports whether a node calls json.Marshal, or a function of the package that does.
func (m *method) marshals(n ast.Node) bool {
	return code.Any(n, func(call *ast.CallExpr) bool {
		return code.IsFunc(m.p.TypesInfo, call, "encoding/json", "Marshal") || m.helper(call) != nil
	})
}

// helper returns the function of the package that a call runs, if that calls json.Marshal and
// looks at nothing that it gets.
func (m *method) helper(call *ast.CallExpr) ast.Node {
	fn := code.Ran(m.p.Index, m.p.TypesInfo, call)
	if fn == nil || !code.Any(fn, func(call *ast.CallExpr) bool { return code.IsFunc(m.p.TypesInfo, call, "encoding/json", "Marshal") }) ||
		code.Any(fn, func(n ast.Node) bool {
			i, ok := n.(*ast.IfStmt)
			return looks(n) || ok && !code.Any(i.Cond, func(x ast.Expr) bool { return code.IsError(m.p.TypesInfo.TypeOf(x)) })
		}) {
		return nil
	}
	return fn
}

// looks reports whether a node may treat one entry otherwise than another.
func looks(n ast.Node) bool {
	switch n.(type) {
	case *ast.BranchStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt, *ast.TypeAssertExpr:
		return true
	}
	return false
}

// own reports whether x is the receiver or a field of it.
func (m *method) own(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return code.Var(m.p.TypesInfo, x) == m.recv
	case *ast.StarExpr:
		return m.own(x.X)
	case *ast.SelectorExpr:
		sel := m.p.TypesInfo.Selections[x]
		return sel != nil && sel.Kind() == types.FieldVal && m.own(x.X)
	}
	return false
}

// indexed finds the map that the loop indexes with the key.
func (m *method) indexed() bool {
	for ix := range code.All[*ast.IndexExpr](m.loop.Body) {
		if code.Var(m.p.TypesInfo, ix.Index) == m.key && m.own(ix.X) {
			m.m = ix.X
			return true
		}
	}
	return false
}

// onlyEntries reports whether the loop treats all entries alike: no condition
// looks at the key or the value, and none is passed over.
func (m *method) onlyEntries() bool {
	return !code.Any(m.loop.Body, func(n ast.Node) bool {
		i, ok := n.(*ast.IfStmt)
		return looks(n) || ok && m.aboutEntry(i.Cond)
	})
}

func (m *method) aboutEntry(x ast.Expr) bool {
	return code.Mentions(m.p.TypesInfo, x, m.key) || m.val != nil && code.Mentions(m.p.TypesInfo, x, m.val) ||
		code.Any(x, func(ix *ast.IndexExpr) bool { return m.own(ix.X) })
}

// allCalls reports whether the method calls nothing but what sorting, encoding
// and gluing need, and encodes keys and values only.
func (m *method) allCalls() bool {
	keys, values := 0, 0
	for call, given := range m.calls() {
		if !code.IsFunc(m.p.TypesInfo, call, "encoding/json", "Marshal") {
			if m.helper(call) == nil && !m.glue(call) {
				return false
			}
			continue
		}
		switch arg := m.argument(given(call.Args[0])); {
		case code.Var(m.p.TypesInfo, arg) == m.key:
			keys++
		case m.isValue(arg):
			values++
		default:
			return false
		}
	}
	return keys == 1 && values == 1
}

// calls yields the calls of the method and of the functions that it has encode, each with
// what turns their parameters into the method's expressions.
func (m *method) calls() iter.Seq2[*ast.CallExpr, func(ast.Expr) ast.Expr] {
	return func(yield func(*ast.CallExpr, func(ast.Expr) ast.Expr) bool) {
		code.Here(m.decl.Body, func(call *ast.CallExpr) bool {
			if !yield(call, func(x ast.Expr) ast.Expr { return x }) {
				return true
			}
			fn := m.helper(call)
			return fn != nil && code.Here(code.FuncBody(fn), func(inner *ast.CallExpr) bool {
				return !yield(inner, func(x ast.Expr) ast.Expr { return code.Argument(m.p.TypesInfo, fn, call, x) })
			}) != nil
		})
	}
}

// argument looks through a conversion of the key and a variable that holds the
// value.
func (m *method) argument(x ast.Expr) ast.Expr {
	x = ast.Unparen(x)
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 {
		if tv := m.p.TypesInfo.Types[call.Fun]; tv.IsType() {
			return ast.Unparen(call.Args[0])
		}
	}
	if v := code.Var(m.p.TypesInfo, x); v != nil && v != m.key && v != m.val {
		if def, value := code.Origin(m.p.Index, m.p.TypesInfo, m.decl, v); def != nil && len(def.Lhs) == 1 {
			return ast.Unparen(value)
		}
	}
	return x
}

func (m *method) isValue(x ast.Expr) bool {
	if v := code.Var(m.p.TypesInfo, x); v != nil {
		return v == m.val
	}
	ix, ok := x.(*ast.IndexExpr)
	return ok && code.Var(m.p.TypesInfo, ix.Index) == m.key && code.SameExpr(m.p.TypesInfo, ix.X, m.m)
}

// glue reports whether a call belongs to collecting, sorting or writing.
func (m *method) glue(call *ast.CallExpr) bool {
	if tv := m.p.TypesInfo.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	f, ok := typeutil.Callee(m.p.TypesInfo, call).(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "bytes", "maps", "fmt", "errors":
		return f.Pkg().Path() != "fmt" || f.Name() == "Errorf"
	case "strings":
		return f.Signature().Recv() != nil
	case "sort":
		return f.Name() == "Strings"
	case "slices":
		return f.Name() == "Sort" || f.Name() == "Sorted" || f.Name() == "Collect" || f.Name() == "Grow"
	}
	return false
}

// onlyPunctuation reports whether the texts in the method are those that hold
// an object together, so that no other member is written.
func (m *method) onlyPunctuation() bool {
	fine, colon := true, false
	check := func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if isCall && code.IsFunc(m.p.TypesInfo, call, "fmt", "Errorf") {
			return false
		}
		lit, ok := n.(*ast.BasicLit)
		if !ok {
			return fine
		}
		switch lit.Value {
		case "'{'", "'}'", "','", `"{"`, `"}"`, `","`, `"{}"`, `"null"`, "`{`", "`}`", "`,`", "0", "1":
		case "':'", `":"`, "`:`":
			colon = true
		default:
			fine = false
		}
		return fine
	}
	ast.Inspect(m.decl.Body, check)
	for call := range m.calls() {
		if fd, ok := m.helper(call).(*ast.FuncDecl); ok {
			ast.Inspect(fd.Body, check)
		}
	}
	return fine && colon
}

func (m *method) report(call *ast.CallExpr) {
	f := rule.Finding{Pos: call.Pos(), End: call.End(), Hot: m.decl}
	f.Message = fmt.Sprintf("MarshalJSON calls json.Marshal for each key and value of %s; encoding/json sorts the keys of a map itself, in one pass", m.p.Source(m.m))
	if edits := m.drop(); edits != nil {
		f.Fixes = []analysis.SuggestedFix{{Message: "Leave the map to encoding/json", TextEdits: edits}}
	}
	m.p.Report(f)
}
