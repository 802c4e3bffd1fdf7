package detours

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// TypedSort sorts a slice of a known type without reflection.
var TypedSort = prove.Transformation{
	Name:     "typed-sort",
	Doc:      "sort.Slice, sort.Sort and their stable forms become slices.SortFunc and SortStableFunc, without reflection and interfaces, where the order is a list of keys that are compared one after the other. What is in its own order is sorted by slices.Sort.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "typed-sort", "BenchmarkRank", "cpu", "about half of the CPU time, and no allocation", 0),
	// It looks at the calls around the target's line and those of the module's
	// frames: the time is spent in package sort.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, c := range sortingsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeTypedSort(c)
			s.Add(prove.Short(types.ExprString(c.of))+" is sorted by "+c.way(), ch, why)
		}
		for _, c := range comparedAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposePlain(c)
			s.Add(prove.Short(types.ExprString(c.of))+" is sorted by a function", ch, why)
		}
	}),
}

// sorts has the twins. Package sort and package slices are generated of one text: both
// ask the same questions in the same order, and swap the same elements.
var sorts = map[string]string{"sort.Slice": "SortFunc", "sort.SliceStable": "SortStableFunc", "sort.Sort": "SortFunc", "sort.Stable": "SortStableFunc"}

// A sorting is a call that sorts a slice by a function literal, or by the method Less of
// its type.
type sorting struct {
	p      *prove.Program
	fn     *prove.Function
	call   *ast.CallExpr
	name   string          // of the twin
	of     ast.Expr        // the slice
	by     *prove.Function // that the comparison is written in: fn, or Less
	slice  ast.Expr        // the slice as it is named there
	params *ast.FieldList
	body   *ast.BlockStmt
	elem   types.Type
	back   *ast.CallExpr // of sort.Reverse, which asks it about j and i; nil without
}

func sortingsAt(p *prove.Program, fn *prove.Function, line int) []*sorting {
	var found []*sorting
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		target := code.Callee(fn.Info(), call)
		if target == nil || sorts[target.FullName()] == "" || !p.Covers(call, line) {
			continue
		}
		twin := sorts[target.FullName()]
		if len(call.Args) == 1 {
			if c := sortedBy(p, fn, call, twin); c != nil {
				found = append(found, c)
			}
			continue
		}
		less, isLit := call.Args[1].(*ast.FuncLit)
		slice, isSlice := fn.Info().TypeOf(call.Args[0]).Underlying().(*types.Slice)
		if isLit && isSlice {
			found = append(found, &sorting{p: p, fn: fn, call: call, name: twin, of: call.Args[0], by: fn, slice: call.Args[0],
				params: less.Type.Params, body: less.Body, elem: slice.Elem()})
		}
	}
	return found
}

func proposeTypedSort(c *sorting) (*model.Change, *prove.Reason) {
	f := c.fn.File
	if !c.p.GoAtLeast(f, "go1.21") {
		return nil, prove.Refuse("package slices is there from Go 1.21 on")
	}
	notes, ok := c.notes()
	if !ok {
		return nil, prove.Refuse("there is a comment within the function that compares")
	}
	if why := c.elsewhere(); why != nil {
		return nil, why
	}
	o := c.order()
	if o == nil {
		return nil, prove.Refuse("the function that compares does not name its parameters, or no names are free")
	}
	body, why := o.list(c.body.List)
	if why != nil {
		return nil, why
	}
	if c.natural(o, body) {
		return proposePlain(c)
	}
	edits, why := c.edits(o, notes+strings.Join(body, "\n"))
	if why != nil {
		return nil, why
	}
	return c.p.Change(c.fn, edits, model.Change{
		Kind:        "typed-sort",
		Title:       fmt.Sprintf("%s: sort %s without %s in %s", f.Pkg.Name, prove.Short(types.ExprString(c.of)), c.way(), c.fn.Obj.Name()),
		Obligations: c.obligations(o),
	})
}

// way says what sorting does by way of, so far.
func (c *sorting) way() string {
	if c.by != c.fn {
		return "an interface"
	}
	return "reflection"
}

