package detours

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// OneReplacer replaces several characters in one pass.
var OneReplacer = prove.Transformation{
	Name:     "one-replacer",
	Doc:      "Calls of strings.Replace or ReplaceAll in a row, each of one ASCII character by a text, become one pass of a strings.Replacer that is made once.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "one-replacer", "BenchmarkEscape", "allocs", "one new text instead of one for each character that occurs", 0),
	// It looks at the calls on the target's line, and at those in a row with it.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for _, r := range replacingsIn(s.Fn) {
			if s.Covers(r.calls[0], s.At.Line) || s.Covers(r.calls[len(r.calls)-1], s.At.Line) || r.around(s) {
				c, why := proposeOneReplacer(s.Program, r)
				s.Add(fmt.Sprintf("%d passes go over %s", len(r.pairs), prove.Short(types.ExprString(r.of))), c, why)
			}
		}
	}),
}

// A replacing is calls in a row. Each replaces in what the one before it returned.
type replacing struct {
	fn    *prove.Function
	calls []*ast.CallExpr // the outermost of each statement
	of    ast.Expr        // what the first replaces in
	pairs [][2]string     // old and new, in the order of the calls
	stmts []*ast.AssignStmt
}

// around reports whether the target's line is between the first call and the last.
func (r *replacing) around(s *prove.Site) bool {
	line := func(n ast.Node) int { return s.Pos(n.Pos()).Line }
	return s.Pos(r.calls[0].Pos()).File == s.At.File && line(r.calls[0]) <= s.At.Line && s.At.Line <= line(r.calls[len(r.calls)-1])
}

// replacingsIn returns the rows of at least two replacements in a function.
func replacingsIn(fn *prove.Function) (found []*replacing) {
	taken := map[ast.Node]bool{}
	for n := range code.All[ast.Node](fn.Decl.Body) {
		list := code.StmtList(n)
		for i := 0; i < len(list); i++ {
			if r := rowAt(fn, list[i:]); r != nil {
				found = append(found, r)
				i += len(r.stmts) - 1
				for _, c := range r.calls {
					taken[c] = true
				}
			}
		}
	}
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if of, pairs := replaced(fn.Info(), call); len(pairs) > 1 && !taken[call] {
			found = append(found, &replacing{fn: fn, calls: []*ast.CallExpr{call}, of: of, pairs: pairs})
		}
		if _, pairs := replaced(fn.Info(), call); len(pairs) > 0 {
			taken[ast.Unparen(call.Args[0])] = true // it is a part of this one
		}
	}
	return found
}

// rowAt reads statements that replace in the same variable, from the first on; nil where they do not.
func rowAt(fn *prove.Function, list []ast.Stmt) *replacing {
	r := &replacing{fn: fn}
	var v *types.Var
	for _, s := range list {
		a, ok := s.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok != token.ASSIGN && a.Tok != token.DEFINE {
			break
		}
		id, isIdent := a.Lhs[0].(*ast.Ident)
		of, pairs := replaced(fn.Info(), a.Rhs[0])
		if !isIdent || len(pairs) == 0 {
			break
		}
		to, _ := fn.Info().ObjectOf(id).(*types.Var)
		switch {
		case v == nil && code.Local(to):
			v, r.of = to, of
		case v == nil, to != v, code.Var(fn.Info(), of) != v:
			return r.several()
		}
		r.calls, r.stmts, r.pairs = append(r.calls, ast.Unparen(a.Rhs[0]).(*ast.CallExpr)), append(r.stmts, a), append(r.pairs, pairs...)
	}
	return r.several()
}

func (r *replacing) several() *replacing {
	if len(r.pairs) < 2 {
		return nil
	}
	return r
}

// replaced reads an expression of calls that replace all of one text in what another returns: the innermost
// operand, and what is replaced by what. There are no pairs in others.
func replaced(info *types.Info, e ast.Expr) (of ast.Expr, pairs [][2]string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	switch {
	case !ok:
		return e, nil
	case code.IsFunc(info, call, "strings", "Replace"):
		if n, known := prove.ConstInt(info, call.Args[3]); !known || n >= 0 {
			return e, nil
		}
	case !code.IsFunc(info, call, "strings", "ReplaceAll"):
		return e, nil
	}
	from, known := code.String(info, call.Args[1])
	to, also := code.String(info, call.Args[2])
	if !known || !also {
		return e, nil
	}
	of, pairs = replaced(info, call.Args[0])
	return of, append(pairs, [2]string{from, to})
}

