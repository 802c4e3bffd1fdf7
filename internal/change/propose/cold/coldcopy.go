package cold

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// Copy copies a slice parameter where an error message shows it, so that
// the slice itself, made by the caller for each call, can stay on the stack.
var Copy = prove.Transformation{
	Name:     "box-on-cold-path", // the idea is the same as Call's
	Doc:      "A slice that a caller makes escapes because a callee formats it into an error: the callee formats a copy, made in the error branch.",
	Saves:    prove.Allocs,
	Evidence: Call.Evidence,
	// It starts at the calls on the lines of the target, of its stack and of
	// its notes' flows, test files included, and follows the slices that they
	// make into the module.
	Propose: func(p *prove.Program, o *prove.Offers) {
		var sinks []sink
		seen := map[prove.ParamKey]bool{}
		for _, at := range flowPlaces(o.Target) {
			for _, start := range slicesMadeAt(p, at) {
				sinks = append(sinks, coldSinks(p, start.Fn, start.Index, seen)...)
			}
		}
		if len(sinks) == 0 {
			return
		}
		ch, why := proposeCopy(p, sinks)
		o.Add(p.Pos(sinks[0].call.Pos()), sinks[0].arg.Name+" is formatted into an error without being copied", ch, why)
	},
}

// A sink is a formatting call in a cold block that is given the slice.
type sink struct {
	fn   *prove.Function
	arg  *ast.Ident
	call *ast.CallExpr
	stmt ast.Stmt // the statement of the block that holds the call
	end  string   // what makes the block cold
}

// flowPlaces adds the whole stack and the steps of the notes' flows, which
// may stand in test files, to the target's places.
func flowPlaces(t model.Target) []model.Pos {
	all := prove.Frames(t)
	add := func(at model.Pos) {
		at.Col = 0
		if at.File != "" && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	for _, f := range t.Stack {
		add(f.Pos())
	}
	for _, n := range t.Notes {
		for _, s := range n.Flow {
			add(s.At)
		}
	}
	return all
}

// slicesMadeAt returns the parameters of module functions that calls on a
// line give a newly made slice: variadic values or a slice literal.
func slicesMadeAt(p *prove.Program, at model.Pos) []flow.Handing {
	f, info := anyFile(p, at.File)
	if f == nil {
		return nil
	}
	var found []flow.Handing
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if n == nil || !p.Covers(n, at.Line) && n != f.Syntax {
			return n == nil
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := code.Callee(info, call)
		if fn == nil || p.Function(fn) == nil {
			return true
		}
		sig := fn.Signature()
		if last := sig.Params().Len() - 1; sig.Variadic() && !call.Ellipsis.IsValid() && len(call.Args) > last {
			found = append(found, flow.Handing{Call: call, Fn: fn, Index: last})
		}
		for i, a := range call.Args {
			_, lit := a.(*ast.CompositeLit)
			if to, own := code.Takes(sig, call, i); lit && own {
				if _, slice := to.Underlying().(*types.Slice); slice {
					found = append(found, flow.Handing{Call: call, Fn: fn, Index: i})
				}
			}
		}
		return true
	})
	return found
}

// anyFile returns a loaded file, or a test file of a loaded package.
func anyFile(p *prove.Program, name string) (*prove.File, *types.Info) {
	if f := p.Files[name]; f != nil {
		return f, f.Pkg.TypesInfo
	}
	if !strings.HasSuffix(name, "_test.go") {
		return nil, nil
	}
	for _, k := range p.Packages {
		if len(k.Files) == 0 || path.Dir(k.Files[0].Name) != path.Dir(name) {
			continue
		}
		for _, v := range p.TestViews(k) {
			for _, f := range v.Files {
				if f.Name == name {
					return f, v.Info
				}
			}
		}
	}
	return nil, nil
}

// coldSinks follows a parameter through the module and returns the cold
// formatting calls that it reaches.
func coldSinks(p *prove.Program, fn *types.Func, index int, seen map[prove.ParamKey]bool) []sink {
	key := prove.ParamKey{Fn: fn.Origin().FullName(), Index: index}
	decl := p.Function(fn)
	if decl == nil || seen[key] || index < 0 {
		return nil
	}
	seen[key] = true
	var sinks []sink
	fl := p.FlowOf(decl, decl.Obj.Signature().Params().At(index))
	for _, h := range fl.Calls {
		if p.InModule(h.Fn) {
			sinks = append(sinks, coldSinks(p, h.Fn, h.Index, seen)...)
			continue
		}
		if h.Fn.Pkg() == nil || h.Fn.Pkg().Path() != "fmt" {
			continue
		}
		for _, a := range h.Call.Args {
			id, ok := ast.Unparen(a).(*ast.Ident)
			if !ok || h.Call.Ellipsis.IsValid() || !fl.Tracks(id) {
				continue // values... are boxed before they get here: a copy would not help
			}
			if stmt, end := coldStmt(p, decl, h.Call); stmt != nil {
				s := sink{decl, id, h.Call, stmt, end}
				if !slices.Contains(sinks, s) {
					sinks = append(sinks, s)
				}
			}
		}
	}
	return sinks
}

