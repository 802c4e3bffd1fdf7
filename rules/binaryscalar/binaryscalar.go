// Package binaryscalar finds binary.Write and binary.Read of single numbers, and of bytes.
package binaryscalar

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "binaryscalar",
	Title: "binary.Write or binary.Read of a single number, or of bytes",
	IDs:   []string{"C59"}, Seeds: []string{"003"},
	Tier: rule.Profiled, Fix: rule.A, Go: "go1.21",
	Why: "Write and Read put the number into an interface, look its type up, and make a slice of two, four or eight bytes for each call. The byte " +
		"orders' Append methods write into the buffer itself. Bytes have no order: they are copied to another slice for nothing.",
	WhenNot: "Structures and slices, where the reflection is worth it. A byte order that is chosen at run time. Lines that are cold.",
	Gap: "For a bytes.Buffer nothing changes but the cost. For a bufio.Writer the fix is a proposal. Other writers, and readers, need a buffer that lives " +
		"longer than the call, which the rule does not add: a local array would escape through the interface. A writer gets the bytes themselves, and not a copy, " +
		"and has to leave them alone, as io.Writer demands. After an error, binary.Read leaves a slice as it was: it is replaced where the slice is new, and dropped then.",
	Signature: "encoding/binary.Write and Read above runtime.mallocgc and runtime.convT in alloc_objects and CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkEncode", Metric: "cpu",
		Claimed: "1075 ns and 5 allocations for ten numbers with Write, 113 ns and none with the byte order's methods", Ratio: 9.51,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("encoding/binary", "Write") {
		if w := look(p, cur, call); w != nil {
			w.report()
		}
		passed(p, cur, call)
		plain(p, cur, call, true)
	}
	for cur, call := range p.Index.Calls("encoding/binary", "Read") {
		plain(p, cur, call, false)
		if len(call.Args) != 3 || p.IsTest(call.Pos()) {
			continue
		}
		ptr, ok := types.Unalias(p.TypesInfo.TypeOf(call.Args[2])).(*types.Pointer)
		if !ok || code.NumberSize(ptr.Elem()) == 0 && !numbers(ptr.Elem()) {
			continue
		}
		p.Report(rule.Finding{
			Pos: call.Pos(), End: call.End(),
			Message: "binary.Read of a single number allocates; io.ReadFull into a buffer that is kept, and the byte order's methods, do not",
		})
	}
}

// unfixed is what a finding says that has no fix.
const unfixed = "binary.Write of a single number allocates; the byte order's Append and Put methods do not"

// passed reports binary.Write of a number where only the kind is known, and the calls
// that have a function of the package write a number.
func passed(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) {
	if len(call.Args) != 3 {
		return
	}
	if numbers(p.TypesInfo.TypeOf(call.Args[2])) {
		p.Report(rule.Finding{Pos: call.Pos(), End: call.End(), Message: unfixed})
		return
	}
	fn, _ := code.Func(cur)
	for _, at := range code.Wrapped(p.Index, p.TypesInfo, cur) {
		if x := code.Argument(p.TypesInfo, fn.Node(), at, call.Args[2]); x != call.Args[2] && code.NumberSize(p.TypesInfo.TypeOf(x)) > 0 {
			p.Report(rule.Finding{Pos: at.Pos(), End: at.End(), Message: p.Source(at.Fun) + " is binary.Write: " + unfixed})
		}
	}
}

// numbers reports whether a type parameter stands for numbers of a fixed size.
func numbers(t types.Type) bool {
	if !code.IsTypeParam(t) {
		return false
	}
	set, ok := t.Underlying().(*types.Interface)
	if !ok || set.NumEmbeddeds() != 1 || set.NumMethods() > 0 {
		return false
	}
	union, ok := set.EmbeddedType(0).(*types.Union)
	if !ok {
		return code.NumberSize(set.EmbeddedType(0)) > 0
	}
	for term := range union.Terms() {
		if code.NumberSize(term.Type()) == 0 {
			return false
		}
	}
	return true
}

// A write is binary.Write of a number.
type write struct {
	p      *rule.Pass
	cur    inspector.Cursor
	call   *ast.CallExpr
	target ast.Expr // the variable that is written to, without &
	buffer bool     // it is a bytes.Buffer
	order  ast.Expr
	value  ast.Expr
	basic  *types.Basic
	size   int
}

func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) *write {
	if len(call.Args) != 3 || p.IsTest(call.Pos()) {
		return nil
	}
	t := p.TypesInfo.TypeOf(call.Args[2])
	n := code.NumberSize(t)
	if n == 0 {
		return nil
	}
	return &write{
		p: p, cur: cur, call: call, target: call.Args[0], order: call.Args[1], value: call.Args[2],
		basic: t.Underlying().(*types.Basic), size: n,
	}
}

func (w *write) report() {
	f := rule.Finding{
		Pos: w.call.Pos(), End: w.call.End(),
		Message: unfixed,
	}
	if w.writer() && w.steady() && simple(w.order) {
		if edits := w.edits(); edits != nil {
			f.Class = rule.A
			if !w.buffer {
				f.Class = rule.B
			}
			f.Fixes = []analysis.SuggestedFix{{Message: "Append to the buffer", TextEdits: edits}}
		}
	}
	w.p.Report(f)
}

