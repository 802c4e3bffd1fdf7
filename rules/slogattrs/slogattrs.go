// Package slogattrs finds log lines of slog whose values are put into interfaces.
package slogattrs

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "slogattrs",
	Title: "values of a slog line boxed into any, whether it is written or not",
	IDs:   []string{"X13"},
	Tier:  rule.Profiled, Fix: rule.A, Go: "go1.21",
	Why: "slog.Info and its kin take ...any: each number, text or time that is no constant is allocated before the level is asked, so also for a line " +
		"that nobody writes. slog.LogAttrs takes attributes, which hold such values without memory of their own.",
	WhenNot: "The line is cold: pairs are easier to read. All values are pointers, constants or errors, which need no memory. A key is not constant, or " +
		"a value has no key.",
	Gap: "A value of another type goes through slog.Any, which boxes it as before. Where a value is read from memory and a later argument is a call " +
		"that may change it, the order of the two is another, and the fix is of class B.",
	Signature: "runtime.convT64, convTstring and convT below a line that logs in alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkServed", Metric: "allocs",
		Claimed: "a line below the level allocates nothing",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for _, level := range []string{"Debug", "Info", "Warn", "Error"} {
		for _, ctx := range []bool{false, true} {
			name := level
			if ctx {
				name += "Context"
			}
			for _, call := range p.Index.Calls("log/slog", name) {
				look(p, call, level, ctx)
			}
			for _, call := range p.Index.Method("log/slog", "Logger", name) {
				look(p, call, level, ctx)
			}
		}
	}
}

// constructors make attributes of values of a type, and hold them without an interface.
var constructors = map[string]string{
	"string": "String", "int": "Int", "int64": "Int64", "uint64": "Uint64", "float64": "Float64", "bool": "Bool",
	"time.Time": "Time", "time.Duration": "Duration",
}

func look(p *rule.Pass, call *ast.CallExpr, level string, ctx bool) {
	head := 1
	if ctx {
		head = 2
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || code.Callee(p.TypesInfo, call) == nil || len(call.Args) <= head || call.Ellipsis.IsValid() || p.IsTest(call.Pos()) || covered(p, sel) {
		return
	}
	slog, more, ok := code.Import(p.TypesInfo, p.Pkg, p.File(call.Pos()), call.Pos(), "log/slog")
	if !ok {
		return
	}
	attrs, boxed := attributes(p, call.Args[head:], slog)
	if attrs == nil || !boxed {
		return
	}
	f := rule.Finding{
		Pos: call.Pos(), End: call.End(),
		Message: sel.Sel.Name + " boxes its values before the level is asked; LogAttrs takes them as they are",
	}
	to, edits := p.Source(sel.X)+".LogAttrs(", more
	if ctx {
		to += p.Source(call.Args[0])
	} else {
		q, add, ok := code.Import(p.TypesInfo, p.Pkg, p.File(call.Pos()), call.Pos(), "context")
		if !ok {
			p.Report(f)
			return
		}
		to, edits = to+q+".Background()", join(edits, add)
	}
	if early(p, call.Args[head:]) {
		f.Class = rule.B
	}
	args := append([]string{to, slog + ".Level" + level, p.Source(call.Args[head-1])}, attrs...)
	f.Fixes = code.Fix("Use LogAttrs", append(edits, code.Replace(call, strings.Join(args, ", ")+")"))...)
	p.Report(f)
}

// early reports whether an attribute would be made of a value before a later argument
// calls what may change that. Of a list of arguments, calls come first.
func early(p *rule.Pass, args []ast.Expr) bool {
	for i, x := range args {
		if code.Changeable(p.Index, p.TypesInfo, x) && code.Acts(p.TypesInfo, args[i+1:]...) {
			return true
		}
	}
	return false
}

// covered reports whether what a logger is embedded in has a LogAttrs of its own.
func covered(p *rule.Pass, sel *ast.SelectorExpr) bool {
	if p.TypesInfo.Selections[sel] == nil {
		return false // a function of the package
	}
	obj, _, _ := types.LookupFieldOrMethod(p.TypesInfo.TypeOf(sel.X), true, p.Pkg, "LogAttrs")
	fn, ok := obj.(*types.Func)
	return !ok || rule.FuncID(fn) != "(*log/slog.Logger).LogAttrs"
}

// join puts imports at one place into one edit, as edits may not overlap.
func join(a, b []analysis.TextEdit) []analysis.TextEdit {
	if len(a) == 1 && len(b) == 1 && a[0].Pos == b[0].Pos {
		return []analysis.TextEdit{{Pos: a[0].Pos, End: a[0].End, NewText: append(b[0].NewText, a[0].NewText...)}}
	}
	return append(a, b...)
}

// attributes writes pairs of keys and values as attributes, nil where they are no such
// pairs; boxed says whether a value is allocated that need not be.
func attributes(p *rule.Pass, args []ast.Expr, slog string) (attrs []string, boxed bool) {
	for len(args) > 0 {
		t := p.TypesInfo.TypeOf(args[0])
		if _, pointer := t.(*types.Pointer); !pointer && code.IsNamed(t, "log/slog", "Attr") {
			attrs, args = append(attrs, p.Source(args[0])), args[1:]
			continue
		}
		if _, constant := code.String(p.TypesInfo, args[0]); !constant || len(args) == 1 || !types.Identical(types.Default(t), types.Typ[types.String]) {
			return nil, false
		}
		value := p.TypesInfo.Types[args[1]]
		by := constructors[types.TypeString(types.Unalias(types.Default(value.Type)), nil)]
		if by != "" {
			boxed = boxed || value.Value == nil && code.Boxes(p.TypesSizes, value.Type)
		} else {
			by = "Any"
		}
		attrs, args = append(attrs, slog+"."+by+"("+p.Source(args[0])+", "+p.Source(args[1])+")"), args[2:]
	}
	return attrs, boxed
}
