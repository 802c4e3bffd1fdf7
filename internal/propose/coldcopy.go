package propose

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// coldCopy copies a slice parameter where an error message shows it, so that
// the slice itself, made by the caller for each call, can stay on the stack.
type coldCopy struct{ savesAllocs }

// Name is the kind of the changes; the idea is the same as coldCall's.
func (coldCopy) Name() string { return "box-on-cold-path" }

// Doc describes the transformation.
func (coldCopy) Doc() string {
	return "A slice that a caller makes escapes because a callee formats it into an error: the callee formats a copy, made in the error branch."
}

// Evidence is the proof that it pays.
func (coldCopy) Evidence() *rule.Evidence {
	return coldCall{}.Evidence()
}

// A sink is a formatting call in a cold block that is given the slice.
type sink struct {
	fn   *function
	arg  *ast.Ident
	call *ast.CallExpr
	stmt ast.Stmt // the statement of the block that holds the call
	end  string   // what makes the block cold
}

// Propose starts at the calls on the lines of the target, of its stack and of
// its notes' flows, test files included, and follows the slices that they
// make into the module.
func (c coldCopy) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	var sinks []sink
	seen := map[paramKey]bool{}
	for _, at := range flowPlaces(t) {
		for _, start := range p.slicesMadeAt(at) {
			sinks = append(sinks, p.coldSinks(start.fn, start.index, seen)...)
		}
	}
	if len(sinks) == 0 {
		return nil, nil
	}
	o := offers{kind: c.Name(), target: t}
	ch, why := c.propose(p, sinks)
	o.add(p.pos(sinks[0].call.Pos()), sinks[0].arg.Name+" is formatted into an error without being copied", ch, why)
	return o.changes, o.refusals
}

// flowPlaces adds the whole stack and the steps of the notes' flows, which
// may stand in test files, to the target's places.
func flowPlaces(t model.Target) []model.Pos {
	all := places(t, true)
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
func (p *Program) slicesMadeAt(at model.Pos) []handing {
	f, info := p.anyFile(at.File)
	if f == nil {
		return nil
	}
	var found []handing
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || !p.covers(n, at.Line) && n != f.syntax {
			return n == nil
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := callee(info, call)
		if fn == nil || p.function(fn) == nil {
			return true
		}
		sig := fn.Signature()
		if last := sig.Params().Len() - 1; sig.Variadic() && !call.Ellipsis.IsValid() && len(call.Args) > last {
			found = append(found, handing{call, fn, last})
		}
		for i, a := range call.Args {
			if _, lit := a.(*ast.CompositeLit); lit && i < sig.Params().Len() && !(sig.Variadic() && i >= sig.Params().Len()-1) {
				if _, slice := sig.Params().At(i).Type().Underlying().(*types.Slice); slice {
					found = append(found, handing{call, fn, i})
				}
			}
		}
		return true
	})
	return found
}

// anyFile returns a loaded file, or a test file of a loaded package.
func (p *Program) anyFile(name string) (*file, *types.Info) {
	if f := p.files[name]; f != nil {
		return f, f.pkg.TypesInfo
	}
	if !strings.HasSuffix(name, "_test.go") {
		return nil, nil
	}
	for _, k := range p.pkgs {
		if len(k.files) == 0 || path.Dir(k.files[0].name) != path.Dir(name) {
			continue
		}
		for _, v := range p.testViews(k) {
			for _, f := range v.files {
				if f.name == name {
					return f, v.info
				}
			}
		}
	}
	return nil, nil
}

// coldSinks follows a parameter through the module and returns the cold
// formatting calls that it reaches.
func (p *Program) coldSinks(fn *types.Func, index int, seen map[paramKey]bool) []sink {
	key := paramKey{fn.Origin().FullName(), index}
	decl := p.function(fn)
	if decl == nil || seen[key] || index < 0 {
		return nil
	}
	seen[key] = true
	var sinks []sink
	fl := p.follow(decl, decl.obj.Signature().Params().At(index))
	for _, h := range fl.calls {
		if p.local(h.fn) {
			sinks = append(sinks, p.coldSinks(h.fn, h.index, seen)...)
			continue
		}
		if h.fn.Pkg() == nil || h.fn.Pkg().Path() != "fmt" {
			continue
		}
		for _, a := range h.call.Args {
			id, ok := ast.Unparen(a).(*ast.Ident)
			if !ok || h.call.Ellipsis.IsValid() || !isTracked(fl, decl.info(), id) {
				continue // values... are boxed before they get here: a copy would not help
			}
			if stmt, end := coldStmt(decl, h.call); stmt != nil {
				s := sink{decl, id, h.call, stmt, end}
				if !slices.Contains(sinks, s) {
					sinks = append(sinks, s)
				}
			}
		}
	}
	return sinks
}

func isTracked(fl *flow, info *types.Info, id *ast.Ident) bool {
	v, ok := info.Uses[id].(*types.Var)
	return ok && slices.Contains(fl.vars, v)
}

// coldStmt returns the statement around n that stands directly in a block
// which ends in failure, and what that is; nil if there is none.
func coldStmt(fn *function, n ast.Node) (ast.Stmt, string) {
	for child, up := n, fn.file.parent(n); up != nil; child, up = up, fn.file.parent(up) {
		switch up.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return nil, ""
		}
		list := stmtList(up)
		if list == nil || up == ast.Node(fn.decl.Body) {
			continue
		}
		stmt, ok := child.(ast.Stmt)
		if !ok {
			continue
		}
		if end := failure(fn, list[len(list)-1]); end != "" {
			return stmt, end
		}
		return nil, ""
	}
	return nil, ""
}

