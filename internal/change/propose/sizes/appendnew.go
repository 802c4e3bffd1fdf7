package sizes

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Joined makes a slice for all that is put together in it.
var Joined = prove.Transformation{
	Name:     "append-new",
	Doc:      "A new slice with something in it, as in append([]string{name}, args...) or append([]byte(key), value...), has no room for what is appended to it at once, and is copied. It is made with room for all. So is one that a variable is declared with, as in make([]byte, 2), for what the statements behind it append.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "append-new", "BenchmarkCommand", "allocs", "one allocation for the arguments of a command instead of two", 0),
	// It looks at the calls of append on the target's line, and at what is declared there or extended.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		done := map[ast.Expr]bool{}
		for _, b := range begunAt(s) {
			ch, why := proposeBegun(b)
			done[b.value] = ch != nil
			s.Add(b.v.Name()+" is made without room, and then copied to grow", ch, why)
		}
		for call := range prove.On[*ast.CallExpr](s) {
			j := &joining{p: s.Program, fn: s.Fn, call: call}
			if !done[call] && !j.inner() && j.read(call) && j.copied(s.Target) {
				ch, why := proposeJoined(j)
				s.Add(prove.Short(types.ExprString(call))+" is made, and then copied to grow", ch, why)
			}
		}
	}),
}

// A joining is a call of append, or several in each other, whose first argument is new.
type joining struct {
	p     *prove.Program
	fn    *prove.Function
	call  *ast.CallExpr
	made  ast.Expr // the type of the slice, as it is written
	lit   *ast.CompositeLit
	never bool // it is never nil
	parts []joined
}

// A joined is what is put into the slice by one step: elements, or all of another slice or string.
type joined struct {
	elems []ast.Expr
	all   ast.Expr
}

// inner reports whether the call is the first argument of another.
func (j *joining) inner() bool {
	up, ok := j.fn.File.Parent(j.call).(*ast.CallExpr)
	return ok && code.Builtin(j.fn.Info(), up) == "append" && up.Args[0] == ast.Expr(j.call)
}

// read takes the calls apart. It is false where the first slice has enough room, or is not new.
func (j *joining) read(call *ast.CallExpr) bool {
	info := j.fn.Info()
	if code.Builtin(info, call) != "append" || len(call.Args) < 2 {
		return false
	}
	if inner, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok && code.Builtin(info, inner) == "append" {
		if !j.read(inner) {
			return false
		}
	} else if !j.begins(ast.Unparen(call.Args[0])) {
		return false
	}
	if call.Ellipsis.IsValid() {
		j.parts = append(j.parts, joined{all: call.Args[1]})
	} else {
		j.parts = append(j.parts, joined{elems: call.Args[1:]})
	}
	return true
}

// begins reads what the first call appends to.
func (j *joining) begins(e ast.Expr) bool {
	info := j.fn.Info()
	switch e := e.(type) {
	case *ast.CompositeLit:
		if _, slice := code.Core(info.TypeOf(e)).(*types.Slice); !slice || e.Type == nil ||
			slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { _, keyed := e.(*ast.KeyValueExpr); return keyed }) {
			return false
		}
		j.made, j.lit, j.never = e.Type, e, true
		if len(e.Elts) > 0 {
			j.parts = append(j.parts, joined{elems: e.Elts})
		}
		return true
	case *ast.CallExpr:
		if !info.Types[e.Fun].IsType() || len(e.Args) != 1 {
			return false
		}
		if _, slice := code.Core(info.TypeOf(e)).(*types.Slice); !slice {
			return false
		}
		j.made = ast.Unparen(e.Fun)
		if code.IsNil(info, e.Args[0]) {
			return true
		}
		if !code.IsBytes(info.TypeOf(e)) || !code.IsString(info.TypeOf(e.Args[0])) {
			return false
		}
		j.never = true
		j.texts(e.Args[0])
		return true
	}
	return false
}

