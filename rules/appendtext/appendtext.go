// Package appendtext finds texts that are made only to be appended to bytes.
package appendtext

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "appendtext",
	Title: "number, time or formatted text made as a string, only to be appended to bytes",
	IDs:   []string{"X09"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "The string is allocated, copied behind the bytes, and dropped. strconv.AppendInt and its kin, time.AppendFormat and fmt.Appendf write to " +
		"where the text belongs. The AvailableBuffer of a bytes.Buffer or bufio.Writer gives the same room.",
	WhenNot: "The slice has a named type, so that the result would have another. The line is cold. strconv.Itoa of numbers from 0 to 99 allocates " +
		"nothing.",
	Gap: "Most numbers, quoted texts and times are written in pieces: where they do not fit behind the slice, the first pieces still overwrite what another slice " +
		"has there. That is class B unless the result goes back to the variable that is appended to, in this and all its appends. Hex and base64 write while they read: where the source lies in the room behind the slice, the result would differ, which is class B. A " +
		"bufio.Writer may pass on a long text in other pieces, which is class B as well. A strings.Builder has no such room.",
	Signature: "strconv.formatBits, time.Time.Format, fmt.Sprintf or encoding/hex.EncodeToString in alloc_objects profiles, below the line",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkRow", Metric: "allocs",
		Claimed: "numbers and times of a row are not allocated first",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// A source is a function or method that returns a text, and what appends the same text.
type source struct {
	pkg, typ, name string
	to             string
	before, after  string // of the first argument, where its type is another
	since          string
	class          rule.Class
	pieces         bool // it is appended in several, so that some are written where all do not fit
}

var sources = []source{
	{pkg: "strconv", name: "Itoa", to: "AppendInt", before: "int64(", after: "), 10", class: rule.A, pieces: true},
	{pkg: "strconv", name: "FormatInt", to: "AppendInt", class: rule.A, pieces: true},
	{pkg: "strconv", name: "FormatUint", to: "AppendUint", class: rule.A},
	{pkg: "strconv", name: "FormatFloat", to: "AppendFloat", class: rule.A, pieces: true},
	{pkg: "strconv", name: "FormatBool", to: "AppendBool", class: rule.A},
	{pkg: "strconv", name: "Quote", to: "AppendQuote", class: rule.A, pieces: true},
	{pkg: "strconv", name: "QuoteToASCII", to: "AppendQuoteToASCII", class: rule.A, pieces: true},
	{pkg: "fmt", name: "Sprintf", to: "Appendf", since: "go1.19", class: rule.A},
	{pkg: "fmt", name: "Sprint", to: "Append", since: "go1.19", class: rule.A},
	{pkg: "fmt", name: "Sprintln", to: "Appendln", since: "go1.19", class: rule.A},
	{pkg: "time", typ: "Time", name: "Format", to: "AppendFormat", class: rule.A, pieces: true},
	{pkg: "encoding/hex", name: "EncodeToString", to: "AppendEncode", since: "go1.22", class: rule.B},
	{pkg: "encoding/base64", typ: "Encoding", name: "EncodeToString", to: "AppendEncode", since: "go1.22", class: rule.B},
}

func run(p *rule.Pass) {
	for _, s := range sources {
		calls := p.Index.Calls(s.pkg, s.name)
		if s.typ != "" {
			calls = p.Index.Method(s.pkg, s.typ, s.name)
		}
		for cur, call := range calls {
			outer, ok := cur.Parent().Node().(*ast.CallExpr)
			if !ok || code.Callee(p.TypesInfo, call) == nil || p.IsTest(call.Pos()) || s.since != "" && !p.AtLeast(call.Pos(), s.since) ||
				s.before != "" && !code.Predeclared(p.Pkg, call.Pos(), "int64") {
				continue
			}
			t := text{p: p, source: s, call: call, outer: outer}
			if code.Builtin(p.TypesInfo, outer) == "append" {
				t.appended()
			} else if !code.Deferred(cur.Parent()) {
				t.written()
			}
		}
	}
}

// A text is a call that returns a text, with the call that the text is given to.
type text struct {
	p *rule.Pass
	source
	call, outer *ast.CallExpr
}

// appended reports append(b, text...) where b is a []byte.
func (t text) appended() {
	if len(t.outer.Args) != 2 || t.outer.Args[1] != ast.Expr(t.call) {
		return
	}
	dst := t.outer.Args[0]
	if !types.Identical(t.p.TypesInfo.TypeOf(dst), types.NewSlice(types.Typ[types.Byte])) {
		return
	}
	f := t.finding()
	if (t.calls() || code.Acts(t.p.TypesInfo, t.call.Fun)) && code.Changeable(t.p.Index, t.p.TypesInfo, dst) {
		f.Class = rule.B // what is called may append to it as well
	}
	if t.pieces && !t.comesBack(dst) {
		f.Class = rule.B
	}
	if twin := t.twin(t.p.Source(dst)); twin != "" {
		f.Fixes = code.Fix("Use "+t.to, code.Replace(t.outer, twin))
	}
	t.p.Report(f)
}

// comesBack reports whether what is appended goes back to the variable or field that is appended
// to, and so in all appends to that: then nobody else has bytes where the first pieces go.
func (t text) comesBack(dst ast.Expr) bool {
	if cut, ok := ast.Unparen(dst).(*ast.SliceExpr); ok && cut.Max == nil {
		dst = cut.X
	}
	v := code.Named(t.p.TypesInfo, dst)
	return v != nil && !slices.ContainsFunc(t.p.Index.Uses(v), func(use inspector.Cursor) bool { return t.apart(use, v) })
}

// apart reports whether a use of a variable appends to it, and the result is another slice. What
// a function returns at last is the same one, unless the text itself goes to what a caller has.
func (t text) apart(use inspector.Cursor, v *types.Var) bool {
	for use.ParentEdgeKind() == edge.SelectorExpr_Sel || use.ParentEdgeKind() == edge.SliceExpr_X || use.ParentEdgeKind() == edge.ParenExpr_X {
		use = use.Parent()
	}
	call, ok := use.Parent().Node().(*ast.CallExpr)
	if !ok || use.ParentEdgeKind() != edge.CallExpr_Args || use.ParentEdgeIndex() != 0 || code.Builtin(t.p.TypesInfo, call) != "append" {
		return false
	}
	switch at := use.Parent().Parent().Node().(type) {
	case *ast.AssignStmt:
		return len(at.Lhs) != 1 || code.Named(t.p.TypesInfo, at.Lhs[0]) != v
	case *ast.ReturnStmt:
		return call == t.outer && v.Kind() != types.LocalVar
	}
	return true
}

// written reports w.WriteString(text) where w is a bytes.Buffer or bufio.Writer. What
// embeds one may have a Write of its own, and fmt writes to writers itself.
func (t text) written() {
	write, ok := ast.Unparen(t.outer.Fun).(*ast.SelectorExpr)
	fn := code.Callee(t.p.TypesInfo, t.outer)
	if !ok || fn == nil || t.pkg == "fmt" || !code.Place(write.X) {
		return
	}
	f := t.finding()
	switch w := t.p.TypesInfo.TypeOf(write.X); rule.FuncID(fn) {
	case "(*bytes.Buffer).WriteString":
		if !code.IsNamed(w, "bytes", "Buffer") || !t.p.AtLeast(t.call.Pos(), "go1.21") {
			return
		}
	case "(*bufio.Writer).WriteString":
		if f.Class = rule.B; !code.IsNamed(w, "bufio", "Writer") {
			return
		}
	default:
		return
	}
	twin := t.twin(t.p.Source(write.X) + ".AvailableBuffer()")
	if twin != "" && !t.calls() { // what is called may write to where the text would stand
		f.Fixes = code.Fix("Use "+t.to, code.Replace(write.Sel, "Write"), code.Replace(t.call, twin))
	}
	t.p.Report(f)
}

func (t text) finding() rule.Finding {
	return rule.Finding{
		Pos: t.call.Pos(), End: t.call.End(), Class: t.class,
		Message: "the text is allocated only to be copied; " + t.to + " writes it where it belongs",
	}
}

// twin writes the call that appends the text to dst, "" where fmt and the like are
// imported by a dot.
func (t text) twin(dst string) string {
	sel, ok := ast.Unparen(t.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	args := []string{dst}
	for i, arg := range t.call.Args {
		src := t.p.Source(arg)
		if i == 0 {
			src = t.before + src + t.after
		}
		args = append(args, src)
	}
	list := strings.Join(args, ", ")
	if t.call.Ellipsis.IsValid() {
		list += "..."
	}
	return t.p.Source(sel.X) + "." + t.to + "(" + list + ")"
}

// calls reports whether making the text calls what may have an effect: an argument, or a
// method of one that is formatted.
func (t text) calls() bool {
	return code.Acts(t.p.TypesInfo, t.call.Args...) || t.pkg == "fmt" && !code.Plain(t.p.TypesInfo, t.call)
}