// coldStmt returns the statement around n that stands directly in a block
// which ends in failure, and what that is; nil if there is none.
func coldStmt(p *prove.Program, fn *prove.Function, n ast.Node) (ast.Stmt, string) {
	for child, up := n, fn.File.Parent(n); up != nil; child, up = up, fn.File.Parent(up) {
		switch up.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return nil, ""
		}
		list := code.StmtList(up)
		if list == nil || up == ast.Node(fn.Decl.Body) {
			continue
		}
		stmt, ok := child.(ast.Stmt)
		if !ok {
			continue
		}
		if end := failure(p, fn, list[len(list)-1]); end != "" {
			return stmt, end
		}
		return nil, ""
	}
	return nil, ""
}

// failure says how a statement ends the function in failure, "" if it does
// not.
func failure(p *prove.Program, fn *prove.Function, s ast.Stmt) string {
	info := fn.Info()
	switch s := s.(type) {
	case *ast.ReturnStmt:
		if p.ReturnsError(fn, s) {
			return "returns an error"
		}
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return ""
		}
		if code.Builtin(info, call) == "panic" {
			return "panics"
		}
		if f := code.Callee(info, call); f != nil && f.Pkg() != nil && (f.Pkg().Path() == "log" && strings.HasPrefix(f.Name(), "Fatal") ||
			f.Pkg().Path() == "log" && strings.HasPrefix(f.Name(), "Panic") || f.FullName() == "os.Exit") {
			return "ends the program"
		}
	}
	return ""
}

func proposeCopy(p *prove.Program, sinks []sink) (*model.Change, *prove.Reason) {
	var edits []model.Edit
	var names []string
	var obligations []model.Obligation
	for _, s := range sinks {
		if why := prove.Editable(s.fn.File); why != nil {
			return nil, why
		}
		edits = append(edits, s.edits(p)...)
		names = append(names, s.fn.Obj.Name())
		obligations = append(obligations, model.Obligation{Text: "the copy is made only on failure", How: "proven",
			Why: fmt.Sprintf("the block around %s %s", p.Pos(s.call.Pos()), s.end)})
	}
	obligations = append(obligations,
		model.Obligation{Text: "the message stays the same", How: "assumed",
			Why: "package fmt shows a slice by its elements; where the verb shows whether it is nil, the copy keeps that"})
	first := sinks[0]
	return p.Change(first.fn, edits, model.Change{
		Kind:        "box-on-cold-path",
		Title:       fmt.Sprintf("%s: copy %s for the error message of %s", first.fn.File.Pkg.Name, first.arg.Name, strings.Join(names, ", ")),
		Obligations: obligations,
	})
}

// edits inserts the copy before the statement. The name is shadowed where
// being nil does not show and nothing else uses the slice, else a second name
// keeps it.
func (s sink) edits(p *prove.Program) []model.Edit {
	f, name := s.fn.File, s.arg.Name
	typ := p.TypeText(s.fn, s.fn.Info().TypeOf(s.arg), nil)
	if !s.showsNil() && !s.usedElsewhere() {
		text := fmt.Sprintf("%s := append(%s(nil), %s...) // lets the caller's slice stay on its stack\n", name, typ, name)
		return []model.Edit{p.Insert(f, s.stmt.Pos(), text)}
	}
	dup := code.FreeLocal(s.fn.Decl, name+"Copy")
	text := fmt.Sprintf("// A copy lets the caller's slice stay on its stack.\nvar %s %s\nif %s != nil {\n%s = append(%s{}, %s...)\n}\n",
		dup, typ, name, dup, typ, name)
	return []model.Edit{p.Insert(f, s.stmt.Pos(), text), p.Put(f, s.arg.Pos(), s.arg.End(), dup)}
}

// usedElsewhere reports whether the rest of the block uses the slice for more
// than its length: it may write to it, for the caller to see.
func (s sink) usedElsewhere() bool {
	info, f, found := s.fn.Info(), s.fn.File, false
	for _, stmt := range code.StmtList(f.Parent(s.stmt)) {
		if stmt.Pos() < s.stmt.Pos() {
			continue
		}
		found = found || code.Any(stmt, func(id *ast.Ident) bool {
			call, ok := f.Parent(id).(*ast.CallExpr)
			return id != s.arg && info.Uses[id] == info.Uses[s.arg] && (!ok || code.Builtin(info, call) != "len")
		})
	}
	return found
}

// showsNil reports whether the call may print a nil slice differently from an
// empty one: with a format that is not constant, or a flag or verb for it
// other than the plain ones.
func (s sink) showsNil() bool {
	info, fn := s.fn.Info(), code.Callee(s.fn.Info(), s.call)
	if !strings.HasSuffix(fn.Name(), "f") {
		return false
	}
	format := fn.Signature().Params().Len() - 2
	arg := slices.IndexFunc(s.call.Args, func(e ast.Expr) bool { return ast.Unparen(e) == s.arg })
	v := info.Types[s.call.Args[format]].Value
	if v == nil || v.Kind() != constant.String || arg <= format {
		return true
	}
	verbs, ok := code.Verbs(constant.StringVal(v))
	n := arg - format - 1
	return !ok || n >= len(verbs) || verbs[n].Sharp() || strings.IndexByte("vsqdxXtT", verbs[n].Verb) < 0
}
