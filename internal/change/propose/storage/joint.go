package storage

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Joint makes a struct and what its fields point to in one allocation.
var Joint = prove.Transformation{
	Name: "joint-allocation",
	Doc: "A struct is made on the heap, and with it what its fields point to: other structs, slices of a fixed length, or single values as by proto.String. " +
		"All of it becomes one value, and the fields point to its parts.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "joint-allocation", "BenchmarkOpen", "allocs", "one allocation for a reader, its buffer and its state", 0),
	// It looks at the structs that are made on the target's line, or that have a field made there.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for e := range prove.On[*ast.UnaryExpr](s) {
			if j := jointOf(s.Program, s.Fn, e); j != nil {
				c, why := j.propose()
				s.Add(prove.Short(types.ExprString(e))+" is made of several allocations", c, why)
			}
		}
	}),
}

// mostJoint is how large the whole may be, in bytes: what is larger costs its size and not its number.
const mostJoint = 2 << 10

// A joint is &T{…} with elements that are allocated as well.
type joint struct {
	p     *prove.Program
	fn    *prove.Function
	whole *ast.UnaryExpr
	lit   *ast.CompositeLit
	stmt  ast.Stmt
	parts []partOf
	calls bool // the parts call something, so that all is assigned in one statement
}

// A partOf is an element that is a pointer to a new value, or a slice of one.
type partOf struct {
	expr  ast.Expr
	name  string // of the field that holds it
	typ   string // its type
	of    types.Type
	size  int64
	value string     // what it is at first; "" for zero
	reads []ast.Expr // what that is made of
	slice string     // "[:]" or "[:n]" for a slice, else ""
}

// jointOf reads a struct that is made with others; nil for anything else.
func jointOf(p *prove.Program, fn *prove.Function, e *ast.UnaryExpr) *joint {
	lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
	if !ok || e.Op != token.AND || lit.Type == nil {
		return nil
	}
	if _, ok := fn.Info().TypeOf(lit).Underlying().(*types.Struct); !ok {
		return nil
	}
	j := &joint{p: p, fn: fn, whole: e, lit: lit}
	j.collect(lit, "")
	if len(j.parts) == 0 {
		return nil
	}
	return j
}

// collect reads the elements of a struct or an array, and of those within.
func (j *joint) collect(lit *ast.CompositeLit, name string) {
	str, _ := j.fn.Info().TypeOf(lit).Underlying().(*types.Struct)
	for i, e := range lit.Elts {
		of := name
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, isIdent := pair.Key.(*ast.Ident); isIdent && str != nil {
				of = key.Name
			}
			e = pair.Value
		} else if str != nil {
			of = str.Field(i).Name()
		}
		if inner, ok := e.(*ast.CompositeLit); ok {
			switch j.fn.Info().TypeOf(inner).Underlying().(type) {
			case *types.Struct, *types.Array:
				j.collect(inner, of)
				continue
			}
		}
		if part, ok := j.part(e); ok {
			part.name = code.LowerName(of)
			j.parts = append(j.parts, part)
		}
	}
}

// part reads an element that is allocated: &T{…}, new(T), new(x), []E{…} or make([]E, n).
func (j *joint) part(e ast.Expr) (partOf, bool) {
	info, text := j.fn.Info(), func(n ast.Node) string { return j.p.Source(j.fn.File, n) }
	one := partOf{expr: e}
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		if !ok || x.Op != token.AND || lit.Type == nil {
			return one, false
		}
		one.typ, one.of, one.reads = text(lit.Type), info.TypeOf(lit), []ast.Expr{lit}
		if len(lit.Elts) > 0 {
			one.value = text(lit)
		}
	case *ast.CompositeLit:
		list, ok := x.Type.(*ast.ArrayType)
		if !ok || list.Len != nil || len(x.Elts) == 0 || slices.ContainsFunc(x.Elts, func(e ast.Expr) bool { _, keyed := e.(*ast.KeyValueExpr); return keyed }) {
			return one, false
		}
		array := types.NewArray(info.TypeOf(list.Elt), int64(len(x.Elts)))
		one.typ, one.of, one.reads, one.slice = "["+strconv.Itoa(len(x.Elts))+"]"+text(list.Elt), array, []ast.Expr{x}, "[:]"
		one.value = one.typ + strings.TrimPrefix(text(x), text(list))
	case *ast.CallExpr:
		return j.called(x)
	default:
		return one, false
	}
	return one, j.measured(&one)
}

