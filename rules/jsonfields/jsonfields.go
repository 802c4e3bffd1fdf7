// Package jsonfields finds documents that are decoded as a whole where few
// members are read.
package jsonfields

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "jsonfields",
	Title: "a whole document decoded for a few of its members",
	IDs:   []string{"C19", "C72"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.B,
	Why: "Decoding builds every value that the type has a place for: slices grow, maps fill, strings are copied. Members that the type lacks are only " +
		"scanned. So a type with only the members that are read costs a fraction.",
	WhenNot: "The value is handed on, the type decodes itself, unknown members are refused, or the rest is small.",
	Gap: "A member of the wrong type is no longer an error where nobody reads it, and an unexpected one that differs in case only may land in another " +
		"field. A profile shows how large the documents are. A document that is the same each time is better decoded once and kept.",
	Signature: "encoding/json.(*decodeState).object, array and literalStore below the line of the call in CPU and alloc_objects profiles; from Go 1.27 on encoding/json/v2.unmarshalDecode",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkPrimaryKey", Metric: "allocs",
		Claimed: "reading the primary key from a whole schema takes 2.7 times as long as decoding the key only, and far more allocations", Ratio: 2.74,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("encoding/json", "Unmarshal") {
		if len(call.Args) == 2 {
			look(p, cur, call, call.Args[1])
		}
	}
	for cur, call := range p.Index.Method("encoding/json", "Decoder", "Decode") {
		if len(call.Args) == 1 {
			look(p, cur, call, call.Args[0])
		}
	}
}

// A document is a local variable that one call decodes into, with what is read
// of it.
type document struct {
	p    *rule.Pass
	call *ast.CallExpr
	fn   inspector.Cursor
	v    *types.Var
	made ast.Expr // new(T) or &T{} where v is a pointer
	read []string // names of fields, or keys, in the order of their first use
	away bool     // callers read it
}

func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, target ast.Expr) {
	fn, inFunc := code.Func(cur)
	if !inFunc {
		return
	}
	d := &document{p: p, call: call, fn: fn}
	if addr, ok := ast.Unparen(target).(*ast.UnaryExpr); ok && addr.Op == token.AND {
		d.v = code.Var(p.TypesInfo, addr.X)
	} else if made, _ := code.Fresh(p.Index, p.TypesInfo, fn.Node(), target); made != nil { // v := new(T), &T{}
		d.v, d.made = code.Var(p.TypesInfo, target), made
	}
	if !code.Local(d.v) || !code.Within(fn.Node(), &ast.Ident{NamePos: d.v.Pos()}) {
		return
	}
	typ := d.v.Type()
	if d.made != nil {
		typ = code.Pointee(typ)
	}
	switch t := typ.Underlying().(type) {
	case *types.Struct:
		if !decodes(typ) && (d.reads(target, d.field) || d.handed(cur, d.field)) {
			d.reportStruct(t)
		}
	case *types.Map:
		if code.IsAny(t.Elem()) && (d.reads(target, d.key) || d.handed(cur, d.key)) {
			d.reportMap()
		}
	}
}

// decodes reports whether a type decodes itself.
func decodes(t types.Type) bool {
	return slices.ContainsFunc([]string{"UnmarshalJSON", "UnmarshalText", "UnmarshalJSONFrom"}, func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, name)
		return obj != nil
	})
}

// reads collects what is read of the variable; it reports false if the
// variable is used otherwise.
func (d *document) reads(addr ast.Node, name func(inspector.Cursor) (string, bool)) bool {
	return d.readsOf(d.v, addr, name)
}

// handed is reads for the variables of callers, where an unexported function decodes and
// does nothing else: all its callers in the package together.
func (d *document) handed(cur inspector.Cursor, name func(inspector.Cursor) (string, bool)) bool {
	_, f := code.Decl(d.p.TypesInfo, cur)
	if f == nil || f.Exported() {
		return false
	}
	callers := 0
	d.read, d.away = nil, true
	for at, v := range code.Handed(d.p.Index, d.p.TypesInfo, cur, d.v) {
		if callers++; !d.readsOf(v, at.Node(), name) {
			return false
		}
	}
	return callers > 0 && callers == len(d.p.Index.Uses(f))
}

