package propose

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

func (c conversion) propose(p *Program, v converting) (*model.Change, string) {
	f := v.fn.file
	if why := editable(f); why != "" {
		return nil, why
	}
	for _, g := range f.syntax.Comments {
		if within(v.call, g) {
			return nil, "there is a comment within the call"
		}
	}
	switch f.parent(v.call).(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return nil, "the call is made later, when the value may have changed"
	}
	edits, obligations, why := v.edits(p)
	if why != "" {
		return nil, why
	}
	edits, err := p.settle(edits)
	if err != nil {
		return nil, err.Error()
	}
	return &model.Change{
		ID: changeID(c.Name(), v.fn.obj.FullName(), edits), Kind: c.Name(), Class: "B",
		Title: fmt.Sprintf("%s: %s in %s", f.pkg.Name, v.does(), v.fn.obj.Name()),
		Edits: edits, Obligations: obligations,
	}, ""
}

// does says what the change does, for its title.
func (v converting) does() string {
	if v.target != nil && v.sprint() != nil {
		return "let fmt write the text itself"
	}
	kind := "[]byte"
	if v.toText {
		kind = "string"
	}
	return fmt.Sprintf("pass %s as the %s that it is", short(types.ExprString(v.conv.Args[0])), kind)
}

// edits works out the new call.
func (v converting) edits(p *Program) ([]model.Edit, []model.Obligation, string) {
	switch {
	case v.target == nil:
		return []model.Edit{v.pass(p, v.conv)}, []model.Obligation{
			{Text: "the same bytes are appended", How: "proven", Why: "append takes a string as well as a []byte, and copes with an overlap"}}, ""
	case v.sprint() != nil:
		return v.printing(p)
	case v.writer():
		return v.writing(p)
	}
	return v.asking(p)
}

// pass replaces an argument by what it converts.
func (v converting) pass(p *Program, arg ast.Expr) model.Edit {
	conv := ast.Unparen(arg).(*ast.CallExpr)
	text := p.source(v.fn.file, conv.Args[0])
	t := v.fn.info().TypeOf(conv.Args[0])
	if v.target != nil && isString(t) && !types.Identical(types.Default(t), types.Typ[types.String]) {
		text = "string(" + text + ")"
	}
	return p.edit(v.fn.file, p.offset(arg.Pos()), p.offset(arg.End()), text)
}

// printing lets fmt write.
func (v converting) printing(p *Program) ([]model.Edit, []model.Obligation, string) {
	f, call := v.fn.file, v.sprint()
	write := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	print := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	args := string(f.src[p.offset(call.Lparen)+1 : p.offset(call.Rparen)])
	text := fmt.Sprintf("%s.%s(%s, %s)", p.source(f, print.X), appendfTwins[fullName(v.fn, call)].write, p.source(f, write.X), args)
	return []model.Edit{p.edit(f, p.offset(v.call.Pos()), p.offset(v.call.End()), text)}, []model.Obligation{
		{Text: "the same bytes arrive by one Write", How: "assumed", Why: "package fmt: Fprint functions format as Sprint functions do and write to w once"},
		{Text: "the slice is not kept", How: "assumed", Why: "io.Writer: Write must not retain p"},
	}, ""
}

// writing calls WriteString for Write, or Write for WriteString.
func (v converting) writing(p *Program) ([]model.Edit, []model.Obligation, string) {
	f := v.fn.file
	sel, ok := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil, "the call is not written as a selector"
	}
	if v.target.FullName() == "io.WriteString" {
		imports, ok := p.reimport(f, v.call.Pos(), nil, "io", v.call.Fun)
		if !ok || !plainPath(v.call.Args[0]) {
			return nil, nil, "the writer is not a plain variable or field"
		}
		if !isWriter(v.fn.info().TypeOf(v.call.Args[0])) {
			return nil, nil, "the writer has no Write of its own"
		}
		text := fmt.Sprintf("%s.Write(%s)", p.source(f, v.call.Args[0]), p.source(f, v.conv.Args[0]))
		return append(imports, p.edit(f, p.offset(v.call.Pos()), p.offset(v.call.End()), text)), v.writes(false), v.shared()
	}
	if v.toText && types.IsInterface(v.receiver()) {
		if at := v.callsBack(p); at != "" {
			return nil, nil, at + " calls " + v.fn.obj.Name() + ": the writer may be of that type, and neither would ever return"
		}
		if t := p.writesApart(v.receiver(), v.fn.obj.Pkg()); t != "" {
			return nil, nil, "the writer may be a " + t + ", which has a Write of its own, but the WriteString of what it embeds"
		}
	}
	if v.toText && types.IsInterface(v.receiver()) && !hasWriteString(v.receiver()) {
		io := p.qualifier(f, v.call.Pos(), "io")
		imports, ok := p.reimport(f, v.call.Pos(), []string{"io"}, "")
		if io == "" || !ok {
			return nil, nil, "package io cannot be imported in " + f.name
		}
		text := p.source(f, v.conv.Args[0])
		if t := v.fn.info().TypeOf(v.conv.Args[0]); !types.Identical(types.Default(t), types.Typ[types.String]) {
			text = "string(" + text + ")"
		}
		text = fmt.Sprintf("%s.WriteString(%s, %s)", io, p.source(f, sel.X), text)
		return append(imports, p.edit(f, p.offset(v.call.Pos()), p.offset(v.call.End()), text)), v.writes(true), ""
	}
	name := "Write"
	if v.toText {
		name = "WriteString"
	}
	return []model.Edit{p.edit(f, p.offset(sel.Sel.Pos()), p.offset(sel.Sel.End()), name), v.pass(p, v.call.Args[v.index])}, v.writes(v.toText), v.shared()
}

