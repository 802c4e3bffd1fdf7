package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// hoist makes a call whose result is the same in each iteration of a loop once
// before it.
type hoist struct{ savesBoth }

// Name is the kind of the changes.
func (hoist) Name() string { return "hoist-invariant" }

// Doc describes the transformation.
func (hoist) Doc() string {
	return "A call in a loop of a function that only computes, such as strings.ToLower, with arguments that the loop does not change is made once before it."
}

// Evidence is the proof that it pays.
func (hoist) Evidence() *rule.Evidence {
	return proof("hoist-invariant", "BenchmarkCount", "cpu", "one call instead of one for each element", 0)
}

// Propose looks at the calls on the target's line and on those of the module's
// frames: the time is spent in what they call.
func (h hoist) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: h.Name(), target: t}
	p.eachPlace(places(t, true), func(fn *function, at model.Pos) {
		for _, call := range p.computationsAt(fn, at.Line) {
			ch, why := h.propose(p, fn, call)
			o.add(at, short(types.ExprString(call))+" is called in each iteration", ch, why)
		}
	})
	return o.changes, o.refusals
}

// computationsAt returns the outermost calls on a line that only compute.
func (p *Program) computationsAt(fn *function, line int) []*ast.CallExpr {
	var found []*ast.CallExpr
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		if n == nil || !p.covers(n, line) {
			return n == nil
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || !computes(fn.info(), call) {
			return true
		}
		found = append(found, call)
		return false
	})
	return found
}

func (h hoist) propose(p *Program, fn *function, call *ast.CallExpr) (*model.Change, string) {
	loop, why := p.loopFor(fn, call)
	if loop == nil {
		return nil, why
	}
	if why := editable(fn.file); why != "" {
		return nil, why
	}
	before := ast.Node(loop.stmt)
	if label, ok := fn.file.parent(before).(*ast.LabeledStmt); ok {
		if before = label; hasGoto(fn.decl.Body) {
			return nil, fn.obj.Name() + " uses goto"
		}
	}
	if !slices.ContainsFunc(stmtList(fn.file.parent(before)), func(s ast.Stmt) bool { return s == before }) {
		return nil, "nothing can stand before the loop"
	}
	name := freeLocal(fn, computedNames(fn.info(), call)...)
	if name == "" {
		return nil, "no name is free for the result"
	}
	at := p.offset(p.above(fn.file, before))
	edits := []model.Edit{p.edit(fn.file, at, at, name+" := "+p.source(fn.file, call)+"\n")}
	for _, c := range p.alike(fn, loop.stmt, call) {
		edits = append(edits, p.edit(fn.file, p.offset(c.Pos()), p.offset(c.End()), name))
	}
	edits, err := p.settle(edits)
	if err != nil {
		return nil, err.Error()
	}
	return &model.Change{
		ID: changeID(h.Name(), fn.obj.FullName(), edits), Kind: h.Name(), Class: "B",
		Title: fmt.Sprintf("%s: call %s once before the loop in %s", fn.file.pkg.Name, callName(callee(fn.info(), call)), fn.obj.Name()),
		Edits: edits, Obligations: loop.obligations(call),
	}, ""
}

func (l *invariant) obligations(call *ast.CallExpr) []model.Obligation {
	all := []model.Obligation{
		{Text: types.ExprString(call.Fun) + " has no effect, does not panic, and depends on its arguments only", How: "assumed", Why: "its documentation"},
		{Text: "the arguments are the same in each iteration", How: "proven", Why: "the loop assigns to none of their variables, and nothing else can"},
	}
	for _, why := range l.nonNil {
		all = append(all, model.Obligation{Text: "evaluating the arguments before the loop cannot panic", How: "proven", Why: why})
	}
	return all
}

// alike returns the calls in a loop that are written like call and mean the
// same.
func (p *Program) alike(fn *function, loop ast.Stmt, call *ast.CallExpr) []*ast.CallExpr {
	text, means := p.source(fn.file, call), objectsOf(fn.info(), call)
	var found []*ast.CallExpr
	ast.Inspect(loop, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || p.source(fn.file, c) != text || !slices.Equal(objectsOf(fn.info(), c), means) {
			return true
		}
		found = append(found, c)
		return false
	})
	return found
}

// objectsOf returns what the names in an expression mean, in their order.
func objectsOf(info *types.Info, e ast.Node) []types.Object {
	var all []types.Object
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			all = append(all, info.Uses[id])
		}
		return true
	})
	return all
}

// above returns where a statement begins, with the comment right above it.
func (p *Program) above(f *file, n ast.Node) (at token.Pos) {
	at = n.Pos()
	for _, g := range f.syntax.Comments {
		if p.pos(g.End()).Line+1 == p.pos(n.Pos()).Line && p.alone(f, g) {
			at = g.Pos()
		}
	}
	return at
}

// alone reports whether nothing stands before a comment on its line.
func (p *Program) alone(f *file, g *ast.CommentGroup) bool {
	at := p.offset(g.Pos())
	line := strings.LastIndexByte(string(f.src[:at]), '\n') + 1
	return strings.TrimSpace(string(f.src[line:at])) == ""
}

// stems are the beginnings of names for results.
var stems = map[string]string{
	"ToLower": "lower", "ToUpper": "upper", "ToTitle": "title", "Itoa": "text", "TypeOf": "typ", "Join": "joined",
	"Replace": "replaced", "ReplaceAll": "replaced", "Quote": "quoted", "Repeat": "repeated", "RuneCountInString": "runes",
	"QueryEscape": "escaped", "PathEscape": "escaped", "EscapeString": "escaped", "UnescapeString": "unescaped",
}

// computedNames proposes names for the result of a call: after what is done
// and what it is done to.
func computedNames(info *types.Info, call *ast.CallExpr) []string {
	name := callee(info, call).Name()
	stem := stems[name]
	switch {
	case stem != "":
	case strings.HasPrefix(name, "Trim"):
		stem = "trimmed"
	case strings.HasPrefix(name, "Format"), strings.HasPrefix(name, "Sprint"):
		stem = "formatted"
	default:
		stem = lowerCamel(name)
	}
	of := ""
	for _, a := range call.Args {
		if of != "" || info.Types[a].Value != nil {
			continue
		}
		switch x := ast.Unparen(a).(type) {
		case *ast.Ident:
			of = x.Name
		case *ast.SelectorExpr:
			of = x.Sel.Name
		}
	}
	if of == "" {
		return []string{stem, stem + "Once"}
	}
	r, n := utf8.DecodeRuneInString(of)
	long := stem + string(unicode.ToUpper(r)) + of[n:]
	if n == len(of) {
		return []string{stem, long}
	}
	return []string{long, long + "Once"}
}
