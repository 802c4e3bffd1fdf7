package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// rowsAt returns the slices of one length that a line makes within a loop, and that a statement of its body
// stores: the rows of a matrix.
func rowsAt(p *prove.Program, fn *prove.Function, line int) []*element {
	var found []*element
	for s := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		e := &element{counter: counter{p: p, fn: fn}, stmt: s}
		body, ok := fn.File.Parent(s).(*ast.BlockStmt)
		if ok && len(s.Lhs) == 1 && len(s.Rhs) == 1 && p.Covers(s, line) && e.in(body) && e.makesRow(s) && e.stored(s) {
			found = append(found, e)
		}
	}
	return found
}

// makesRow reads make([]T, n) or make([]T, 0, n) on the right of a statement, or as what it appends.
func (e *element) makesRow(s *ast.AssignStmt) bool {
	info := e.fn.Info()
	call, ok := appended(info, s).(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "make" || len(call.Args) < 2 {
		return false
	}
	t, ok := call.Args[0].(*ast.ArrayType)
	if !ok || t.Len != nil {
		return false
	}
	if len(call.Args) == 3 {
		if n, ok := prove.ConstInt(info, call.Args[1]); !ok || n != 0 {
			return false
		}
	}
	e.expr, e.typ = call, t.Elt
	return true
}

// length returns what the row is made for.
func (e *element) length() ast.Expr {
	args := e.expr.(*ast.CallExpr).Args
	return args[len(args)-1]
}

func proposeRows(e *element) (*model.Change, *prove.Reason) {
	info, fn, p := e.fn.Info(), e.fn, e.p
	if code.StmtList(fn.File.Parent(e.loop)) == nil || code.Jumps(fn.Decl.Body) || hasTypeParams(fn) {
		return nil, prove.Refuse("the loop has a label, or the function uses goto or is generic")
	}
	t := info.TypeOf(e.typ)
	if p.Packages[0].TypesSizes.Sizeof(t) == 0 {
		return nil, prove.Refuse("its elements take no memory")
	}
	if code.MentionsOf(info, e.typ, e.loop) {
		return nil, prove.Refuse("its type is declared in the loop")
	}
	if u := e.uneven(); u != nil {
		return u.propose()
	}
	if why := e.even(); why != nil {
		return nil, why
	}
	of, count, why := e.each()
	if why != nil {
		return nil, why
	}
	if _, isMap := code.Core(info.TypeOf(of)).(*types.Map); isMap {
		return nil, prove.Refuse("a map that is ranged over may get more entries meanwhile")
	}
	single, why := p.PointersFree(t)
	if why != nil {
		return nil, why
	}
	m := p.Source(fn.File, e.length())
	return p.Change(fn, e.rowEdits("", factor(count)+"*"+factor(m), m), model.Change{
		Kind:  "backing-array",
		Title: fmt.Sprintf("%s: make the %s rows of %s in one array", fn.File.Pkg.Name, count, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "every iteration makes one row of " + m + " elements", How: "proven",
				Why: "it is made by a statement of the loop's body, the loop does not change its length, and it ends early for errors only"},
			capped(), single, e.together(),
		},
		Retains: fmt.Sprintf("all %s rows as long as one of them is referred to", count),
	})
}

// capped argues that rows stay apart.
func capped() model.Obligation {
	return model.Obligation{Text: "a row that grows does not reach into the next", How: "proven", Why: "its capacity is its own length, as that of the slice that was made"}
}

// together assumes that the rows live as long as one another.
func (e *element) together() model.Obligation {
	return model.Obligation{Text: "the rows live and die together", How: "assumed",
		Why: "all are stored in " + types.ExprString(e.store.Lhs[0]) + "; a single one that is kept keeps the memory of all"}
}

// even says why the rows may differ in length, or why making all before the loop may panic where the loop did
// something before it did.
func (e *element) even() *prove.Reason {
	n, info := e.length(), e.fn.Info()
	if b, ok := info.TypeOf(n).Underlying().(*types.Basic); !ok || b.Kind() != types.Int && b.Kind() != types.UntypedInt {
		return prove.Refuse(types.ExprString(n) + " is not an int")
	}
	if same, why := (&prove.Invariant{Prog: e.p, Fn: e.fn, Stmt: e.loop}).Same(n); !same {
		return cmp.Or(why, prove.Refuse("the rows may differ in length"))
	}
	if call, ok := ast.Unparen(n).(*ast.CallExpr); ok && code.Builtin(info, call) == "len" || info.Types[n].Value != nil || e.body.List[0] == e.stmt {
		return nil
	}
	return prove.Refuse(types.ExprString(n) + " may be negative, and the loop does something before it makes a row")
}

// rowEdits makes the array before the loop, behind what counts its elements, and cuts a row of m off it in each iteration.
func (e *element) rowEdits(counted, size, m string) []model.Edit {
	f, p, all := e.fn.File, e.p, e.array()
	start, n := p.Offset(e.loop.Pos()), "0"
	if len(e.expr.(*ast.CallExpr).Args) == 2 {
		n = m
	}
	made := fmt.Sprintf("%s%s := make([]%s, %s) // one allocation for all\n", counted, all, p.Source(f, e.typ), size)
	edits := []model.Edit{p.Edit(f, start, start, made),
		p.Put(f, e.expr.Pos(), e.expr.End(), fmt.Sprintf("%s[:%s:%s]", all, n, m))}
	s := e.stmt.(*ast.AssignStmt)
	rest := fmt.Sprintf("%s[%s:]", all, m)
	if s.Tok == token.ASSIGN {
		return append(edits, p.Insert(f, s.Lhs[0].End(), ", "+all), p.Insert(f, s.End(), ", "+rest))
	}
	return append(edits, p.Insert(f, s.End(), "\n"+all+" = "+rest))
}

// array names the array.
func (e *element) array() string { return code.FreeLocal(e.fn.Decl, "backing") }

// remade writes what makes another array where too little is left for a row of m.
func (e *element) remade(m string) string {
	return fmt.Sprintf("if %[1]s > len(%[2]s) {\n\t%[2]s = make([]%[3]s, %[1]s)\n}\n", m, e.array(), e.p.Source(e.fn.File, e.typ))
}

// factor writes a term that is multiplied with another.
func factor(term string) string {
	e, err := parser.ParseExpr(term)
	if _, sum := e.(*ast.BinaryExpr); err == nil && !sum {
		return term
	}
	return "(" + term + ")"
}