// texts takes a string apart into what is added up in it.
func (j *joining) texts(e ast.Expr) {
	if sum, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && sum.Op == token.ADD && j.constant(sum) == nil {
		j.texts(sum.X)
		j.texts(sum.Y)
		return
	}
	j.parts = append(j.parts, joined{all: e})
}

// constant returns the value of a constant string, or nil.
func (j *joining) constant(e ast.Expr) constant.Value {
	if v := j.fn.Info().Types[e].Value; v != nil && v.Kind() == constant.String {
		return v
	}
	return nil
}

// copied reports whether the slice is made on the heap and is then too small, as far as is
// known: a literal that stays on the stack costs nothing.
func (j *joining) copied(t model.Target) bool {
	grows := slices.IndexFunc(j.parts, func(a joined) bool { return a.all != nil && j.constant(a.all) == nil })
	if len(j.parts) < 2 || grows < 0 {
		return false
	}
	if j.lit == nil || len(j.lit.Elts) == 0 {
		return true
	}
	return prove.OnHeap(t, model.Pos{}, func(n model.Note) bool {
		return n.At().Line == j.p.Pos(j.lit.Pos()).Line && strings.HasSuffix(n.Message, "{...} escapes to heap")
	})
}

func proposeJoined(j *joining) (*model.Change, *prove.Reason) {
	f := j.fn.File
	if f.Commented(j.call) {
		return nil, prove.Refuse("there is a comment within the call")
	}
	if !j.never && !slices.ContainsFunc(j.parts, func(a joined) bool { return len(a.elems) > 0 }) {
		return nil, prove.Refuse("it is nil where all that is appended is empty")
	}
	if a, ok := f.Parent(j.call).(*ast.AssignStmt); ok && len(a.Lhs) == 1 {
		if v := code.Var(j.fn.Info(), a.Lhs[0]); code.Local(v) && j.p.FlowOf(j.fn, v).CapSeen {
			return nil, prove.Refuse("its capacity is asked for")
		}
	}
	text, imports, why := j.together()
	if why != nil {
		return nil, why
	}
	edits := append(imports, j.p.Put(f, j.call.Pos(), j.call.End(), text))
	return j.p.Change(j.fn, edits, model.Change{
		Kind:  "append-new",
		Title: fmt.Sprintf("%s: make %s with room for all in %s", f.Pkg.Name, prove.Short(types.ExprString(j.call)), j.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the same elements are there, in the same order", How: "proven", Why: "each is appended as before, and what is evaluated twice is a variable or field whose length is asked for"},
			{Text: "the slice is new, and not nil, as before", How: "proven", Why: "it is made, or begins with an element"},
			{Text: "how much room it has does not show", How: "assumed", Why: "what append leaves is unspecified, so that nobody can rely on it"},
		},
	})
}

// together writes the slice: made for the sum of the lengths where they can be asked for before, or by slices.Concat.
func (j *joining) together() (string, []model.Edit, *prove.Reason) {
	twice := slices.IndexFunc(j.parts, func(a joined) bool { return a.all != nil && !j.plain(a.all) })
	if twice < 0 {
		if !code.Predeclared(j.fn.Obj.Pkg(), j.call.Pos(), "make", "len", "append") {
			return "", nil, prove.Refuse("make, len or append means something else there")
		}
		return j.room(total{}), nil, nil
	}
	again := prove.Short(types.ExprString(j.parts[twice].all))
	slice := j.fn.Info().TypeOf(j.call)
	switch {
	case !j.p.GoAtLeast(j.fn.File, "go1.22"):
		return "", nil, prove.Refuse(again + " would be evaluated twice, and slices.Concat is there from Go 1.22 on")
	case !slices.ContainsFunc(j.parts, func(a joined) bool { return len(a.elems) > 0 }):
		return "", nil, prove.Refuse(again + " would be evaluated twice, and slices.Concat makes nothing of nothing")
	case slices.ContainsFunc(j.parts, func(a joined) bool {
		return a.all != nil && !types.Identical(j.fn.Info().TypeOf(a.all), slice)
	}):
		return "", nil, prove.Refuse(again + " would be evaluated twice, and slices.Concat takes slices of one type alone")
	}
	name := j.p.Qualifier(j.fn.File, j.call.Pos(), "slices")
	imports, ok := j.p.Reimport(j.fn.File, j.call.Pos(), []string{"slices"}, "")
	if name == "" || !ok {
		return "", nil, prove.Refuse("package slices cannot be imported in " + j.fn.File.Name)
	}
	var args []string
	for _, a := range j.parts {
		if a.all != nil {
			args = append(args, j.source(a.all))
		} else {
			args = append(args, j.source(j.made)+"{"+j.list(a.elems)+"}")
		}
	}
	return name + ".Concat(" + strings.Join(args, ", ") + ")", imports, nil
}

