package loops

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Hoist makes a call whose result is the same in each iteration of a loop once
// before it.
var Hoist = prove.Transformation{
	Name:     "hoist-invariant",
	Doc:      "A call in a loop of a function that only computes, such as strings.ToLower, with arguments that the loop does not change is made once before it.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "hoist-invariant", "BenchmarkCount", "cpu", "one call instead of one for each element", 0),
	// It looks at the calls on the target's line and on those of the module's
	// frames: the time is spent in what they call.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, call := range computationsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeHoist(s.Program, s.Fn, call)
			s.Add(prove.Short(types.ExprString(call))+" is called in each iteration", ch, why)
		}
	}),
}

// computationsAt returns the outermost calls on a line that only compute.
func computationsAt(p *prove.Program, fn *prove.Function, line int) []*ast.CallExpr {
	var found []*ast.CallExpr
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		if n == nil || !p.Covers(n, line) {
			return n == nil
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || !prove.Computes(fn.Info(), call) {
			return true
		}
		found = append(found, call)
		return false
	})
	return found
}

func proposeHoist(p *prove.Program, fn *prove.Function, call *ast.CallExpr) (*model.Change, *prove.Reason) {
	loop, why := loopFor(p, fn, call)
	if loop == nil {
		return nil, why
	}
	before := ast.Node(loop.Stmt)
	if label, ok := fn.File.Parent(before).(*ast.LabeledStmt); ok {
		if before = label; code.Jumps(fn.Decl.Body) {
			return nil, prove.Refuse(fn.Obj.Name() + " uses goto")
		}
	}
	if !slices.ContainsFunc(code.StmtList(fn.File.Parent(before)), func(s ast.Stmt) bool { return s == before }) {
		return nil, prove.Refuse("nothing can stand before the loop")
	}
	name := code.FirstFree(fn.Decl, computedNames(fn.Info(), call)...)
	if name == "" {
		return nil, prove.Refuse("no name is free for the result")
	}
	edits := []model.Edit{p.Insert(fn.File, p.Above(fn.File, before), name+" := "+p.Source(fn.File, call)+"\n")}
	for _, c := range alike(p, fn, loop.Stmt, call) {
		edits = append(edits, p.Put(fn.File, c.Pos(), c.End(), name))
	}
	return p.Change(fn, edits, model.Change{
		Kind:        "hoist-invariant",
		Title:       fmt.Sprintf("%s: call %s once before the loop in %s", fn.File.Pkg.Name, code.CallName(code.Callee(fn.Info(), call)), fn.Obj.Name()),
		Obligations: obligations(loop, call),
	})
}

func obligations(l *prove.Invariant, call *ast.CallExpr) []model.Obligation {
	all := []model.Obligation{
		computesOnly(call),
		{Text: "the arguments are the same in each iteration", How: "proven", Why: "the loop assigns to none of their variables, and nothing else can"},
	}
	for _, why := range l.NonNil {
		all = append(all, model.Obligation{Text: "evaluating the arguments before the loop cannot panic", How: "proven", Why: why})
	}
	return all
}

// computesOnly is the obligation on a call that is made at another time, or less often.
func computesOnly(call *ast.CallExpr) model.Obligation {
	return model.Obligation{Text: types.ExprString(call.Fun) + " has no effect, does not panic, and depends on its arguments only", How: "assumed", Why: "its documentation"}
}

// alike returns the calls in a loop, or in a function, that are written like call and mean the
// same. Those of other function literals may be made later, when the arguments are others.
func alike(p *prove.Program, fn *prove.Function, in ast.Node, call *ast.CallExpr) []*ast.CallExpr {
	text, means := p.Source(fn.File, call), objectsOf(fn.Info(), call)
	var found []*ast.CallExpr
	ast.Inspect(in, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && !code.Within(lit, call) {
			return false
		}
		c, ok := n.(*ast.CallExpr)
		if !ok || p.Source(fn.File, c) != text || !slices.Equal(objectsOf(fn.Info(), c), means) {
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
	for id := range code.All[*ast.Ident](e) {
		all = append(all, info.Uses[id])
	}
	return all
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
	name := code.Callee(info, call).Name()
	stem := stems[name]
	switch {
	case stem != "":
	case strings.HasPrefix(name, "Trim"):
		stem = "trimmed"
	case strings.HasPrefix(name, "Format"), strings.HasPrefix(name, "Sprint"):
		stem = "formatted"
	default:
		stem = code.LowerName(name)
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
	long := stem + code.UpperName(of)
	if utf8.RuneCountInString(of) == 1 {
		return []string{stem, long}
	}
	return []string{long, long + "Once"}
}

// loopFor returns the outermost loop around a call in which its operands do
// not change, nil if they change in the innermost. why is set where they may
// be the same, but that cannot be shown.
func loopFor(p *prove.Program, fn *prove.Function, call *ast.CallExpr) (found *prove.Invariant, why *prove.Reason) {
	for child, up := ast.Node(call), fn.File.Parent(call); up != nil; child, up = up, fn.File.Parent(up) {
		var body ast.Node
		if leaves(fn.Info(), code.StmtList(up)) && up != ast.Node(fn.Decl.Body) {
			return found, why // once in each run of the loop at most
		}
		switch n := up.(type) {
		case *ast.FuncLit:
			return found, why
		case *ast.ForStmt:
			if body = n.Body; child == n.Init {
				continue
			}
		case *ast.RangeStmt:
			if body = n.Body; child != body {
				continue
			}
		default:
			continue
		}
		l := &prove.Invariant{Prog: p, Fn: fn, Stmt: up.(ast.Stmt)}
		same, doubt := l.Operands(call)
		if !same {
			if found == nil {
				why = doubt
			}
			return found, why
		}
		found = l
	}
	return found, why
}

// leaves reports whether statements end by leaving the loop around them.
func leaves(info *types.Info, list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK || last.Tok == token.GOTO
	case *ast.ExprStmt:
		return prove.CallsPanic(info, last)
	}
	return false
}
