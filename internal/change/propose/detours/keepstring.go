package detours

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// KeepString looks at a string as it is instead of at a copy of its bytes.
var KeepString = prove.Transformation{
	Name:     "keep-string",
	Doc:      "A []byte made of a string that is only searched, cut and converted back to strings stays the string: package strings does what package bytes did, and parts need no copy. What ReadBytes reads for that is read by ReadString.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "keep-string", "BenchmarkCount", "allocs", "neither the text nor its parts are copied", 0),
	// It looks at the lines of the target and of its module's frames, for the copy
	// itself and for what is made of its parts.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, r := range readingsIn(s.Program, s.Fn) {
			why := r.follow()
			read := textRead(s.Fn.Info(), r.src) != ""
			if !r.covers(s.At.Line) || read && !r.makesTexts() {
				continue
			}
			propose, what := proposeKeepString, " is a copy of "
			if read {
				propose, what = proposeReadText, " has the bytes of "
			}
			var ch *model.Change
			if why == nil {
				ch, why = propose(r)
			}
			s.Add(r.vars[0].Name()+what+prove.Short(types.ExprString(r.src)), ch, why)
		}
	}),
}

// A reading is a copy of a string in a variable, with all variables that hold parts of
// it.
type reading struct {
	p     *prove.Program
	fn    *prove.Function
	vars  []*types.Var
	src   ast.Expr // of what a copy is made, or the call that reads it
	edits []model.Edit
	texts []ast.Node // strings that were made
	bytes []ast.Node // what no longer names package bytes
	paths []string
	apart
}

// An apart is what a reading of text-pieces alone has; it is zero for a copy of a string.
type apart struct {
	root  *types.Var       // bytes that a string is made of; nil where they are a copy of one
	named []*ast.Ident     // uses of the root that are to be uses of the string
	bare  []*ast.Ident     // uses of the root that stay, as the function ends there
	list  *types.Var       // holds pieces; nil where none does
	loops []*ast.RangeStmt // over such pieces
}

// readingsIn returns the definitions v := []byte(s), and v, err := r.ReadBytes('\n'), of a function.
func readingsIn(p *prove.Program, fn *prove.Function) []*reading {
	var found []*reading
	for a := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		if a.Tok != token.DEFINE || len(a.Rhs) != 1 {
			continue
		}
		v, _ := fn.Info().Defs[a.Lhs[0].(*ast.Ident)].(*types.Var)
		if v == nil || !types.Identical(v.Type(), types.NewSlice(types.Typ[types.Byte])) {
			continue
		}
		if conv := madeOfString(fn.Info(), a.Rhs[0]); conv != nil {
			found = append(found, &reading{p: p, fn: fn, vars: []*types.Var{v}, src: conv.Args[0]})
		} else if textRead(fn.Info(), a.Rhs[0]) != "" {
			found = append(found, &reading{p: p, fn: fn, vars: []*types.Var{v}, src: a.Rhs[0]})
		}
	}
	return found
}

// madeOfString returns e as a conversion of a string to bytes.
func madeOfString(info *types.Info, e ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() || !code.IsBytes(info.TypeOf(call)) {
		return nil
	}
	if t := types.Default(info.TypeOf(call.Args[0])); !types.Identical(t, types.Typ[types.String]) {
		return nil
	}
	return call
}

// covers reports whether a line defines one of the variables, or makes something of one.
func (r *reading) covers(line int) bool {
	return code.Any(r.fn.Decl.Body, func(id *ast.Ident) bool { return r.p.Covers(id, line) && r.holds(id) })
}

func (r *reading) holds(id *ast.Ident) bool {
	v, ok := r.fn.Info().ObjectOf(id).(*types.Var)
	return ok && slices.Contains(r.vars, v)
}

// follow looks at all that is done with the bytes.
func (r *reading) follow() *prove.Reason {
	if why := prove.Editable(r.fn.File); why != nil {
		return why
	}
	if code.Jumps(r.fn.Decl.Body) {
		return prove.Refuse(r.fn.Obj.Name() + " uses goto")
	}
	if !code.Predeclared(r.fn.Obj.Pkg(), r.src.Pos(), "string", "len") {
		return prove.Refuse("string or len means something else there")
	}
	for i := 0; i < len(r.vars); i++ {
		if why := r.variable(r.vars[i]); why != nil {
			return why
		}
	}
	return nil
}

func proposeKeepString(r *reading) (*model.Change, *prove.Reason) {
	text := prove.Short(types.ExprString(r.src))
	return r.change(model.Change{
		Kind:  "keep-string",
		Title: fmt.Sprintf("%s: look at %s as the string that it is in %s", r.fn.File.Pkg.Name, text, r.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "nothing writes to the bytes, and nothing else gets them", How: "proven", Why: "they are searched, cut, read and converted back, in " + names(r.vars)},
			{Text: "package strings answers as package bytes does", How: "assumed", Why: "its documentation: the functions of the same name are the same for strings"},
			{Text: "parts may share the memory of the text", How: "assumed", Why: "a string does not change; a part that is kept is not much shorter than the text that it now keeps"},
		},
	})
}