func proposeOneReplacer(p *prove.Program, r *replacing) (*model.Change, *prove.Reason) {
	f, fn := r.fn.File, r.fn
	from, to := r.others(p)
	within := func(g *ast.CommentGroup) bool { at := p.Offset(g.Pos()); return from <= at && at < to }
	switch {
	case f.Commented(r.calls[0]), slices.ContainsFunc(f.Syntax.Comments, within):
		return nil, prove.Refuse("there is a comment among the calls")
	case len(r.stmts) > 1 && r.shared(p, from, to):
		return nil, prove.Refuse("the calls share a line")
	}
	if why := r.onePass(); why != nil {
		return nil, why
	}
	q := p.Qualifier(f, fn.Decl.End(), "strings")
	if q == "" {
		return nil, prove.Refuse("package strings has another name outside the function")
	}
	name := ""
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered(code.LowerName(fn.Obj.Name())+"Replacer", i)
		return r.declaration(name, q), []string{name}
	})
	edits := []model.Edit{p.Put(f, r.calls[0].Pos(), r.calls[0].End(), name+".Replace("+p.Source(f, r.of)+")")}
	if from < to {
		edits = append(edits, p.Edit(f, from, to, ""))
	}
	if text != "" {
		edits = append(edits, p.Below(fn, text))
	}
	return p.Change(fn, edits, model.Change{
		Kind:    "one-replacer",
		Title:   fmt.Sprintf("%s: replace %d characters in one pass in %s", f.Pkg.Name, len(r.pairs), fn.Obj.Name()),
		Retains: "a strings.Replacer as long as the program runs",
		Obligations: []model.Obligation{
			{Text: "the text is the same", How: "proven",
				Why: "each call replaces another ASCII character, which is in no text that an earlier one puts in, and a Replacer of single bytes looks at each byte once"},
			{Text: "several goroutines may use it", How: "assumed", Why: "a strings.Replacer is safe for concurrent use by its documentation"},
			prove.InTime(),
		},
	})
}

// others returns where the lines behind that of the first statement are, up to that of the last.
func (r *replacing) others(p *prove.Program) (from, to int) {
	if len(r.stmts) < 2 {
		return 0, 0
	}
	_, from = p.LineOf(r.fn.File, r.stmts[0])
	_, to = p.LineOf(r.fn.File, r.stmts[len(r.stmts)-1])
	return from, to
}

// shared reports whether something else stands on the lines that go.
func (r *replacing) shared(p *prove.Program, from, to int) bool {
	f, last := r.fn.File, r.stmts[len(r.stmts)-1]
	return p.Offset(r.stmts[1].Pos()) < from || len(bytes.TrimSpace(f.Src[p.Offset(last.End()):to])) > 0
}

// onePass says why one pass would make another text.
func (r *replacing) onePass() *prove.Reason {
	put, gone := "", ""
	for _, pair := range r.pairs {
		switch {
		case len(pair[0]) != 1 || pair[0][0] >= utf8.RuneSelf:
			return prove.Refusef("%s is not one ASCII character", strconv.Quote(pair[0]))
		case strings.Contains(put, pair[0]):
			return prove.Refusef("%s is in what an earlier call puts in", strconv.Quote(pair[0]))
		case strings.Contains(gone, pair[0]):
			return prove.Refusef("%s is replaced twice", strconv.Quote(pair[0]))
		}
		put, gone = put+pair[1], gone+pair[0]
	}
	return nil
}

// declaration declares the replacer.
func (r *replacing) declaration(name, strs string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is what %s replaces.\nvar %s = %s.NewReplacer(\n", name, r.fn.Obj.Name(), name, strs)
	for _, pair := range r.pairs {
		fmt.Fprintf(&b, "\t%s, %s,\n", strconv.Quote(pair[0]), strconv.Quote(pair[1]))
	}
	b.WriteString(")\n")
	return b.String()
}
