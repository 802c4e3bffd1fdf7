package difftest

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/inject"
)

// hooks returns the edits of a candidate's file that put a hook into each of
// the subjects in it: one that records, and leads to the base's copy while the
// base is driven. They stay on the line of the opening brace, so that lines
// keep their numbers.
func (s *subject) hooks() []model.Edit {
	fn, sig := s.cand.fn, s.cand.obj.Type().(*types.Signature)
	names, edits := inject.Params(s.cand.file.File, fn)
	inst := s.instance()
	recv, args, variadic := "", names, ""
	if fn.Recv != nil {
		recv, args = names[0]+".", names[1:]
	}
	if sig.Variadic() {
		variadic = "..."
	}
	call := fmt.Sprintf("%s%s%s(%s%s)", recv, basePrefix, fn.Name.Name, strings.Join(args, ", "), variadic)
	if fn.Recv == nil {
		call = fmt.Sprintf("%s%s%s(%s%s)", basePrefix, fn.Name.Name, inst, strings.Join(args, ", "), variadic)
	}
	if sig.Results().Len() == 0 {
		call += "; return"
	} else {
		call = "return " + call
	}
	hook := fmt.Sprintf("if %s.Base() { %s };", alias, call)
	if s.skipped == "" {
		hook = fmt.Sprintf("if %[1]s.On() { %[1]s.Enter(%[2]d, []interface{}{%[3]s}, %[4]s%[6]s, %[5]s%[6]s) };",
			alias, s.id, strings.Join(names, ", "), s.adapter(candPrefix), s.adapter(basePrefix), inst) + " " + hook
	}
	return append(edits, inject.Open(s.cand.file.File, fn.Body, hook))
}

// adapter returns the name of the function that calls one side's copy with a
// list of arguments.
func (s *subject) adapter(prefix string) string { return fmt.Sprintf("%scall%d", prefix, s.id) }

// instance returns the type arguments that a call inside the function passes
// on: "[K, V]", or "".
func (s *subject) instance() string {
	var names []string
	for _, p := range typeParamsOf(s.cand.obj.Type().(*types.Signature)) {
		names = append(names, p.Obj().Name())
	}
	if len(names) == 0 {
		return ""
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// A packer collects the imports that generated type texts need.
type packer struct {
	own   *types.Package
	names map[*types.Package]string
	order []*types.Package
}

func (p *packer) qualify(pkg *types.Package) string {
	if pkg == p.own {
		return ""
	}
	if p.names == nil {
		p.names = make(map[*types.Package]string)
	}
	if p.names[pkg] == "" {
		p.names[pkg] = fmt.Sprintf("pawlpkg%d", len(p.order))
		p.order = append(p.order, pkg)
	}
	return p.names[pkg]
}

func (p *packer) imports() string {
	var b strings.Builder
	for _, pkg := range p.order {
		fmt.Fprintf(&b, "import %s %q\n", p.names[pkg], pkg.Path())
	}
	return b.String()
}

// adapters writes the file with the functions that call the copies with lists
// of arguments. The copies may stand in files of an old language version; this
// one uses type parameters and says so.
func adapters(pkg *types.Package, subjects []*subject) *generated {
	p := &packer{own: pkg}
	var texts []string
	for _, s := range subjects {
		texts = append(texts, s.adapterText(candPrefix, 1, p)+"\n"+s.adapterText(basePrefix, 0, p))
	}
	g := &generated{name: "zz_pawl_call.go"}
	fmt.Fprintf(&g.text, "%s//go:build go1.21\n\npackage %s\n\nimport %s %q\n%s\n", generatedBy, pkg.Name(), alias, importPath, p.imports())
	for i, s := range subjects {
		g.add(s.base, texts[i])
	}
	return g
}

func (s *subject) adapterText(prefix string, arm int, p *packer) string {
	sig := s.cand.obj.Type().(*types.Signature)
	text := func(t types.Type) string { return types.TypeString(t, p.qualify) }
	var args []string
	at := 0
	arg := func(t types.Type) string {
		a := fmt.Sprintf("%s.As[%s](pawlx[%d])", alias, text(t), at)
		at++
		return a
	}
	callee := prefix + s.cand.fn.Name.Name
	if r := sig.Recv(); r != nil {
		callee = arg(r.Type()) + "." + callee
	} else {
		callee += s.instance()
	}
	for i := range sig.Params().Len() {
		args = append(args, arg(sig.Params().At(i).Type()))
	}
	dots := ""
	if sig.Variadic() {
		dots = "..."
	}
	call := fmt.Sprintf("%s(%s%s)", callee, strings.Join(args, ", "), dots)
	var results []string
	for i := range sig.Results().Len() {
		results = append(results, fmt.Sprintf("pawlr%d", i))
	}
	ret := "nil"
	if len(results) > 0 {
		call = strings.Join(results, ", ") + " := " + call
		ret = "[]interface{}{" + strings.Join(results, ", ") + "}"
	}
	return fmt.Sprintf("func %s%s(pawlx []interface{}) []interface{} {\n\tdefer %s.Arm(%d)()\n\t%s\n\treturn %s\n}\n",
		s.adapter(prefix), s.typeParamText(text), alias, arm, call, ret)
}

// typeParamText returns the list of type parameters with their constraints.
func (s *subject) typeParamText(text func(types.Type) string) string {
	var list []string
	for _, p := range typeParamsOf(s.cand.obj.Type().(*types.Signature)) {
		list = append(list, p.Obj().Name()+" "+text(p.Constraint()))
	}
	if len(list) == 0 {
		return ""
	}
	return "[" + strings.Join(list, ", ") + "]"
}
