// Package jsonroundtrip finds documents that are decoded only to be encoded
// again.
package jsonroundtrip

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
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
	Name:  "jsonroundtrip",
	Title: "json.Unmarshal and json.Marshal of one document, with nothing between",
	IDs:   []string{"C71"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.B, Go: "go1.8",
	Why: "Decoding builds every value of the document, and encoding walks them all by reflection, for the same document. json.Valid checks it without " +
		"allocating; json.Compact and json.Indent rewrite its blanks.",
	WhenNot: "The decoded value is read or changed between. Its type brings methods of its own for JSON. The function's name shows that the document is to " +
		"be sorted, filtered or put in a canonical form.",
	Gap: "The round trip drops members that the type does not have, adds those that the document lacks, orders them as the type does, writes " +
		"characters without needless escapes, and refuses values of another type. The fix decodes into a json.RawMessage, which checks the syntax, " +
		"takes out blanks, and does none of the others: right for documents that the program's own encoder wrote. A consumer that takes the document " +
		"as it is needs json.Valid only. What goes into a map or an interface comes out sorted: such places are shown only where a profile has them, " +
		"and have no fix.",
	Signature: "encoding/json.Unmarshal and encoding/json.Marshal side by side under one function in CPU and alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkFrame", Metric: "cpu",
		Claimed: "an event that is decoded and encoded again costs four times what checking and sending it does", Ratio: 4.25,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	if p.Index.Object("encoding/json", "Unmarshal") == nil {
		return
	}
	for cur, call := range p.Index.Calls("encoding/json", "Unmarshal") {
		if t := look(p, cur, call); t != nil {
			t.report()
		}
		for at, v := range elsewhere(p, cur, call) {
			if t := handed(p, at, v); t != nil {
				t.report()
			}
		}
	}
}

// A trip is one variable that is decoded into, encoded, and used for nothing
// else.
type trip struct {
	p         *rule.Pass
	unmarshal *ast.CallExpr
	marshal   *ast.CallExpr
	indent    bool
	handed    bool // unmarshal is the call of a function that decodes
	v         *types.Var
	decl      inspector.Cursor // of var v T, an element of a block; invalid if v is declared otherwise
}

// look returns the trip, or nil where the rule does not apply.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) *trip {
	fn, ok := code.Func(cur)
	if !ok || len(call.Args) != 2 || intended(p, cur) {
		return nil
	}
	t := &trip{p: p, unmarshal: call, v: target(p.TypesInfo, call.Args[1])}
	if t.v == nil || !code.Local(t.v) || !code.Within(fn.Node(), &ast.Ident{NamePos: t.v.Pos()}) {
		return nil
	}
	if loop, ok := code.Loop(cur); ok && !code.Within(loop.Node(), &ast.Ident{NamePos: t.v.Pos()}) {
		return nil // several documents, one over the other
	}
	if verbatim(t.v.Type()) || !t.used() || t.marshal.Pos() < call.End() || custom(t.v.Type()) {
		return nil
	}
	if d, ok := t.declared(fn); ok {
		t.decl = d
		return t
	}
	if t.empty(fn.Node()) {
		return t
	}
	return nil
}

// elsewhere yields the variables of callers that hold what a call decodes into an empty
// variable.
func elsewhere(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) iter.Seq2[inspector.Cursor, *types.Var] {
	fn, ok := code.Func(cur)
	if ok && len(call.Args) == 2 && !intended(p, cur) {
		t := &trip{p: p, unmarshal: call, v: target(p.TypesInfo, call.Args[1])}
		_, declared := t.declared(fn)
		if t.v != nil && (declared || t.v.Kind() == types.ResultVar || t.empty(fn.Node())) {
			return code.Handed(p.Index, p.TypesInfo, cur, t.v)
		}
	}
	return func(func(inspector.Cursor, *types.Var) bool) {}
}

// handed returns the trip of a variable that a function which decodes gives its caller.
func handed(p *rule.Pass, at inspector.Cursor, v *types.Var) *trip {
	t := &trip{p: p, unmarshal: at.Node().(*ast.CallExpr), v: v, handed: true}
	if verbatim(v.Type()) || intended(p, at) || custom(v.Type()) || !t.used() || t.marshal.Pos() < at.Node().End() {
		return nil
	}
	return t
}

