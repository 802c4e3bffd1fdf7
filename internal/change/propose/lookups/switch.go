package lookups

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

// Switch writes a map of the package that never changes as a function with a switch.
var Switch = prove.Transformation{
	Name: "map-to-switch",
	Doc: "A variable of the package is a map of constants, or of declared functions, that is only looked up in. It becomes a function that switches over " +
		"the key: nothing is hashed.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "map-to-switch", "BenchmarkCount", "cpu", "a comparison or two, or a jump, instead of a hash", 0),
	// It looks at the look-ups on the target's line.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for x := range prove.On[*ast.IndexExpr](s) {
			if b := tableOf(s.Program, s.Fn, x.X); b != nil {
				c, why := proposeSwitch(b)
				s.Add(b.v.Name()+" is looked up in by a hash", c, why)
			}
		}
	}),
}

// maxCases is how many entries a switch may have: the code of each is there, whether it is asked for or not.
const maxCases = 256

// A constTable is a package variable that holds a map of constants.
type constTable struct {
	p    *prove.Program
	fn   *prove.Function // where it is looked up in
	v    *types.Var
	file *prove.File // where it is declared
	decl *ast.GenDecl
	spec *ast.ValueSpec
	lit  *ast.CompositeLit
	set  *ast.AssignStmt // in init, in the same file, where the declaration has no value; nil where it has
	uses []use
	kept bool // a file that is not edited, such as a test, looks up in it too
}

// A use is m[k], or v, ok := m[k] if told.
type use struct {
	file *prove.File
	of   *ast.IndexExpr
	told bool
}

// tableOf reads the declaration of a package variable that is a map of constants; nil for others.
func tableOf(p *prove.Program, fn *prove.Function, x ast.Expr) *constTable {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := fn.Info().Uses[id].(*types.Var)
	if !ok || v.Pkg() != fn.Obj.Pkg() || code.Local(v) {
		return nil
	}
	b := &constTable{p: p, fn: fn, v: v}
	b.file, b.decl, b.spec = declaration(fn, v)
	if b.spec == nil || !b.made() {
		return nil
	}
	return b
}

// declaration returns where a variable of a function's package is declared, alone in its spec; nils for others.
func declaration(fn *prove.Function, v *types.Var) (*prove.File, *ast.GenDecl, *ast.ValueSpec) {
	f, gen, s := fn.File.Pkg.Declared(v)
	if spec, ok := s.(*ast.ValueSpec); ok && len(spec.Names) == 1 {
		return f, gen, spec
	}
	return nil, nil, nil
}

// made finds what is looked up in, by the declaration's value or the one statement of an init that gives it one. It
// reports false where that is no map of constants.
func (b *constTable) made() (ok bool) {
	info, isTable := b.fn.Info(), func(e ast.Expr) bool { return constantMap(b.fn.Info(), e, isFixed) }
	var value ast.Expr
	if len(b.spec.Values) == 1 {
		value = b.spec.Values[0]
	} else if f, set := prove.SetByInit(b.file.Pkg, b.v, isTable); set != nil && f == b.file {
		value, b.set = set.Rhs[0], set
	}
	b.lit, ok = value.(*ast.CompositeLit)
	return ok && constantMap(info, b.lit, isFixed)
}

// isFixed reports whether an expression is a constant, nil, or a declared function.
func isFixed(info *types.Info, e ast.Expr) bool {
	if tv := info.Types[e]; tv.Value != nil || tv.IsNil() {
		return true
	}
	var id *ast.Ident
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	}
	fn, ok := info.Uses[id].(*types.Func)
	return ok && fn.Signature().Recv() == nil && fn.Signature().TypeParams() == nil
}

func proposeSwitch(b *constTable) (*model.Change, *prove.Reason) {
	if why := b.written(); why != nil {
		return nil, why
	}
	if why := b.read(); why != nil {
		return nil, why
	}
	edits, name, why := b.edits()
	if why != nil {
		return nil, why
	}
	early := "the language makes a variable before those whose values need it, but for calls that it cannot see, through an interface"
	if b.set != nil {
		early = "an init makes it, and who asks before, in another init or in the value of a variable, would find nothing"
	}
	return b.p.Change(b.fn, edits, model.Change{
		Kind:  "map-to-switch",
		Title: fmt.Sprintf("%s: switch over the key in %s instead of the map %s", b.file.Pkg.Name, name, b.v.Name()),
		Obligations: []model.Obligation{
			{Text: "the answer is the same for each key", How: "proven", Why: "the map is made of constants or declared functions, of one entry for each key, and nothing in the package, tests included, does anything but to look up in it"},
			{Text: "it is not asked before it is made", How: "assumed", Why: early},
		},
	})
}

