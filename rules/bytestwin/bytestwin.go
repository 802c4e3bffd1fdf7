// Package bytestwin finds bytes that are copied into a string for a function that has
// a twin for bytes.
package bytestwin

import (
	"go/ast"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "bytestwin",
	Title: "bytes copied into a string for a function that has a twin for bytes",
	IDs:   []string{"X04"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "string(b) copies the bytes, since b may change later, and allocates memory for more than 32 of them. Packages bytes and utf8, the methods of " +
		"regexp and those of buffers have the same functions for bytes, which copy nothing. []byte(s) of a string that is only read costs nothing.",
	WhenNot: "The conversion costs nothing: in a comparison, as the key of a lookup, in a switch, in a range. The function keeps the text or returns a " +
		"part of it. The function calls another one that is given to it, which might change the bytes.",
	Gap: "Write is given the bytes themselves. Where they may be the memory of the same bytes.Buffer, that is class B; so is a bufio.Writer, which may pass " +
		"them on in other pieces. " +
		"The other way round, only what is matched by a regular expression is reported: there the bytes of a string are copied.",
	Signature: "runtime.slicebytetostring below the line in CPU and alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkErrors", Metric: "allocs",
		Claimed: "a line that is only looked at is not copied",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// texts are the functions of strings whose arguments are all texts; first are those with
// another argument behind the first. The twins of runes and match have no String in their
// names.
var (
	texts = strings.Fields("Compare Contains Count EqualFold HasPrefix HasSuffix Index LastIndex")
	first = strings.Fields("ContainsAny ContainsRune IndexAny IndexByte IndexRune LastIndexAny LastIndexByte")
	runes = strings.Fields("DecodeLastRuneInString DecodeRuneInString FullRuneInString RuneCountInString ValidString")
	match = strings.Fields("MatchString FindStringIndex FindStringSubmatchIndex FindAllStringIndex FindAllStringSubmatchIndex")
)

func run(p *rule.Pass) {
	held(p)
	for _, name := range texts {
		for cur, call := range p.Index.Calls("strings", name) {
			function(p, cur, "bytes", name, len(call.Args))
		}
	}
	for _, name := range first {
		for cur := range p.Index.Calls("strings", name) {
			function(p, cur, "bytes", name, 1)
		}
	}
	for _, name := range runes {
		for cur := range p.Index.Calls("unicode/utf8", name) {
			function(p, cur, "unicode/utf8", strings.Replace(strings.TrimSuffix(name, "InString"), "ValidString", "Valid", 1), 1)
		}
	}
	for _, from := range match {
		to := strings.Replace(from, "String", "", 1)
		for cur := range p.Index.Method("regexp", "Regexp", from) {
			method(p, cur, "regexp", "Regexp", to, rule.A)
		}
		for cur := range p.Index.Method("regexp", "Regexp", to) {
			method(p, cur, "regexp", "Regexp", from, rule.A)
		}
	}
	for cur := range p.Index.Method("strings", "Builder", "WriteString") {
		method(p, cur, "strings", "Builder", "Write", rule.A)
	}
	for cur := range p.Index.Method("bytes", "Buffer", "WriteString") {
		method(p, cur, "bytes", "Buffer", "Write", rule.A)
	}
	for cur := range p.Index.Method("bufio", "Writer", "WriteString") {
		method(p, cur, "bufio", "Writer", "Write", rule.B)
	}
}

// function reports a call of a function with n texts, one of them copied bytes; its
// twin is name of package pkg.
func function(p *rule.Pass, cur inspector.Cursor, pkg, name string, n int) {
	call := cur.Node().(*ast.CallExpr)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) < n || n == 0 || code.Deferred(cur) {
		return
	}
	var args []string
	copied := false
	for i, arg := range call.Args {
		_, data := code.Converted(p.TypesInfo, arg)
		switch {
		case i >= n:
			args = append(args, p.Source(arg))
		case data != nil:
			copied = true
			args = append(args, p.Source(data))
		default:
			args = append(args, "[]byte("+p.Source(arg)+")")
		}
	}
	if !copied || p.IsTest(call.Pos()) || !code.Predeclared(p.Pkg, call.Pos(), "byte") {
		return
	}
	twin := path.Base(pkg) + "." + name
	f := rule.Finding{Pos: call.Pos(), End: call.End(), Message: "the bytes are copied into a string for " + p.Source(sel) + "; " + twin + " looks at them where they are"}
	q, _, ok := code.Import(p.TypesInfo, p.Pkg, p.File(call.Pos()), call.Pos(), pkg)
	if imports, free := code.Reimport(p, call.Pos(), []string{pkg}, "strings", call.Fun); ok && free {
		f.Fixes = code.Fix("Use "+twin, append(imports, code.Replace(call, q+"."+name+"("+strings.Join(args, ", ")+")"))...)
	}
	p.Report(f)
}

// method reports a call of a type's method whose first argument is a conversion that the
// method called name does not need.
func method(p *rule.Pass, cur inspector.Cursor, pkg, typ, name string, class rule.Class) {
	call := cur.Node().(*ast.CallExpr)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 || p.IsTest(call.Pos()) || code.Deferred(cur) || !code.IsNamed(p.TypesInfo.TypeOf(sel.X), pkg, typ) {
		return // what embeds the type may have a method of that name
	}
	text, data := code.Converted(p.TypesInfo, call.Args[0])
	arg, from, to := data, "bytes are", "string"
	if data == nil {
		arg, from, to = text, "string is", "slice of bytes"
	}
	if arg == nil {
		return
	}
	if pkg == "bytes" && (elsewhere(p.TypesInfo, sel.X) || shares(p.TypesInfo, cur, sel.X)) {
		class = rule.B
	}
	p.Report(rule.Finding{
		Pos: call.Pos(), End: call.End(), Class: class,
		Message: "the " + from + " copied into a " + to + " for " + sel.Sel.Name + "; " + name + " takes them as they are",
		Fixes:   code.Fix("Use "+name, code.Replace(sel.Sel, name), code.Replace(call.Args[0], p.Source(arg))),
	})
}

// elsewhere reports whether others have the buffer, who may have its memory and give it here.
func elsewhere(info *types.Info, buffer ast.Expr) bool {
	v := code.Var(info, buffer)
	if v == nil || v.Kind() != types.LocalVar {
		return true
	}
	_, pointer := v.Type().Underlying().(*types.Pointer)
	return pointer
}

// shares reports whether a function has a look at a buffer's own memory, which a write may
// move while it is read.
func shares(info *types.Info, cur inspector.Cursor, buffer ast.Expr) bool {
	fn, ok := code.Func(cur)
	return ok && code.Any(fn.Node(), func(sel *ast.SelectorExpr) bool {
		switch sel.Sel.Name {
		case "Bytes", "Next", "Peek", "AvailableBuffer":
			return !code.Place(buffer) || code.SameExpr(info, sel.X, buffer)
		}
		return false
	})
}
