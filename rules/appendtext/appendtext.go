// Package appendtext finds texts that are made only to be appended to bytes.
package appendtext

import (
	"embed"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

//go:embed testdata/evidence
var evidence embed.FS

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
	Gap: "hex and base64 write while they read: where the source lies in the room behind the slice, the result would differ, which is class B. A " +
		"bufio.Writer may pass on a long text in other pieces, which is class B as well. A strings.Builder has no such room.",
	Signature: "strconv.formatBits, time.Time.Format, fmt.Sprintf or encoding/hex.EncodeToString in alloc_objects profiles, below the line",
	Evidence: &rule.Evidence{
		Files: evidence, Bench: "BenchmarkRow", Metric: "allocs",
		Claimed: "numbers and times of a row are not allocated first",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// A twin is what appends the text that a function returns.
type twin struct {
	name          string
	before, after string // of the first argument, and behind all of them
	since         string
	class         rule.Class
}

var functions = map[string]map[string]twin{
	"strconv": {
		"Itoa": {"AppendInt", "int64(", "), 10", "", rule.A}, "FormatInt": {name: "AppendInt", class: rule.A}, "FormatUint": {name: "AppendUint", class: rule.A},
		"FormatFloat": {name: "AppendFloat", class: rule.A}, "FormatBool": {name: "AppendBool", class: rule.A}, "Quote": {name: "AppendQuote", class: rule.A},
		"QuoteToASCII": {name: "AppendQuoteToASCII", class: rule.A},
	},
	"fmt": {
		"Sprintf": {name: "Appendf", since: "go1.19", class: rule.A}, "Sprint": {name: "Append", since: "go1.19", class: rule.A},
		"Sprintln": {name: "Appendln", since: "go1.19", class: rule.A},
	},
	"encoding/hex": {"EncodeToString": {name: "AppendEncode", since: "go1.22", class: rule.B}},
}

var methods = []struct {
	pkg, typ, name string
	twin
}{
	{"time", "Time", "Format", twin{name: "AppendFormat", class: rule.A}},
	{"encoding/base64", "Encoding", "EncodeToString", twin{name: "AppendEncode", since: "go1.22", class: rule.B}},
}

func run(p *rule.Pass) error {
	for path, all := range functions {
		for name, t := range all {
			for cur, call := range p.Index.Calls(path, name) {
				look(p, cur, call, t)
			}
		}
	}
	for _, m := range methods {
		for cur, call := range p.Index.Method(m.pkg, m.typ, m.name) {
			look(p, cur, call, m.twin)
		}
	}
	return nil
}

// look reports a text whose only use is to be appended: append(b, text...), or
// w.WriteString(text) of a buffer.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, t twin) {
	outer, ok := cur.Parent().Node().(*ast.CallExpr)
	sel, named := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !named || p.IsTest(call.Pos()) || t.since != "" && !p.AtLeast(call.Pos(), t.since) ||
		t.before != "" && !code.Predeclared(p.Pkg, call.Pos(), "int64") {
		return
	}
	twin := func(to string) string {
		args := []string{to}
		for i, arg := range call.Args {
			text := p.Source(arg)
			if i == 0 {
				text = t.before + text + t.after
			}
			args = append(args, text)
		}
		list := strings.Join(args, ", ")
		if call.Ellipsis.IsValid() {
			list += "..."
		}
		return p.Source(sel.X) + "." + t.name + "(" + list + ")"
	}
	f := rule.Finding{
		Pos: call.Pos(), End: call.End(), Class: t.class,
		Message: "the text is allocated only to be copied; " + t.name + " writes it where it belongs",
	}
	if code.Builtin(p.TypesInfo, outer) == "append" {
		if len(outer.Args) != 2 || outer.Args[1] != ast.Expr(call) || !types.Identical(p.TypesInfo.TypeOf(outer.Args[0]), types.NewSlice(types.Typ[types.Byte])) {
			return
		}
		if v := code.Var(p.TypesInfo, outer.Args[0]); calls(p.TypesInfo, call.Args) && (!code.Local(v) || code.Captured(p.Index, p.TypesInfo, v)) {
			f.Class = rule.B // what is called may append to it as well
		}
		f.Fixes = code.Fix("Use "+t.name, code.Replace(outer, twin(p.Source(outer.Args[0]))))
		p.Report(f)
		return
	}
	write, ok := ast.Unparen(outer.Fun).(*ast.SelectorExpr)
	fn := code.Callee(p.TypesInfo, outer)
	if !ok || fn == nil || !code.Place(write.X) || code.Deferred(cur.Parent()) || !code.IsNamed(p.TypesInfo.TypeOf(write.X), fn.Pkg().Path(), code.ReceiverName(fn)) {
		return // what embeds a buffer may have a Write of its own
	}
	switch rule.FuncID(fn) {
	case "(*bytes.Buffer).WriteString":
		if !p.AtLeast(call.Pos(), "go1.21") {
			return
		}
	case "(*bufio.Writer).WriteString":
		f.Class = rule.B
	default:
		return
	}
	if made := code.Callee(p.TypesInfo, call); made.Pkg().Path() == "fmt" {
		return // which writes to writers itself
	}
	if calls(p.TypesInfo, call.Args) {
		p.Report(f) // what is called may write to where the text would stand
		return
	}
	f.Fixes = code.Fix("Use "+t.name, code.Replace(write.Sel, "Write"), code.Replace(call, twin(p.Source(write.X)+".AvailableBuffer()")))
	p.Report(f)
}

// calls reports whether evaluating expressions calls what may have an effect.
func calls(info *types.Info, args []ast.Expr) bool {
	eval := &code.Eval{Info: info, Call: func(*ast.CallExpr) code.Loss { return code.Loss{Grade: code.AnyLoss} }}
	return eval.Of(args...).Grade == code.AnyLoss
}