func (d *document) readsOf(v *types.Var, addr ast.Node, name func(inspector.Cursor) (string, bool)) bool {
	for _, cur := range d.p.Index.Uses(v) {
		if code.Within(addr, cur.Node()) {
			continue
		}
		n, ok := name(cur)
		if !ok {
			return false
		}
		if !slices.Contains(d.read, n) {
			d.read = append(d.read, n)
		}
	}
	return len(d.read) > 0
}

// field returns the field of v.F, declared in the struct itself.
func (d *document) field(cur inspector.Cursor) (string, bool) {
	sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
	if !ok || cur.ParentEdgeKind() != edge.SelectorExpr_X {
		return "", false
	}
	s := d.p.TypesInfo.Selections[sel]
	return sel.Sel.Name, s != nil && s.Kind() == types.FieldVal && len(s.Index()) == 1
}

// key returns the constant key of v["key"] that is read.
func (d *document) key(cur inspector.Cursor) (string, bool) {
	ix, ok := cur.Parent().Node().(*ast.IndexExpr)
	if !ok || cur.ParentEdgeKind() != edge.IndexExpr_X || cur.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs {
		return "", false
	}
	return code.String(d.p.TypesInfo, ix.Index)
}

// few is how many times larger the whole has to be than what is read, and
// least what has to be left unread, by [weight].
const (
	few   = 3
	least = 8
)

// weight estimates what it costs to decode a type: one per value, and five for
// what may hold any number of them.
func weight(t types.Type, depth int) int {
	if depth > 4 {
		return 1
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n := 0
		for i := range u.NumFields() {
			if f := u.Field(i); decoded(f, u.Tag(i)) {
				n += weight(f.Type(), depth+1)
			}
		}
		return max(n, 1)
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return 1
		}
		return 5 * weight(u.Elem(), depth+1)
	case *types.Map:
		return 5 * weight(u.Elem(), depth+1)
	case *types.Pointer:
		return weight(u.Elem(), depth+1)
	case *types.Interface:
		return 5
	}
	return 1
}

// decoded reports whether a field has a member of the document.
func decoded(f *types.Var, tag string) bool {
	return (f.Exported() || f.Embedded()) && reflect.StructTag(tag).Get("json") != "-"
}

func (d *document) reportStruct(st *types.Struct) {
	total, used, fields := 0, 0, 0
	for i := range st.NumFields() {
		f := st.Field(i)
		if !decoded(f, st.Tag(i)) {
			if slices.Contains(d.read, f.Name()) {
				return
			}
			continue
		}
		w := weight(f.Type(), 0)
		total, fields = total+w, fields+1
		if slices.Contains(d.read, f.Name()) {
			used += w
		}
	}
	if used*few > total || total-used < least || d.strict() {
		return
	}
	f := rule.Finding{
		Pos: d.call.Pos(), End: d.call.End(),
		Message: fmt.Sprintf("%d of %d members of the document are read (%s); a type with these decodes nothing else", len(d.read), fields, strings.Join(d.read, ", ")),
	}
	if edits := d.narrow(st); edits != nil && !d.away {
		f.Fixes = []analysis.SuggestedFix{{Message: "Decode what is read", TextEdits: edits}}
	}
	d.p.Report(f)
}

func (d *document) reportMap() {
	if len(d.read) > 4 {
		return
	}
	quoted := make([]string, len(d.read))
	for i, k := range d.read {
		quoted[i] = fmt.Sprintf("%q", k)
	}
	d.p.Report(rule.Finding{
		Pos: d.call.Pos(), End: d.call.End(),
		Message: fmt.Sprintf("the whole document becomes maps and interfaces, and %s is read; a struct with that decodes nothing else", strings.Join(quoted, ", ")),
	})
}

// strict reports whether the function makes a decoder refuse unknown members.
func (d *document) strict() bool {
	return code.Any(d.fn.Node(), func(sel *ast.SelectorExpr) bool { return sel.Sel.Name == "DisallowUnknownFields" })
}