// verbatim reports whether t keeps a document as it is: json.RawMessage, which is another name of
// jsontext.Value from Go 1.27 on.
func verbatim(t types.Type) bool {
	return code.IsNamed(t, "encoding/json", "RawMessage") || code.IsNamed(t, "encoding/json/jsontext", "Value")
}

// target returns the variable that a call decodes into: &v, or v where v is a
// pointer.
func target(info *types.Info, x ast.Expr) *types.Var {
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return code.Var(info, u.X)
	}
	return code.Var(info, x)
}

// used reports whether v is used in the decoding and in one encoding only.
func (t *trip) used() bool {
	uses, want := t.p.Index.Uses(t.v), 2
	if t.handed {
		want = 1 // it is declared by the call
	}
	if len(uses) != want {
		return false
	}
	for _, cur := range uses {
		if code.Within(t.unmarshal, cur.Node()) {
			continue
		}
		at := cur
		if u, ok := at.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
			at = at.Parent()
		}
		call, ok := at.Parent().Node().(*ast.CallExpr)
		if !ok || at.ParentEdgeKind() != edge.CallExpr_Args || call.Args[0] != at.Node() {
			return false
		}
		t.marshal = call
		t.indent = code.IsFunc(t.p.TypesInfo, call, "encoding/json", "MarshalIndent")
		if !t.indent && !code.IsFunc(t.p.TypesInfo, call, "encoding/json", "Marshal") {
			return false
		}
		if !t.straight(cur) {
			return false
		}
	}
	return t.marshal != nil
}

// straight reports whether the encoding stands in the same function as the
// decoding, and in the same loop if any: a value that several documents are
// decoded into, one over the other, is not a round trip.
func (t *trip) straight(marshal inspector.Cursor) bool {
	for p := range marshal.Enclosing((*ast.FuncLit)(nil), (*ast.FuncDecl)(nil), (*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		return code.Within(p.Node(), t.unmarshal) && (!isLoop(p.Node()) || code.Within(p.Node(), &ast.Ident{NamePos: t.v.Pos()}))
	}
	return false
}

func isLoop(n ast.Node) bool { return code.Body(n) != nil }

// declared finds var v T without a value.
func (t *trip) declared(fn inspector.Cursor) (inspector.Cursor, bool) {
	for cur := range fn.Preorder((*ast.ValueSpec)(nil)) {
		spec := cur.Node().(*ast.ValueSpec)
		if len(spec.Names) == 1 && len(spec.Values) == 0 && t.p.TypesInfo.Defs[spec.Names[0]] == t.v && spec.Type != nil {
			return cur, true
		}
	}
	return fn, false
}

// empty reports whether the variable begins as an empty value: new(T), T{}, &T{}.
func (t *trip) empty(fn ast.Node) bool {
	value := t.first(fn)
	if value == nil {
		return false
	}
	if made, _ := code.Fresh(t.p.Index, t.p.TypesInfo, fn, value); made != nil {
		value = made
	}
	if u, ok := ast.Unparen(value).(*ast.UnaryExpr); ok {
		value = u.X
	}
	switch x := ast.Unparen(value).(type) {
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.CallExpr:
		return code.IsBuiltin(t.p.TypesInfo, x, "new") || code.IsBuiltin(t.p.TypesInfo, x, "make")
	}
	return false
}

// first returns the value that the variable is declared with, nil if there is none.
func (t *trip) first(fn ast.Node) ast.Expr {
	for a := range code.All[*ast.AssignStmt](fn) {
		if name, _, value := code.Declared(a); name != nil && t.p.TypesInfo.Defs[name] == t.v {
			return value
		}
	}
	return nil
}

// sorts reports whether the document comes out with its members sorted, which
// may be the point.
func (t *trip) sorts() bool {
	switch t.v.Type().Underlying().(type) {
	case *types.Interface, *types.Map:
		return !t.indent
	}
	return false
}

// custom reports whether the type, or one in it, has its own ways with JSON or
// text, so that the round trip converts.
func custom(t types.Type) bool {
	return code.Deep(t, false, func(t types.Type, in func(types.Type) bool) bool {
		if standard(t) {
			return false
		}
		for _, m := range []string{"UnmarshalJSON", "MarshalJSON", "UnmarshalText", "MarshalText", "MarshalJSONTo", "UnmarshalJSONFrom"} {
			if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, m); obj != nil {
				if _, isMethod := obj.(*types.Func); isMethod {
					return true
				}
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				if f.Exported() && in(f.Type()) {
					return true
				}
			}
		case interface{ Elem() types.Type }:
			return in(u.Elem())
		}
		return false
	})
}