// written says why the declaration cannot be written as a switch.
func (b *constTable) written() *prove.Reason {
	typ, plain := b.lit.Type.(*ast.MapType)
	if why := prove.Editable(b.file); why != nil {
		return why
	}
	if b.v.Exported() && b.file.Pkg.Name != "main" {
		return prove.Refuse(b.v.Name() + " is exported: another package may change it")
	}
	if !plain || b.spec.Type != nil && b.set == nil {
		return prove.Refuse("its type is not written out where it is made")
	}
	key, ok := b.fn.Info().TypeOf(typ.Key).Underlying().(*types.Basic)
	if !ok || key.Info()&(types.IsInteger|types.IsString) == 0 {
		return prove.Refuse("its keys are neither integers nor strings")
	}
	if n := len(b.lit.Elts); n > maxCases {
		return prove.Refusef("%d cases are too many", n)
	}
	if b.file.Commented(b.lit) {
		return prove.Refuse("there are comments in it")
	}
	if b.set != nil && b.lines(b.set) != b.p.Source(b.file, b.set) {
		return prove.Refusef("something else stands on the lines that make it (%s)", b.p.Pos(b.set.Pos()))
	}
	if f := b.p.IgnoredMention(b.file.Pkg, b.v.Name()); f != "" {
		return prove.Refusef("%s, which is not built on this platform, refers to it", f)
	}
	if !code.Predeclared(b.fn.Obj.Pkg(), b.lit.Pos(), "bool", "true", "false") {
		return prove.Refuse("the package declares bool, true or false itself")
	}
	return nil
}

// read takes all uses in, and says which one does more than to look up.
func (b *constTable) read() (why *prove.Reason) {
	b.p.EachFile(b.file.Pkg, func(f *prove.File, info *types.Info) {
		for id := range code.All[*ast.Ident](f.Syntax) {
			if obj := info.Uses[id]; obj == nil || obj.Pos() != b.v.Pos() || why != nil || b.set != nil && b.set.Lhs[0] == ast.Expr(id) {
				continue
			}
			x, ok := f.Parent(id).(*ast.IndexExpr)
			switch {
			case !ok || x.X != id || f.AssignedTo(x):
				why = prove.Refusef("it is not only looked up in (%s)", b.p.Pos(id.Pos()))
			case ofBytes(info, x.Index):
				why = prove.Refusef("it is asked for bytes, and a map makes no string of these (%s)", b.p.Pos(id.Pos()))
			case prove.Editable(f) != nil:
				b.kept = true
			default:
				b.uses = append(b.uses, use{f, x, commaOK(f.Parent(x))})
			}
		}
	})
	if why == nil && len(b.uses) == 0 {
		return prove.Refuse("it is only looked up in where nothing is edited")
	}
	return why
}

// ofBytes reports whether a key is a conversion of bytes to a string, which costs nothing for a map.
func ofBytes(info *types.Info, key ast.Expr) bool {
	call, ok := ast.Unparen(key).(*ast.CallExpr)
	return ok && info.Types[call.Fun].IsType() && len(call.Args) == 1 && code.IsBytes(info.TypeOf(call.Args[0]))
}

