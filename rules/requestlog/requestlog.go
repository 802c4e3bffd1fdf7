// Package requestlog finds lines that are logged for each request with its URL or
// headers written out.
package requestlog

import (
	"go/ast"
	"path/filepath"
	"regexp"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "requestlog",
	Title: "each request is logged, with its URL or headers as text",
	IDs:   []string{"C26"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "The URL and the headers are written out for each request, and the line goes through the logger's lock. That is a requirement or it is waste. At " +
		"level debug, by a value that is only read if the level is on, it is free.",
	WhenNot: "The log is an access or audit log, by the name of its function, type, file or logger. The line is written on errors only, or when somebody " +
		"asks for it. Every hundredth request is logged.",
	Gap: "Which lines have to be there only the author knows. The value to pass is r.URL, whose text the logger makes if it needs it, not &r.URL, which " +
		"prints an address. Headers may hold secrets.",
	Signature: "net/url.(*URL).String, log/slog and fmt.(*pp).printValue below a handler in CPU and alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkHandle", Metric: "cpu",
		Claimed: "a line at level info for each request, with expensive attributes, can dominate CPU time; at level debug it is not written",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	look := func(cur inspector.Cursor, call *ast.CallExpr) {
		fn, decl := code.Decl(p.TypesInfo, cur)
		arg := written(p, call, fn)
		if arg == nil || decl == nil || code.Rare(p.TypesInfo, cur) || code.Conditional(cur) || meant(p, cur, call) {
			return
		}
		request := calls.OnRequest(decl)
		p.Report(rule.Finding{
			Pos: call.Pos(), End: call.End(), If: []rule.Condition{request},
			Message: "this line is logged for each request, and " + p.Source(arg) + " is written out for it" + callers.Known(decl, request),
		})
	}
	for l := range code.LogCalls(p.Index, p.TypesInfo, "Info") {
		look(l.Cur, l.Call)
	}
	for _, name := range []string{"Printf", "Println", "Print"} {
		for cur, call := range p.Index.Calls("log", name) {
			look(cur, call)
		}
		for cur, call := range p.Index.Method("log", "Logger", name) {
			look(cur, call)
		}
	}
}

// written returns the argument that is costly to write: the text of a URL, all
// headers, or a dump of the request. A variable that only the log reads stands for its
// value.
func written(p *rule.Pass, call *ast.CallExpr, fn *ast.FuncDecl) ast.Expr {
	for _, arg := range call.Args {
		if code.IsNamed(p.TypesInfo.TypeOf(arg), "net/http", "Header") || code.IsNamed(p.TypesInfo.TypeOf(arg), "net/url", "URL") && !code.Any(call.Fun, isSlog(p)) {
			return arg
		}
		if v := code.Var(p.TypesInfo, arg); fn != nil && v != nil && len(p.Index.Uses(v)) == 1 {
			if _, value := code.Origin(p.Index, p.TypesInfo, fn, v); value != nil {
				arg = value
			}
		}
		found := code.Here(arg, func(c *ast.CallExpr) bool {
			f := code.Callee(p.TypesInfo, c)
			if f == nil {
				return false
			}
			switch code.FullName(f) {
			case "net/url.URL.String", "net/url.URL.RequestURI", "net/url.URL.Redacted", "net/http/httputil.DumpRequest":
				return true
			}
			return false
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// isSlog finds loggers that take a URL as it is, and need not write it out.
func isSlog(p *rule.Pass) func(*ast.Ident) bool {
	return func(id *ast.Ident) bool {
		obj := p.TypesInfo.Uses[id]
		return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "log/slog"
	}
}

var log = regexp.MustCompile(`(?i)access|audit`)

// meant reports whether the log is one of all requests, by its names.
func meant(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) bool {
	fd, fn := code.Decl(p.TypesInfo, cur)
	return log.MatchString(fd.Name.Name) || log.MatchString(code.ReceiverName(fn)) || log.MatchString(p.Source(call.Fun)) ||
		log.MatchString(filepath.Base(p.Fset.Position(call.Pos()).Filename))
}