// change makes the edits a change, with the imports that they need.
func (r *reading) change(c model.Change) (*model.Change, *prove.Reason) {
	f := r.fn.File
	for _, g := range f.Syntax.Comments {
		if slices.ContainsFunc(r.edits, func(e model.Edit) bool { return e.Start <= r.p.Offset(g.Pos()) && r.p.Offset(g.End()) <= e.End }) {
			return nil, prove.Refuse("there is a comment within what is replaced")
		}
	}
	if len(r.bytes) == 0 {
		return r.p.Change(r.fn, r.edits, c)
	}
	if r.p.Qualifier(f, r.src.Pos(), "strings") != "strings" {
		return nil, prove.Refuse("the name strings means something else there")
	}
	imports, ok := r.p.Reimport(f, r.src.Pos(), r.paths, "bytes", r.bytes...)
	if !ok {
		return nil, prove.Refuse("package strings cannot be imported in " + f.Name)
	}
	return r.p.Change(r.fn, append(imports, r.edits...), c)
}

func names(vars []*types.Var) string {
	var all []string
	for _, v := range vars {
		all = append(all, v.Name())
	}
	return strings.Join(slices.Compact(all), ", ")
}

// variable looks at the definitions and uses of one variable.
func (r *reading) variable(v *types.Var) *prove.Reason {
	if v != r.root && (!code.Local(v) || !code.Declares(r.fn.Decl.Body, v)) || !types.Identical(v.Type(), types.NewSlice(types.Typ[types.Byte])) {
		return prove.Refuse(v.Name() + " is no local variable of type []byte")
	}
	for id := range code.All[*ast.Ident](r.fn.Decl.Body) {
		if r.fn.Info().ObjectOf(id) != v {
			continue
		}
		if why := r.place(id); why != nil {
			return why
		}
	}
	return nil
}

// place returns why one place that names a variable needs the bytes.
func (r *reading) place(id *ast.Ident) *prove.Reason {
	if r.root == nil || r.fn.Info().ObjectOf(id) != r.root {
		return r.placed(id)
	}
	if r.fn.Info().Defs[id] != nil {
		return nil
	}
	before := *r
	why := r.placed(id)
	switch {
	case why == nil:
		r.named = append(r.named, id)
	case r.leaves(id):
		*r = before
		r.bare = append(r.bare, id)
		return nil
	}
	return why
}

// leaves reports whether the function ends where an identifier of the root stands, which nothing sets again.
func (r *reading) leaves(id *ast.Ident) bool {
	for up := r.fn.File.Parent(id); up != nil && up != ast.Node(r.fn.Decl.Body); up = r.fn.File.Parent(up) {
		if prove.Departs(up) {
			return !code.WrittenIn(r.fn.Info(), r.fn.Decl.Body, r.root) && !code.AddressTaken(r.fn.Info(), r.fn.Decl.Body, r.root)
		}
	}
	return false
}

func (r *reading) placed(id *ast.Ident) *prove.Reason {
	switch up := r.fn.File.Parent(id).(type) {
	case *ast.AssignStmt:
		if k := slices.Index(up.Lhs, ast.Expr(id)); k >= 0 {
			return r.assigned(up, k)
		}
	case *ast.ValueSpec:
		return r.declared(up, id)
	case *ast.RangeStmt:
		if up.X != ast.Expr(id) && slices.Contains(r.loops, up) {
			return nil
		}
	}
	return r.use(id)
}

// declared turns var v []byte into var v string.
func (r *reading) declared(spec *ast.ValueSpec, id *ast.Ident) *prove.Reason {
	if len(spec.Names) != 1 || len(spec.Values) > 0 || spec.Type == nil {
		return prove.Refuse("the declaration of " + id.Name + " gives it a value, or declares others")
	}
	r.put(spec.Type.Pos(), spec.Type.End(), "string")
	return nil
}

// assigned says why what a variable is set to is no part of a string.
func (r *reading) assigned(a *ast.AssignStmt, k int) *prove.Reason {
	if a.Tok != token.DEFINE && a.Tok != token.ASSIGN {
		return prove.Refuse("a variable of its bytes is changed in place")
	}
	if len(a.Rhs) != len(a.Lhs) {
		if call, ok := a.Rhs[0].(*ast.CallExpr); ok && code.IsFunc(r.fn.Info(), call, "bytes", "Cut") {
			return r.call(call)
		} else if ok && k == 0 && r.readText(call) {
			return nil
		}
		return prove.Refuse(types.ExprString(a.Rhs[0]) + " is not known to be a part of a string")
	}
	return r.value(a.Rhs[k])
}

// value checks an expression that gives bytes, and makes it give a string.
func (r *reading) value(e ast.Expr) *prove.Reason {
	info := r.fn.Info()
	if conv := madeOfString(info, e); conv != nil {
		r.put(conv.Pos(), conv.Args[0].Pos(), "")
		r.put(conv.Args[0].End(), conv.End(), "")
		return nil
	}
	if code.IsNil(info, e) {
		r.put(e.Pos(), e.End(), `""`)
		return nil
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok {
			r.add(v)
			return nil
		}
	case *ast.SliceExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			return r.value(id)
		}
	case *ast.IndexExpr:
		if r.list != nil && prove.IsUseOf(info, e.X, r.list) {
			return nil
		}
	case *ast.CallExpr:
		return r.call(e)
	}
	return prove.Refuse(types.ExprString(e) + " is not known to be a part of a string")
}

func (r *reading) add(v *types.Var) {
	if !slices.Contains(r.vars, v) {
		r.vars = append(r.vars, v)
	}
}

// put makes an edit once: an expression may be come to in several ways.
func (r *reading) put(from, to token.Pos, text string) {
	e := r.p.Put(r.fn.File, from, to, text)
	if !slices.Contains(r.edits, e) {
		r.edits = append(r.edits, e)
	}
}