// edits replaces the variable by a function, or two, and its uses by calls.
func (b *constTable) edits() (edits []model.Edit, name string, why *prove.Reason) {
	p, f := b.p, b.file
	anyTold := slices.ContainsFunc(b.uses, func(u use) bool { return u.told })
	anyPlain := slices.ContainsFunc(b.uses, func(u use) bool { return !u.told })
	name, has := b.v.Name()+"Of", b.v.Name()+"Has"
	param, result, ok := code.FirstFree(b.spec, "key", "k"), code.FirstFree(b.spec, "value", "v"), code.FirstFree(b.spec, "ok", "has")
	if !p.Free(f.Pkg, name, has) || param == "" || result == "" || ok == "" {
		return nil, "", prove.Refuse("no names are free for the function and what it returns")
	}
	typ := b.lit.Type.(*ast.MapType)
	key, value := p.Source(f, typ.Key), p.Source(f, typ.Value)
	cases, of := b.cases(value), ""
	if b.kept {
		of = " of " + b.v.Name()
	}
	var text strings.Builder
	if anyPlain {
		fmt.Fprintf(&text, "// %s returns what belongs to a key%s, the zero value for others.\nfunc %s(%s %s) (%s %s) {\n", name, of, name, param, key, result, value)
		if anyTold {
			fmt.Fprintf(&text, "\t%s, _ = %s(%s)\n", result, has, param)
		} else {
			fmt.Fprintf(&text, "\tswitch %s {\n%s\t}\n", param, strings.ReplaceAll(cases, ", true\n", "\n"))
		}
		fmt.Fprintf(&text, "\treturn %s\n}\n", result)
	}
	if anyTold {
		fmt.Fprintf(&text, "\n// %s returns what belongs to a key%s, and whether there is such a thing.\nfunc %s(%s %s) (%s %s, %s bool) {\n\tswitch %s {\n%s\t}\n\treturn %s, false\n}\n",
			has, of, has, param, key, result, value, ok, param, cases, result)
	}
	edits = append(b.unset(), b.declaration(strings.Trim(text.String(), "\n"))...)
	for _, u := range b.uses {
		call := name
		if u.told {
			call = has
		}
		edits = append(edits, p.Edit(u.file, p.Offset(u.of.X.Pos()), p.Offset(u.of.Lbrack)+1, call+"("),
			p.Edit(u.file, p.Offset(u.of.Rbrack), p.Offset(u.of.Rbrack)+1, ")"))
	}
	return edits, name, nil
}

// lines returns what stands on the lines of a node.
func (b *constTable) lines(n ast.Node) string {
	start, end := b.p.LineOf(b.file, n)
	return strings.TrimSpace(string(b.file.Src[start:end]))
}

// unset takes out the statement that makes the map, and the init that has no other.
func (b *constTable) unset() []model.Edit {
	if b.set == nil || b.kept {
		return nil
	}
	var gone ast.Node = b.set
	body := b.file.Parent(b.set).(*ast.BlockStmt)
	if init, ok := b.file.Parent(body).(*ast.FuncDecl); ok && len(body.List) == 1 && !b.file.Commented(body) && init.Doc == nil && b.lines(init) == b.p.Source(b.file, init) {
		gone = init
	}
	return []model.Edit{b.p.Drop(b.file, gone)}
}

// cases writes the entries, those with one value together.
func (b *constTable) cases(value string) string {
	p, f := b.p, b.file
	var order []string
	keys := map[string][]string{}
	for _, e := range b.lit.Elts {
		kv := e.(*ast.KeyValueExpr)
		text := p.Source(f, kv.Value)
		if lit, ok := kv.Value.(*ast.CompositeLit); ok && lit.Type == nil {
			text = value + text
		}
		if keys[text] == nil {
			order = append(order, text)
		}
		keys[text] = append(keys[text], p.Source(f, kv.Key))
	}
	var all strings.Builder
	for _, text := range order {
		fmt.Fprintf(&all, "\tcase %s:\n\t\treturn %s, true\n", wrapped(keys[text]), text)
	}
	return all.String()
}

// wrapped joins keys with commas, on as many lines as they need.
func wrapped(keys []string) string {
	var b strings.Builder
	width := 0
	for i, k := range keys {
		switch {
		case i == 0:
		case width+len(k) > 90:
			b.WriteString(",\n\t\t")
			width = 0
		default:
			b.WriteString(", ")
		}
		b.WriteString(k)
		width += len(k) + 2
	}
	return b.String()
}

// declaration puts text in the place of the variable: behind the declaration where that has others, or is kept.
func (b *constTable) declaration(text string) []model.Edit {
	p, f := b.p, b.file
	if b.kept {
		return []model.Edit{p.Insert(f, b.decl.End(), "\n\n"+text)}
	}
	if len(b.decl.Specs) == 1 {
		edits := []model.Edit{p.Put(f, b.decl.Pos(), b.decl.End(), text)}
		if b.decl.Doc != nil { // what is said of the variable stays in front
			edits[0].New = "//\n" + text
		}
		return edits
	}
	start, end := p.LineOf(f, b.spec)
	if b.spec.Doc != nil {
		start, _ = p.LineOf(f, b.spec.Doc)
	}
	return []model.Edit{p.Edit(f, start, end, ""), p.Insert(f, b.decl.End(), "\n\n"+text)}
}