// called reads new(T), and make([]E, n) of constants, and what returns a pointer to a copy of its argument.
func (j *joint) called(call *ast.CallExpr) (partOf, bool) {
	info, text := j.fn.Info(), func(n ast.Node) string { return j.p.Source(j.fn.File, n) }
	one := partOf{expr: call}
	switch code.Builtin(info, call) {
	case "new":
		if !info.Types[call.Args[0]].IsType() {
			return j.copied(call)
		}
		one.typ, one.of = text(call.Args[0]), info.TypeOf(call.Args[0])
	case "make":
		list, ok := call.Args[0].(*ast.ArrayType)
		n, known := prove.ConstInt(info, call.Args[len(call.Args)-1])
		if !ok || len(call.Args) < 2 || !known || n <= 0 {
			return one, false
		}
		one.typ, one.of = fmt.Sprintf("[%s]%s", text(call.Args[len(call.Args)-1]), text(list.Elt)), types.NewArray(info.TypeOf(list.Elt), n)
		if one.slice = "[:]"; len(call.Args) == 3 {
			if _, known := prove.ConstInt(info, call.Args[1]); !known {
				return one, false // make panics in other words than a slice of an array
			}
			one.slice = "[:" + text(call.Args[1]) + "]"
		}
	default:
		if points(j.p, info, call) {
			return j.copied(call)
		}
		return one, false
	}
	return one, j.measured(&one)
}

// measured takes the size of a part in; false where it has none that counts.
func (j *joint) measured(one *partOf) bool {
	if code.Generic(one.of) {
		return false
	}
	one.size = j.fn.File.Pkg.TypesSizes.Sizeof(one.of)
	return one.size > 0
}

func (j *joint) propose() (*model.Change, *prove.Reason) {
	f, fn, p := j.fn.File, j.fn, j.p
	total := int64(0)
	if t := fn.Info().TypeOf(j.lit); !code.Generic(t) {
		total = f.Pkg.TypesSizes.Sizeof(t)
	}
	for _, one := range j.parts {
		total += one.size
	}
	switch {
	case total > mostJoint:
		return nil, prove.Refusef("together they have %d bytes", total)
	case slices.ContainsFunc(j.parts, func(one partOf) bool { return f.Commented(one.expr) }):
		return nil, prove.Refuse("there is a comment within a part")
	}
	if why := j.stated(); why != nil {
		return nil, why
	}
	if why := j.ordered(); why != nil {
		return nil, why
	}
	own, why := p.PointersFree(fn.Info().TypeOf(j.lit))
	if why != nil {
		return nil, why
	}
	for _, one := range j.parts {
		o, why := j.free(one)
		if why != nil {
			return nil, why
		}
		if o.How == "assumed" {
			own = o
		}
	}
	edits, why := j.edits()
	if why != nil {
		return nil, why
	}
	name := prove.Short(types.ExprString(j.lit.Type))
	return p.Change(fn, edits, model.Change{
		Kind:    "joint-allocation",
		Title:   fmt.Sprintf("%s: make %s with its %s in one allocation in %s", f.Pkg.Name, name, j.names(), fn.Obj.Name()),
		Retains: "all of it as long as one part lives",
		Obligations: []model.Obligation{
			{Text: "each part is what it was", How: "proven", Why: "the value is new at each call, and nothing but the pointers to its parts is used"},
			j.order(),
			own,
			{Text: "the parts live about as long", How: "assumed", Why: "they are made together; one that is kept keeps all, which the reader decides about"},
		},
	})
}

// names lists the parts.
func (j *joint) names() string {
	var names []string
	for _, one := range j.parts {
		if !slices.Contains(names, one.name) {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, ", ")
}

// stated finds the statement that makes it, which other statements can stand before.
func (j *joint) stated() *prove.Reason {
	f := j.fn.File
	for n := ast.Node(j.whole); n != nil; n = f.Parent(n) {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return prove.Refuse("it is made in the head of a statement")
		}
		if b, ok := f.Parent(n).(*ast.BinaryExpr); ok && b.Y == n && (b.Op == token.LAND || b.Op == token.LOR) {
			return prove.Refuse("it is made only where a condition holds")
		}
		stmt, ok := n.(ast.Stmt)
		if !ok {
			continue
		}
		if !slices.Contains(code.StmtList(f.Parent(n)), stmt) {
			continue
		}
		switch stmt := stmt.(type) {
		case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt, *ast.DeclStmt, *ast.SendStmt:
			if d, ok := stmt.(*ast.DeclStmt); ok && len(d.Decl.(*ast.GenDecl).Specs) > 1 {
				return prove.Refuse("it may use what is declared with it")
			}
			j.stmt = stmt
			return nil
		}
		return prove.Refuse("it is made in the head of a statement")
	}
	return prove.Refuse("it is in no statement")
}