// callsBack names a WriteString method of the module that leads to the function
// around the call, which may be given the very value that the method is called
// on; "" if there is none. A field is taken to hold another writer.
func (v converting) callsBack(p *Program) string {
	sel, _ := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	if _, field := ast.Unparen(sel.X).(*ast.SelectorExpr); field {
		return ""
	}
	var found []string
	for _, fn := range p.funcs {
		if fn.obj.Name() != "WriteString" || fn.decl.Recv == nil || signatureOf(fn.obj.Signature()) != "(string) (int, error)" {
			continue
		}
		if back, _ := p.reaches(p.edgesOf(fn), v.fn.obj.FullName()); back {
			found = append(found, callName(fn.obj))
		}
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
}

// writesApart names a type of the module that has the methods of an interface,
// of which Write is its own and WriteString is promoted: that goes past what
// Write does, such as counting. It returns "" if there is none that code of a
// package could be given.
func (p *Program) writesApart(t types.Type, in *types.Package) string {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return ""
	}
	var found []string
	for _, k := range p.pkgs {
		if !imports(k.Types, in, map[*types.Package]bool{}) && !imports(in, k.Types, map[*types.Package]bool{}) {
			continue
		}
		for _, obj := range k.TypesInfo.Defs {
			name, ok := obj.(*types.TypeName)
			if !ok || types.IsInterface(name.Type()) || !types.Implements(types.NewPointer(name.Type()), iface) {
				continue
			}
			_, write, _ := types.LookupFieldOrMethod(name.Type(), true, name.Pkg(), "Write")
			text, promoted, _ := types.LookupFieldOrMethod(name.Type(), true, name.Pkg(), "WriteString")
			if fn, ok := text.(*types.Func); ok && len(promoted) > len(write) && signatureOf(fn.Signature()) == "(string) (int, error)" {
				found = append(found, name.Name())
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}

// imports reports whether a package is another one or imports it, be it by way
// of others.
func imports(k, other *types.Package, seen map[*types.Package]bool) bool {
	if k.Path() == other.Path() {
		return true
	}
	if seen[k] {
		return false
	}
	seen[k] = true
	return slices.ContainsFunc(k.Imports(), func(i *types.Package) bool { return imports(i, other, seen) })
}

func hasWriteString(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "WriteString")
	return obj != nil
}

func (v converting) writes(toText bool) []model.Obligation {
	if toText {
		return []model.Obligation{{Text: "the same bytes are written", How: "assumed", Why: "io.StringWriter: WriteString writes the contents of the string"}}
	}
	return []model.Obligation{
		{Text: "the same bytes are written", How: "assumed", Why: "io.StringWriter: WriteString writes what Write would"},
		{Text: "the slice is neither kept nor changed", How: "assumed", Why: "io.Writer: Write must not retain or modify p; bytes.Buffer: a part of it may only be used until the next write"},
	}
}

// shared says how a slice may be a part of the bytes.Buffer that it is written
// to, which a copy hides.
func (v converting) shared() string {
	if v.toText {
		return ""
	}
	why := ""
	ast.Inspect(v.fn.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || why != "" {
			return why == ""
		}
		switch name := fullName(v.fn, call); name {
		case "(*bytes.Buffer).Bytes", "(*bytes.Buffer).Next", "(*bytes.Buffer).AvailableBuffer", "(*bufio.Writer).AvailableBuffer":
			why = "the function takes slices of a buffer, which may be the one that is written to"
		}
		return why == ""
	})
	return why
}

// asking calls the twin of a function that answers a question.
func (v converting) asking(p *Program) ([]model.Edit, []model.Obligation, string) {
	f, name := v.fn.file, v.twin()
	sel, ok := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil, "the call is not written as a selector"
	}
	var edits []model.Edit
	for i, a := range v.call.Args {
		if !v.swapped(i) {
			continue
		}
		conv, toText := conversionIn(v.fn.info(), a)
		switch {
		case conv != nil && toText == v.toText:
			edits = append(edits, v.pass(p, a))
		case v.fn.info().Types[a].Value != nil:
			edits = append(edits, p.edit(f, p.offset(a.Pos()), p.offset(a.End()), "[]byte("+p.source(f, a)+")"))
		default:
			return nil, nil, fmt.Sprintf("%s would have to be converted instead", types.ExprString(a))
		}
	}
	at := sel.Sel
	fun := p.edit(f, p.offset(at.Pos()), p.offset(at.End()), name)
	if path := v.target.Pkg().Path(); v.target.Signature().Recv() == nil && (path == "bytes" || path == "strings") {
		other := map[string]string{"bytes": "strings", "strings": "bytes"}[path]
		q := p.qualifier(f, v.call.Pos(), other)
		imports, ok := p.reimport(f, v.call.Pos(), []string{other}, path, v.call.Fun)
		if q == "" || !ok {
			return nil, nil, "package " + other + " cannot be imported in " + f.name
		}
		edits = append(edits, imports...)
		fun = p.edit(f, p.offset(sel.Pos()), p.offset(sel.End()), q+"."+name)
	}
	return append(edits, fun), []model.Obligation{
		{Text: "the twin gives the same answer", How: "assumed", Why: "package " + strconv.Quote(v.target.Pkg().Path()) + ": " + name + " is " + v.target.Name() + " for the other type"},
		{Text: "nothing of the argument is kept or changed", How: "assumed", Why: "the function returns numbers and answers only"},
	}, ""
}

// swapped reports whether the twin takes the other type for argument i.
func (v converting) swapped(i int) bool {
	t := v.target.Signature().Params().At(min(i, v.target.Signature().Params().Len()-1)).Type()
	switch {
	case v.toText:
		return isBytes(t)
	case v.target.Pkg().Path() == "strings":
		return isString(t)
	}
	return i == v.index
}
