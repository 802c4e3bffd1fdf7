// Package finalizerclose finds types whose descriptors nothing but a finalizer
// closes.
package finalizerclose

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "finalizerclose",
	Title: "descriptor that only a finalizer closes",
	IDs:   []string{"C54"}, Seeds: []string{"004"},
	Tier: rule.Always, Fix: rule.B,
	Why: "A finalizer runs some time after a collection found the object dead. Collections follow the heap, not the number of open descriptors: a " +
		"program that opens often and allocates little runs out of descriptors first. An object with a finalizer also lives for one more cycle, and " +
		"all finalizers share one goroutine. A Close method that callers defer gives the descriptor back at once.",
	WhenNot: "The type, or one that embeds it, has a method such as Close, Release or Free, or the finalizer is disarmed or called somewhere: then it is a " +
		"safety net. The finalizer does not close but warns. What it frees is memory.",
	Gap: "The fix replaces the finalizer by runtime.AddCleanup (Go 1.24), which saves the extra cycle; descriptors run out with it just the same, so that " +
		"a Close method remains to be written. It is offered only where the finalizer closes one field without pointers that is set once. With it, closing " +
		"may run in parallel, and an object that is part of a cycle is closed as well. What cgo frees is not judged.",
	Signature: "“too many open files” under load; runtime.runFinalizers with the close below it in CPU profiles",
	Evidence: &rule.Evidence{
		Exempt: "what is lost is descriptors, not time: with a limit of 256, 20,000 opens failed 17,998 to 19,751 times with a finalizer, 19,276 to 19,566 times " +
			"with AddCleanup, and never with Close",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	set := p.Index.Object("runtime", "SetFinalizer")
	if set == nil {
		return
	}
	for cur, call := range p.Index.CallsOf(set) {
		if f := look(p, cur, call); f != nil && !f.hasWay(set) {
			f.report()
		}
	}
}

// A final is one call of SetFinalizer for a type of the package.
type final struct {
	p     *rule.Pass
	cur   inspector.Cursor
	call  *ast.CallExpr
	typ   *types.Named
	fn    *types.Func    // the finalizer, if it is declared
	param *types.Var     // what the finalizer calls the object
	body  *ast.BlockStmt // of the finalizer
	close *ast.CallExpr  // the call in it that closes
	how   string         // "syscall.Close"
}

// look returns the call if its finalizer closes a descriptor.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) *final {
	ptr, ok := types.Unalias(p.TypesInfo.TypeOf(call.Args[0])).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() != p.Pkg {
		return nil
	}
	f := &final{p: p, cur: cur, call: call, typ: named.Origin()}
	switch x := ast.Unparen(call.Args[1]).(type) {
	case *ast.Ident:
		f.declared(p.TypesInfo.Uses[x])
	case *ast.SelectorExpr:
		f.declared(p.TypesInfo.Uses[x.Sel])
	}
	if lit := code.Literal(p.Index, p.TypesInfo, call.Args[1]); lit != nil {
		f.body = lit.Body
		if names := lit.Type.Params.List[0].Names; len(names) == 1 {
			f.param, _ = p.TypesInfo.Defs[names[0]].(*types.Var)
		}
	}
	if f.body == nil || f.param == nil || !f.closes() {
		return nil
	}
	return f
}

// declared takes the finalizer from a declaration: a method or a function.
func (f *final) declared(obj types.Object) {
	fn, ok := obj.(*types.Func)
	if !ok {
		return
	}
	fd := f.p.Index.Decl(fn)
	if fd == nil {
		return
	}
	list := fd.Type.Params.List
	if fd.Recv != nil {
		list = fd.Recv.List
	}
	if len(list) == 1 && len(list[0].Names) == 1 {
		f.fn, f.body = fn, fd.Body
		f.param, _ = f.p.TypesInfo.Defs[list[0].Names[0]].(*types.Var)
	}
}

// closes reports whether the finalizer closes a descriptor, or a file or
// connection, that the object holds. One that panics warns of leaks.
func (f *final) closes() bool {
	warns := false
	for call := range code.All[*ast.CallExpr](f.body) {
		switch callee := typeutil.Callee(f.p.TypesInfo, call).(type) {
		case *types.Builtin:
			warns = warns || callee.Name() == "panic"
		case *types.Func:
			if how := releases(callee); how != "" && f.close == nil && f.mentions(call) {
				f.close, f.how = call, how
			}
		}
	}
	return f.close != nil && !warns
}

// releases names a function that gives a descriptor back to the system.
func releases(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	path, recv := fn.Pkg().Path(), fn.Signature().Recv()
	switch {
	case recv == nil && (path == "syscall" || path == "golang.org/x/sys/unix" || path == "golang.org/x/sys/windows"):
		switch fn.Name() {
		case "Close", "CloseHandle", "Closesocket":
			return path[lastSlash(path)+1:] + "." + fn.Name()
		}
	case recv != nil && fn.Name() == "Close" && (path == "os" || path == "net" || path == "io"):
		return "(" + types.TypeString(recv.Type(), (*types.Package).Name) + ").Close"
	}
	return ""
}

func lastSlash(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return i
		}
	}
	return -1
}

// mentions reports whether the object stands in a node.
func (f *final) mentions(n ast.Node) bool {
	return slices.ContainsFunc(f.p.Index.Uses(f.param), func(cur inspector.Cursor) bool { return code.Within(n, cur.Node()) })
}

// ways are the names by which types offer to be closed.
var ways = regexp.MustCompile(`(?i)^(close|release|free|stop|shutdown|destroy|dispose|cancel|end|finish|done|unref|decref|delete|detach|discard|quit|exit|kill|disconnect|cleanup|unmap|put|drop|remove|reset)`)

// hasWay reports whether the object can be closed otherwise: by a method of it
// or of a type that holds it, by calling the finalizer, or by code that disarms
// it.
func (f *final) hasWay(set types.Object) bool {
	scope := f.p.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || tn.Type() != f.typ && !holds(tn.Type(), f.typ) {
			continue
		}
		methods := types.NewMethodSet(types.NewPointer(tn.Type()))
		for m := range methods.Methods() {
			if m.Obj() != f.fn && ways.MatchString(m.Obj().Name()) || m.Obj() == f.fn && f.fn.Exported() {
				return true
			}
		}
	}
	if f.fn != nil {
		for range f.p.Index.CallsOf(f.fn) {
			return true
		}
	}
	for _, call := range f.p.Index.CallsOf(set) {
		if tv := f.p.TypesInfo.Types[call.Args[1]]; tv.IsNil() {
			return true
		}
	}
	return false
}

// holds reports whether a type is a struct with a field of type t or *t.
func holds(in types.Type, t *types.Named) bool {
	s, ok := in.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		ft := types.Unalias(field.Type())
		if p, ok := ft.(*types.Pointer); ok {
			ft = types.Unalias(p.Elem())
		}
		if n, ok := ft.(*types.Named); ok && n.Origin() == t {
			return true
		}
	}
	return false
}

func (f *final) report() {
	finding := rule.Finding{
		Pos: f.call.Pos(), End: f.call.End(),
		Message: fmt.Sprintf("nothing but this finalizer calls %s for a %s: descriptors run out before a collection does it; give it a Close method",
			f.how, f.typ.Obj().Name()),
	}
	if f.how == "(io.Closer).Close" {
		finding.Tier = rule.Special // it may hold anything
	}
	if edits := f.cleanup(); edits != nil {
		finding.Fixes = []analysis.SuggestedFix{{Message: "Use runtime.AddCleanup", TextEdits: edits}}
	}
	f.p.Report(finding)
}