// ordered says why the parts, or the whole, cannot be made before the rest of the statement.
func (j *joint) ordered() *prove.Reason {
	within, before, late := false, false, false
	code.Here(j.stmt, func(c ast.Expr) bool {
		switch {
		case !j.acts(c), code.Within(c, j.whole): // it is called with the whole, after all of it is made
		case slices.ContainsFunc(j.parts, func(one partOf) bool { return code.Within(one.expr, c) }):
			j.calls, late = true, late || within
		case code.Within(j.whole, c):
			within = true
		default:
			before = true
		}
		return false
	})
	if late {
		return prove.Refuse("what a part calls would be called before what stands before it")
	}
	for _, one := range j.parts {
		for _, x := range one.reads {
			if (within || before || j.calls) && !j.still(x) {
				return prove.Refusef("%s may be another where it is made before the rest", prove.Short(types.ExprString(x)))
			}
		}
	}
	if before && (within || j.calls || !j.still(j.lit)) {
		return prove.Refuse("something else is called before, in the same statement")
	}
	if e := j.between(); (within || j.calls) && e != nil {
		return prove.Refusef("what a call changes may show in %s", prove.Short(types.ExprString(e)))
	}
	return nil
}

// acts reports whether an expression is a call that may do anything, or waits.
func (j *joint) acts(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok {
		return u.Op == token.ARROW
	}
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	info := j.fn.Info()
	switch code.Builtin(info, c) {
	case "new", "make", "len", "cap", "append", "min", "max":
		return false
	}
	return !info.Types[c.Fun].IsType() && !slices.ContainsFunc(j.parts, func(one partOf) bool { return one.expr == c })
}

// still reports whether an expression is made of constants and variables that no call changes, and of calls
// of the parts. These take their arguments when they are called, in the order in which they stand.
func (j *joint) still(x ast.Expr) bool {
	info := j.fn.Info()
	return code.Here(x, func(n ast.Expr) bool {
		if j.calls && j.argument(n, x) {
			return false
		}
		if looks(info, n) {
			return true
		}
		switch n := n.(type) {
		case *ast.CallExpr, *ast.UnaryExpr:
			return j.acts(n)
		case *ast.IndexExpr, *ast.StarExpr:
			return true
		case *ast.SelectorExpr:
			return info.Selections[n] != nil
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			return ok && !v.IsField() && (!code.Local(v) || code.Captured(j.fn.File.Pkg.Index(), info, v))
		}
		return false
	}) == nil
}

// edits declares the whole before the statement, fills it, and points to it.
func (j *joint) edits() ([]model.Edit, *prove.Reason) {
	f, p := j.fn.File, j.p
	whole := code.FirstFree(j.fn.Decl, "joint", "both", "whole", "together")
	if whole == "" {
		return nil, prove.Refuse("no name is free for it")
	}
	var fields, front, fills strings.Builder
	names, values := "", ""
	used := map[string]bool{"value": true}
	edits := map[ast.Expr]string{}
	for _, one := range j.parts {
		name := one.name
		for i := 2; used[name] || token.IsKeyword(name); i++ {
			name = one.name + strconv.Itoa(i)
		}
		used[name] = true
		in := &fields
		if aligned(one) {
			in = &front
		}
		fmt.Fprintf(in, "%s %s\n", name, one.typ)
		switch {
		case one.value != "" && j.calls:
			names, values = names+whole+"."+name+", ", values+one.value+", "
		case one.value != "":
			fmt.Fprintf(&fills, "%s.%s = %s\n", whole, name, one.value)
		}
		edits[one.expr] = whole + "." + name + one.slice
		if one.slice == "" {
			edits[one.expr] = "&" + whole + "." + name
		}
	}
	made := fmt.Sprintf("var %s struct {\n%svalue %s\n%s}\n%s%s%s.value = %s%s\n",
		whole, front.String(), p.Source(f, j.lit.Type), fields.String(), fills.String(), names, whole, values, j.written(edits))
	edit := []model.Edit{
		p.Insert(f, j.stmt.Pos(), made),
		p.Put(f, j.whole.Pos(), j.whole.End(), "&"+whole+".value"),
	}
	return j.imports(edit)
}

// written returns the literal with other texts for the parts.
func (j *joint) written(texts map[ast.Expr]string) string {
	f, p := j.fn.File, j.p
	var b strings.Builder
	from := p.Offset(j.lit.Pos())
	for _, one := range j.parts {
		b.Write(f.Src[from:p.Offset(one.expr.Pos())])
		b.WriteString(texts[one.expr])
		from = p.Offset(one.expr.End())
	}
	b.Write(f.Src[from:p.Offset(j.lit.End())])
	return b.String()
}