// plain reports whether the length of an operand can be asked for before everything else: it is a
// constant, a variable of the function, or a field of one, where no element is a call.
func (j *joining) plain(e ast.Expr) bool {
	if spelled(j.fn.Info(), e) > 0 || j.constant(e) != nil {
		return true
	}
	if _, name := ast.Unparen(e).(*ast.Ident); name {
		return true
	}
	return code.Place(e) && !slices.ContainsFunc(j.parts, func(a joined) bool { return slices.ContainsFunc(a.elems, happens) })
}

// happens reports whether evaluating an element may do something, or panic for another reason than a nil pointer.
func happens(e ast.Expr) bool {
	return code.Any(e, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
			return true
		case *ast.UnaryExpr:
			return e.Op == token.ARROW
		case *ast.BinaryExpr:
			return e.Op == token.QUO || e.Op == token.REM || e.Op == token.SHL || e.Op == token.SHR
		}
		return false
	})
}

// maxNamed is how many elements of a literal are written as arguments.
const maxNamed = 4

// room writes calls of append to a slice that is made for all, and for more.
func (j *joining) room(more total) string {
	fixed, sizes, text := more.fixed, []string{}, ""
	for _, a := range j.parts {
		switch n := spelled(j.fn.Info(), a.all); {
		case a.all == nil:
			fixed += len(a.elems)
		case n > 0 || j.constant(a.all) != nil:
			fixed += n
		default:
			sizes = append(sizes, "len("+j.source(a.all)+")")
		}
	}
	if len(more.parts) > 0 {
		sizes = append(sizes, total{parts: more.parts}.size())
	}
	if fixed > 0 {
		sizes = append([]string{fmt.Sprint(fixed)}, sizes...)
	}
	text = "make(" + j.source(j.made) + ", 0, " + strings.Join(sizes, "+") + ")"
	for i, a := range j.parts {
		add := j.list(a.elems)
		elided := slices.ContainsFunc(a.elems, func(e ast.Expr) bool { lit, ok := e.(*ast.CompositeLit); return ok && lit.Type == nil })
		switch {
		case a.all != nil:
			add = j.source(a.all) + "..."
		case i == 0 && j.lit != nil && (elided || len(a.elems) > maxNamed || j.fn.File.Commented(j.lit)):
			add = j.source(j.lit) + "..."
		case i == 0 && j.lit != nil:
			if inside := string(j.fn.File.Src[j.p.Offset(j.lit.Lbrace)+1 : j.p.Offset(j.lit.Rbrace)]); strings.HasPrefix(inside, "\n") {
				add = inside // on lines of their own, as they were
			}
		}
		text = "append(" + text + ", " + add + ")"
	}
	return text
}

func (j *joining) list(elems []ast.Expr) string {
	var all []string
	for _, e := range elems {
		all = append(all, j.source(e))
	}
	return strings.Join(all, ", ")
}

func (j *joining) source(n ast.Node) string { return j.p.Source(j.fn.File, n) }