// notes returns the comments between the statements of the literal that compares, which come to stand before all of
// them. It is false where there is another comment that would be lost; those at the beginning stay there.
func (c *sorting) notes() (text string, ok bool) {
	if len(c.body.List) == 0 || c.by != c.fn {
		return "", len(c.body.List) > 0
	}
	f, first := c.fn.File, c.body.List[0]
	for _, g := range f.Syntax.Comments {
		if !code.Within(c.call, g) || code.Within(c.body, g) && g.End() < first.Pos() {
			continue
		}
		beside := func(s ast.Stmt) bool { return code.Within(s, g) || c.p.Pos(s.End()).Line == c.p.Pos(g.Pos()).Line }
		if !code.Within(c.body, g) || slices.ContainsFunc(c.body.List, beside) {
			return "", false
		}
		text += string(f.Src[c.p.Offset(g.Pos()):c.p.Offset(g.End())]) + "\n"
	}
	return text, true
}

// order returns what is known of the function that compares before it is read.
func (c *sorting) order() *order {
	var params []types.Object
	for _, field := range c.params.List {
		for _, id := range field.Names {
			params = append(params, c.by.Info().Defs[id])
		}
	}
	if len(params) != 2 {
		return nil
	}
	if c.back != nil {
		slices.Reverse(params)
	}
	o := &order{p: c.p, fn: c.by, slice: c.slice, i: params[0], j: params[1], values: map[types.Object]ast.Expr{}}
	free := func(name string) bool {
		return code.FirstFree(c.fn.Decl, name) != "" && code.FirstFree(c.by.Decl, name) != ""
	}
	if names := []string{"c", "order", "n"}; slices.ContainsFunc(names, free) {
		o.result = names[slices.IndexFunc(names, free)]
	}
	for _, names := range [][2]string{{"a", "b"}, {"x", "y"}, {"left", "right"}} {
		if free(names[0]) && free(names[1]) {
			o.a, o.b = names[0], names[1]
			break
		}
	}
	if o.a == "" || o.result == "" {
		return nil
	}
	return o
}

func (c *sorting) edits(o *order, text string) ([]model.Edit, *prove.Reason) {
	f, p, pos := c.fn.File, c.p, c.call.Pos()
	paths := []string{"slices"}
	for _, path := range []string{"cmp", "strings"} {
		if slices.Contains(o.needs, path) {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		q := p.Qualifier(f, pos, path)
		if q == "" {
			return nil, prove.Refuse("the name " + path + " means something else there")
		}
		text = strings.ReplaceAll(text, placeholder(path), q)
	}
	removed := []ast.Node{c.call.Fun}
	if c.back != nil {
		removed = append(removed, c.back.Fun)
	}
	imports, ok := p.Reimport(f, pos, paths, "sort", removed...)
	if !ok {
		return nil, prove.Refuse("package slices cannot be imported in " + f.Name)
	}
	head := "\n"
	if c.by == c.fn {
		if own := string(f.Src[p.Offset(c.body.Lbrace)+1 : p.Offset(c.body.List[0].Pos())]); strings.Contains(own, "\n") {
			head = own
		}
	}
	text = fmt.Sprintf("%s.%s(%s, func(%s, %s %s) int {%s%s\n})", p.Qualifier(f, pos, "slices"), c.name, p.Source(f, c.of),
		o.a, o.b, p.TypeText(c.fn, c.elem, nil), head, text)
	return append(imports, p.Put(f, pos, c.call.End(), text)), nil
}

func (c *sorting) obligations(o *order) []model.Obligation {
	all := []model.Obligation{
		{Text: "the result is negative just where the function said less", How: "proven", Why: "the keys are compared in the same order, each element with itself"},
		{Text: "equal elements end up where they did", How: "assumed",
			Why: "packages sort and slices are generated of one text in this Go release, and a test of pawl holds them to it; their order is not promised"},
	}
	if c.name == "SortStableFunc" {
		all[1].Why = "both are documented to be stable"
	}
	if len(o.calls) > 0 {
		all = append(all, model.Obligation{Text: "what is called to compare does not write to the slice", How: "assumed", Why: "nothing can be sorted while " + strings.Join(o.calls, ", ") + " would do so"})
	}
	return all
}