// writer reads the target: a variable or field that is a bytes.Buffer or a
// bufio.Writer, or a pointer to one.
func (w *write) writer() bool {
	t := w.p.TypesInfo.TypeOf(w.target)
	if _, ok := types.Unalias(t).(*types.Pointer); !ok {
		return false
	}
	w.buffer = code.IsNamed(t, "bytes", "Buffer")
	if !w.buffer && !code.IsNamed(t, "bufio", "Writer") {
		return false
	}
	if u, ok := ast.Unparen(w.target).(*ast.UnaryExpr); ok && u.Op == token.AND {
		w.target = u.X
	}
	return simple(w.target)
}

// simple reports whether an expression is a variable or a field of one.
func simple(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return simple(x.X)
	}
	return false
}

// steady reports whether computing the value leaves the buffer alone: it is
// computed after the room in the buffer is asked for.
func (w *write) steady() bool {
	return w.private() || !code.Any(w.value, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := w.p.TypesInfo.Types[n.Fun]
			return !tv.IsType() && !tv.IsBuiltin()
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		}
		return false
	})
}

// private reports whether the buffer is a local variable that nothing else
// has got hold of: it is only called on and written to here.
func (w *write) private() bool {
	v := code.Var(w.p.TypesInfo, w.target)
	if v == nil || v.Kind() != types.LocalVar || !code.IsNamed(v.Type(), "bytes", "Buffer") || code.Within(w.value, w.target) {
		return false
	}
	if _, pointer := types.Unalias(v.Type()).(*types.Pointer); pointer {
		return false // there may be others
	}
	fn, _ := code.Func(w.cur)
	for _, use := range w.p.Index.Uses(v) {
		inner, _ := code.Func(use)
		if inner.Index() != fn.Index() || code.Within(w.value, use.Node()) || !called(use) && !w.written(use) {
			return false
		}
	}
	return true
}

// called reports whether a use is the receiver of a method call.
func called(use inspector.Cursor) bool {
	return use.ParentEdgeKind() == edge.SelectorExpr_X && use.Parent().ParentEdgeKind() == edge.CallExpr_Fun
}

// written reports whether a use is the target of a binary.Write.
func (w *write) written(use inspector.Cursor) bool {
	addr := use.Parent()
	call, ok := addr.Parent().Node().(*ast.CallExpr)
	return ok && use.ParentEdgeKind() == edge.UnaryExpr_X && call.Args[0] == addr.Node() && code.IsFunc(w.p.TypesInfo, call, "encoding/binary", "Write")
}

// edits returns the edits that append the number, or nil.
func (w *write) edits() []analysis.TextEdit {
	value, imports, ok := w.bits()
	if !ok {
		return nil
	}
	target := w.p.Source(w.target)
	if w.size == 1 {
		if v := code.Var(w.p.TypesInfo, w.order); v != nil && code.Local(v) && v.Kind() == types.LocalVar && len(w.p.Index.Uses(v)) == 1 {
			return nil // the order would have no use
		}
		imports, _ := code.Reimport(w.p, w.call.Pos(), nil, "encoding/binary", w.call.Fun, w.order)
		return append(imports, w.replace(w.call, fmt.Sprintf("%s.WriteByte(%s)", target, value)))
	}
	if !code.IsNamed(w.p.TypesInfo.TypeOf(w.order), "encoding/binary", "bigEndian") &&
		!code.IsNamed(w.p.TypesInfo.TypeOf(w.order), "encoding/binary", "littleEndian") &&
		!code.IsNamed(w.p.TypesInfo.TypeOf(w.order), "encoding/binary", "nativeEndian") {
		return nil
	}
	text := fmt.Sprintf("%s.Write(%s.AppendUint%d(%s.AvailableBuffer(), %s))", target, w.p.Source(w.order), 8*w.size, target, value)
	if edits := discards(w.cur, w.call, text); edits != nil {
		return append(imports, edits...)
	}
	return nil
}

func (w *write) replace(n ast.Node, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}
}

// bits returns the number as the unsigned integer that is appended.
func (w *write) bits() (text string, imports []analysis.TextEdit, ok bool) {
	if tv := w.p.TypesInfo.Types[w.value]; tv.Value != nil && (tv.Value.Kind() != constant.Int || constant.Sign(tv.Value) < 0) {
		return "", nil, false // converting a negative constant is an error
	}
	t := types.Unalias(w.p.TypesInfo.TypeOf(w.value))
	text = w.p.Source(w.value)
	want := fmt.Sprintf("uint%d", 8*w.size)
	switch w.basic.Kind() {
	case types.Bool:
		return "", nil, false
	case types.Float32, types.Float64:
		name, edits, ok := code.Import(w.p.TypesInfo, w.p.Pkg, w.p.File(w.call.Pos()), w.call.Pos(), "math")
		if t != types.Type(w.basic) {
			text = w.basic.Name() + "(" + text + ")"
			want = w.basic.Name()
		}
		return fmt.Sprintf("%s.Float%dbits(%s)", name, 8*w.size, text), edits, ok && w.means(want)
	}
	if w.basic.Info()&types.IsUnsigned == 0 || t != types.Type(w.basic) {
		text = want + "(" + text + ")"
	}
	return text, nil, w.means(want)
}

// means reports whether a basic type's name means that type.
func (w *write) means(name string) bool {
	_, obj := w.p.Pkg.Scope().Innermost(w.call.Pos()).LookupParent(name, w.call.Pos())
	return obj == types.Universe.Lookup(name)
}