// standard reports whether t is a type of the standard library, such as
// time.Time, whose documents come out as they went in.
func standard(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ok
	}
	switch n.Obj().Pkg().Path() {
	case "time", "encoding/json", "encoding/json/jsontext", "math/big", "net/netip", "net":
		return true
	}
	return false
}

// intended reports whether the function's name says that the document is to
// come out changed.
func intended(p *rule.Pass, cur inspector.Cursor) bool {
	decl, _ := code.Decl(p.TypesInfo, cur)
	if decl == nil {
		return true
	}
	name := strings.ToLower(decl.Name.Name)
	return slices.ContainsFunc([]string{"canonical", "normal", "sort", "filter", "clean", "sanit", "strip", "redact", "minif", "migrate", "upgrade", "convert",
		"equal", "hash", "digest", "checksum", "diff", "roundtrip", "clone", "copy", "default", "pretty", "format"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

func (t *trip) report() {
	f := rule.Finding{Pos: t.unmarshal.Pos(), End: t.unmarshal.End()}
	instead := "json.Valid checks the document, and json.Compact takes out its blanks"
	if t.indent {
		instead = "json.Indent lays the document out as it is"
	}
	f.Message = fmt.Sprintf("%s is decoded here only to be encoded again; %s", t.v.Name(), instead)
	f.Related = []analysis.RelatedInformation{{Pos: t.marshal.Pos(), End: t.marshal.End(), Message: "encoded here"}}
	if t.sorts() {
		f.Tier = rule.Profiled
		f.Message += ", which leave the order of members as it is"
	}
	if edits := t.raw(); edits != nil && !t.sorts() {
		f.Fixes = []analysis.SuggestedFix{{Message: "Keep the document as it is", TextEdits: edits}}
	}
	t.p.Report(f)
}

// raw makes the variable a json.RawMessage. Decoding into it still refuses what
// is no JSON, with the same error.
func (t *trip) raw() []analysis.TextEdit {
	if t.decl.Inspector() == nil {
		return nil
	}
	spec := t.decl.Node().(*ast.ValueSpec)
	file := t.p.File(spec.Pos())
	q := code.Qualifier(t.p.TypesInfo, t.p.Pkg, file, spec.Pos(), "encoding/json")
	if _, isStruct := t.v.Type().Underlying().(*types.Struct); !isStruct || q == "" {
		return nil
	}
	edits := []analysis.TextEdit{{Pos: spec.Type.Pos(), End: spec.Type.End(), NewText: []byte(q + ".RawMessage")}}
	for _, imp := range file.Imports {
		path := strings.Trim(imp.Path.Value, "`\"")
		if unused, ok := code.Unused(t.p.TypesInfo, file, path, spec.Type); ok && code.Qualified(t.p.TypesInfo, spec.Type, path) {
			edits = append(edits, code.DeleteImport(t.p.Fset, file, unused)...)
		}
	}
	if t.localOnly(spec) {
		return nil // a type of this function would be left without use, which is an eyesore
	}
	return edits
}

// localOnly reports whether the variable's type is declared in a function.
func (t *trip) localOnly(spec *ast.ValueSpec) bool {
	id, ok := spec.Type.(*ast.Ident)
	if !ok {
		return false
	}
	obj := t.p.TypesInfo.ObjectOf(id)
	return obj != nil && obj.Parent() != t.p.Pkg.Scope() && obj.Parent() != types.Universe
}
