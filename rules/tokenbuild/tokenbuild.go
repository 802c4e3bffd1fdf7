// Package tokenbuild finds strings that are put together character by
// character.
package tokenbuild

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "tokenbuild",
	Title: "string put together character by character with +=",
	IDs:   []string{"C62"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.A,
	Why: "Each += allocates a new string and copies what is there, so that a token of n characters costs n allocations and n²/2 bytes. A " +
		"strings.Builder allocates as it grows.",
	WhenNot: "The string begins anew in each iteration, or the loop ends after the +=.",
	Gap: "Where the characters stand side by side in the input, a slice of it needs no copy at all: remember where the token begins. But bytes that " +
		"are not valid UTF-8 become U+FFFD by string(r), and stay what they are in a slice. The fix needs a local variable that only this function " +
		"uses, declared without a value or with \"\"; go fix's stringsbuilder rewrites those that are read once, after the loop.",
	Signature: "runtime.concatstrings in CPU and alloc_objects profiles, runtime.intstring below the same line",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkTokens", Metric: "allocs",
		Claimed: "a tokenizer that adds each character to a string makes 15 allocations for one line of a command",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	builders := map[*types.Var]*builder{}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.AssignStmt)(nil)) {
		add := cur.Node().(*ast.AssignStmt)
		if !grows(p, add) {
			continue
		}
		loop, here := again(p, cur, add)
		if !loop.Valid() {
			continue
		}
		f := rule.Finding{
			Pos: add.Pos(), End: add.End(), Hot: loop.Node(),
			Message: fmt.Sprintf("+= copies %s for each character; a strings.Builder, or a slice of the input, does not", p.Source(add.Lhs[0])),
		}
		// The fix concerns all places of a variable: it is attached to the first.
		if v := code.Var(p.TypesInfo, add.Lhs[0]); here && code.Local(v) && builders[v] == nil && add.Tok == token.ADD_ASSIGN {
			b := &builder{p: p, v: v}
			builders[v] = b
			if edits, ok := b.edits(cur); ok {
				f.Fixes = []analysis.SuggestedFix{{Message: "Use a strings.Builder", TextEdits: edits}}
			}
		}
		p.Report(f)
	}
}

// grows reports whether a statement adds one character to a string: s += string(r),
// s += t[i:i+1], s = s + string(r), or s = f(s, r) with a function that is this sum.
func grows(p *rule.Pass, add *ast.AssignStmt) bool {
	info := p.TypesInfo
	if len(add.Lhs) != 1 || len(add.Rhs) != 1 {
		return false
	}
	if add.Tok == token.ADD_ASSIGN {
		return character(info, add.Rhs[0]) != nil || single(info, add.Rhs[0])
	}
	made := code.Returned(p.Index, info, add.Rhs[0])
	sum, ok := ast.Unparen(made).(*ast.BinaryExpr)
	if !ok || add.Tok != token.ASSIGN || sum.Op != token.ADD || character(info, sum.Y) == nil {
		return false
	}
	if made == add.Rhs[0] {
		return code.SameVariable(info, add.Lhs[0], sum.X)
	}
	call := ast.Unparen(add.Rhs[0]).(*ast.CallExpr)
	params := code.Callee(info, call).Signature().Params()
	return len(call.Args) > 0 && code.SameVariable(info, add.Lhs[0], call.Args[0]) && params.At(0) == code.Var(info, sum.X)
}

// single reports whether x is one byte of a string, cut out: s[i:i+1].
func single(info *types.Info, x ast.Expr) bool {
	part, ok := ast.Unparen(x).(*ast.SliceExpr)
	if !ok || part.Low == nil || part.High == nil || !code.IsString(info.TypeOf(part.X)) {
		return false
	}
	end, ok := ast.Unparen(part.High).(*ast.BinaryExpr)
	if !ok || end.Op != token.ADD || !code.SameExpr(info, end.X, part.Low) {
		return false
	}
	k, constant := code.Int(info, end.Y)
	return constant && k == 1
}

// character returns the integer of a conversion to a string, or nil.
func character(info *types.Info, x ast.Expr) ast.Expr {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() || !code.IsString(info.TypeOf(call)) || info.Types[call].Value != nil {
		return nil
	}
	if b, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		return call.Args[0]
	}
	return nil
}

// again returns a loop whose iterations all add to the same string, and whether the
// statement stands in it, or in a function that it calls.
func again(p *rule.Pass, cur inspector.Cursor, add *ast.AssignStmt) (loop inspector.Cursor, here bool) {
	for at, loop := range code.Repeated(p.Index, p.TypesInfo, cur) {
		x := add.Lhs[0]
		if here = at == cur; !here {
			x = outside(p, at.Node().(*ast.CallExpr), x)
		}
		if stmt, ok := code.Stmt(at); ok && x != nil && before(p.TypesInfo, x, loop.Node()) && !code.LeavesLoop(stmt) {
			return loop, here
		}
	}
	return inspector.Cursor{}, false
}

// outside returns what the caller of a function has of an expression in it: the receiver or
// argument that it is a field of, or what is not the function's own; nil where that is gone
// when the function returns.
func outside(p *rule.Pass, call *ast.CallExpr, x ast.Expr) ast.Expr {
	root := x
	for sel, ok := root.(*ast.SelectorExpr); ok; sel, ok = root.(*ast.SelectorExpr) {
		root = ast.Unparen(sel.X)
	}
	v := code.Var(p.TypesInfo, root)
	f := code.Callee(p.TypesInfo, call)
	switch {
	case v == nil:
		return nil
	case f == nil: // a literal
		lit, ok := p.Index.Inspect.Root().FindByPos(x.Pos(), x.End())
		if fn, inside := code.Func(lit); !ok || !inside || code.Declares(fn.Node(), v) {
			return nil
		}
		return root
	case !code.Local(v):
		return root
	case root == x: // the string itself
		return nil
	case f.Origin().Signature().Recv() == v:
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if _, pointer := v.Type().Underlying().(*types.Pointer); ok && pointer {
			return sel.X
		}
		return nil
	}
	i := code.ParameterIndex(f.Origin().Signature(), v)
	if _, pointer := v.Type().Underlying().(*types.Pointer); i < 0 || i >= len(call.Args) || !pointer {
		return nil
	}
	return call.Args[i]
}

// before reports whether an expression names what is there before the loop.
func before(info *types.Info, x ast.Expr, loop ast.Node) bool {
	return !code.Any(x, func(id *ast.Ident) bool {
		v, ok := info.Uses[id].(*types.Var)
		return ok && !v.IsField() && code.Declares(loop, v)
	})
}