// failure says how a statement ends the function in failure, "" if it does
// not.
func failure(fn *function, s ast.Stmt) string {
	info := fn.info()
	switch s := s.(type) {
	case *ast.ReturnStmt:
		if failing(info, fn.decl.Body, s) {
			return "returns an error"
		}
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return ""
		}
		if builtin(info, call) == "panic" {
			return "panics"
		}
		if f := callee(info, call); f != nil && f.Pkg() != nil && (f.Pkg().Path() == "log" && strings.HasPrefix(f.Name(), "Fatal") ||
			f.Pkg().Path() == "log" && strings.HasPrefix(f.Name(), "Panic") || f.FullName() == "os.Exit") {
			return "ends the program"
		}
	}
	return ""
}

func (c coldCopy) propose(p *Program, sinks []sink) (*model.Change, string) {
	var edits []model.Edit
	var names []string
	var obligations []model.Obligation
	for _, s := range sinks {
		if why := editable(s.fn.file); why != "" {
			return nil, why
		}
		edits = append(edits, s.edits(p)...)
		names = append(names, s.fn.obj.Name())
		obligations = append(obligations, model.Obligation{Text: "the copy is made only on failure", How: "proven",
			Why: fmt.Sprintf("the block around %s %s", p.pos(s.call.Pos()), s.end)})
	}
	obligations = append(obligations,
		model.Obligation{Text: "the message stays the same", How: "assumed",
			Why: "package fmt shows a slice by its elements; where the verb shows whether it is nil, the copy keeps that"})
	edits, err := p.settle(edits)
	if err != nil {
		return nil, err.Error()
	}
	first := sinks[0]
	return &model.Change{
		ID: changeID(c.Name(), first.fn.obj.FullName(), edits), Kind: c.Name(), Class: "B",
		Title: fmt.Sprintf("%s: copy %s for the error message of %s", first.fn.file.pkg.Name, first.arg.Name, strings.Join(names, ", ")),
		Edits: edits, Obligations: obligations,
	}, ""
}

// edits inserts the copy before the statement. The name is shadowed where
// being nil does not show and nothing else uses the slice, else a second name
// keeps it.
func (s sink) edits(p *Program) []model.Edit {
	f, name := s.fn.file, s.arg.Name
	typ := p.typeText(s.fn, s.fn.info().TypeOf(s.arg), nil)
	at := p.offset(s.stmt.Pos())
	if !s.showsNil() && !s.usedElsewhere() {
		text := fmt.Sprintf("%s := append(%s(nil), %s...) // lets the caller's slice stay on its stack\n", name, typ, name)
		return []model.Edit{p.edit(f, at, at, text)}
	}
	dup := code.FreeLocal(s.fn.decl, name+"Copy")
	text := fmt.Sprintf("// A copy lets the caller's slice stay on its stack.\nvar %s %s\nif %s != nil {\n%s = append(%s{}, %s...)\n}\n",
		dup, typ, name, dup, typ, name)
	return []model.Edit{p.edit(f, at, at, text), p.edit(f, p.offset(s.arg.Pos()), p.offset(s.arg.End()), dup)}
}

// usedElsewhere reports whether the rest of the block uses the slice for more
// than its length: it may write to it, for the caller to see.
func (s sink) usedElsewhere() bool {
	info, f, found := s.fn.info(), s.fn.file, false
	for _, stmt := range stmtList(f.parent(s.stmt)) {
		if stmt.Pos() < s.stmt.Pos() {
			continue
		}
		ast.Inspect(stmt, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || id == s.arg || info.Uses[id] != info.Uses[s.arg] {
				return !found
			}
			call, ok := f.parent(id).(*ast.CallExpr)
			found = found || !ok || builtin(info, call) != "len"
			return !found
		})
	}
	return found
}

// showsNil reports whether the call may print a nil slice differently from an
// empty one: with a format that is not constant, or a flag or verb for it
// other than the plain ones.
func (s sink) showsNil() bool {
	info, fn := s.fn.info(), callee(s.fn.info(), s.call)
	if !strings.HasSuffix(fn.Name(), "f") {
		return false
	}
	format := fn.Signature().Params().Len() - 2
	arg := slices.IndexFunc(s.call.Args, func(e ast.Expr) bool { return ast.Unparen(e) == s.arg })
	v := info.Types[s.call.Args[format]].Value
	if v == nil || v.Kind() != constant.String || arg <= format {
		return true
	}
	verbs, ok := plainVerbs(constant.StringVal(v))
	n := arg - format - 1
	return !ok || n >= len(verbs) || !strings.ContainsRune("vsqdxXtT", rune(verbs[n]))
}

// plainVerbs returns the verbs of a format in the order of their operands,
// '#' for one with that flag. Formats with explicit indices, * or verbs outside
// ASCII are not ok.
func plainVerbs(format string) (verbs string, ok bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		sharp := false
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
			sharp = sharp || format[i] == '#'
		}
		switch {
		case i == len(format) || format[i] == '*' || format[i] == '[' || format[i] >= utf8.RuneSelf:
			return "", false
		case format[i] == '%':
		case sharp:
			verbs += "#"
		default:
			verbs += string(format[i])
		}
	}
	return verbs, true
}

// hasGoto reports whether a function jumps around by goto.
func hasGoto(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}
