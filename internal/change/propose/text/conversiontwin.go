package text

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

func proposeConversion(p *prove.Program, v converting) (*model.Change, *prove.Reason) {
	f := v.fn.File
	if f.Commented(v.call) {
		return nil, prove.Refuse("there is a comment within the call")
	}
	if f.Later(v.call) {
		return nil, prove.Refuse("the call is made later, when the value may have changed")
	}
	edits, obligations, why := v.edits(p)
	if why != nil {
		return nil, why
	}
	return p.Change(v.fn, edits, model.Change{
		Kind:        "conversion",
		Title:       fmt.Sprintf("%s: %s in %s", f.Pkg.Name, v.does(), v.fn.Obj.Name()),
		Obligations: obligations,
	})
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
	return fmt.Sprintf("pass %s as the %s that it is", prove.Short(types.ExprString(v.conv.Args[0])), kind)
}

// edits works out the new call.
func (v converting) edits(p *prove.Program) ([]model.Edit, []model.Obligation, *prove.Reason) {
	switch {
	case v.target == nil:
		return []model.Edit{v.pass(p, v.conv)}, []model.Obligation{
			{Text: "the same bytes are appended", How: "proven", Why: "append takes a string as well as a []byte, and copes with an overlap"}}, nil
	case v.sprint() != nil:
		return v.printing(p)
	case v.writer():
		return v.writing(p)
	}
	return v.asking(p)
}

// pass replaces an argument by what it converts.
func (v converting) pass(p *prove.Program, arg ast.Expr) model.Edit {
	conv := ast.Unparen(arg).(*ast.CallExpr)
	text := p.Source(v.fn.File, conv.Args[0])
	t := v.fn.Info().TypeOf(conv.Args[0])
	if v.target != nil && code.IsString(t) && !types.Identical(types.Default(t), types.Typ[types.String]) {
		text = "string(" + text + ")"
	}
	return p.Put(v.fn.File, arg.Pos(), arg.End(), text)
}

// printing lets fmt write.
func (v converting) printing(p *prove.Program) ([]model.Edit, []model.Obligation, *prove.Reason) {
	f, call := v.fn.File, v.sprint()
	write := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	print := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	args := string(f.Src[p.Offset(call.Lparen)+1 : p.Offset(call.Rparen)])
	text := fmt.Sprintf("%s.%s(%s, %s)", p.Source(f, print.X), appendfTwins[fullName(v.fn, call)].write, p.Source(f, write.X), args)
	return []model.Edit{p.Put(f, v.call.Pos(), v.call.End(), text)}, []model.Obligation{
		{Text: "the same bytes arrive by one Write", How: "assumed", Why: "package fmt: Fprint functions format as Sprint functions do and write to w once"},
		{Text: "the slice is not kept", How: "assumed", Why: "io.Writer: Write must not retain p"},
	}, nil
}

// writing calls WriteString for Write, or Write for WriteString.
func (v converting) writing(p *prove.Program) ([]model.Edit, []model.Obligation, *prove.Reason) {
	f := v.fn.File
	sel, ok := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil, prove.Refuse("the call is not written as a selector")
	}
	if v.target.FullName() == "io.WriteString" {
		imports, ok := p.Reimport(f, v.call.Pos(), nil, "io", v.call.Fun)
		if !ok || !plainPath(v.call.Args[0]) {
			return nil, nil, prove.Refuse("the writer is not a plain variable or field")
		}
		if !isWriter(v.fn.Info().TypeOf(v.call.Args[0])) {
			return nil, nil, prove.Refuse("the writer has no Write of its own")
		}
		text := fmt.Sprintf("%s.Write(%s)", p.Source(f, v.call.Args[0]), p.Source(f, v.conv.Args[0]))
		return append(imports, p.Put(f, v.call.Pos(), v.call.End(), text)), v.writes(false), v.shared()
	}
	if v.toText && types.IsInterface(v.receiver()) {
		if at := v.callsBack(p); at != "" {
			return nil, nil, prove.Refuse(at + " calls " + v.fn.Obj.Name() + ": the writer may be of that type, and neither would ever return")
		}
		if t := writesApart(p, v.receiver(), v.fn.Obj.Pkg()); t != "" {
			return nil, nil, prove.Refuse("the writer may be a " + t + ", which has a Write of its own, but the WriteString of what it embeds")
		}
	}
	if v.toText && types.IsInterface(v.receiver()) && !hasWriteString(v.receiver()) {
		io := p.Qualifier(f, v.call.Pos(), "io")
		imports, ok := p.Reimport(f, v.call.Pos(), []string{"io"}, "")
		if io == "" || !ok {
			return nil, nil, prove.Refuse("package io cannot be imported in " + f.Name)
		}
		text := p.Source(f, v.conv.Args[0])
		if t := v.fn.Info().TypeOf(v.conv.Args[0]); !types.Identical(types.Default(t), types.Typ[types.String]) {
			text = "string(" + text + ")"
		}
		text = fmt.Sprintf("%s.WriteString(%s, %s)", io, p.Source(f, sel.X), text)
		return append(imports, p.Put(f, v.call.Pos(), v.call.End(), text)), v.writes(true), nil
	}
	name := "Write"
	if v.toText {
		name = "WriteString"
	}
	return []model.Edit{p.Put(f, sel.Sel.Pos(), sel.Sel.End(), name), v.pass(p, v.call.Args[v.index])}, v.writes(v.toText), v.shared()
}

// callsBack names a WriteString method of the module that leads to the function
// around the call, which may be given the very value that the method is called
// on; "" if there is none. A field is taken to hold another writer.
func (v converting) callsBack(p *prove.Program) string {
	sel, _ := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	if _, field := ast.Unparen(sel.X).(*ast.SelectorExpr); field {
		return ""
	}
	var found []string
	for _, fn := range p.Funcs {
		if fn.Obj.Name() != "WriteString" || fn.Decl.Recv == nil || code.SignatureOf(fn.Obj.Signature()) != "(string) (int, error)" {
			continue
		}
		if back, _ := p.Reaches(p.EdgesOf(fn), v.fn.Obj.FullName()); back {
			found = append(found, code.CallName(fn.Obj))
		}
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
}

// writesApart names a type of the module that has the methods of an interface.
// Its Write is its own and WriteString is promoted: that goes past what
// Write does, such as counting. It returns "" if there is none that code of a
// package could be given.
func writesApart(p *prove.Program, t types.Type, in *types.Package) string {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return ""
	}
	var found []string
	for _, k := range p.Packages {
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
			if fn, ok := text.(*types.Func); ok && len(promoted) > len(write) && code.SignatureOf(fn.Signature()) == "(string) (int, error)" {
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
func (v converting) shared() *prove.Reason {
	if v.toText {
		return nil
	}
	for call := range code.All[*ast.CallExpr](v.fn.Decl.Body) {
		switch name := fullName(v.fn, call); name {
		case "(*bytes.Buffer).Bytes", "(*bytes.Buffer).Next", "(*bytes.Buffer).AvailableBuffer", "(*bufio.Writer).AvailableBuffer":
			return prove.Refuse("the function takes slices of a buffer, which may be the one that is written to")
		}
	}
	return nil
}

// asking calls the twin of a function that answers a question.
func (v converting) asking(p *prove.Program) ([]model.Edit, []model.Obligation, *prove.Reason) {
	f, name := v.fn.File, v.twin()
	sel, ok := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil, prove.Refuse("the call is not written as a selector")
	}
	var edits []model.Edit
	for i, a := range v.call.Args {
		if !v.swapped(i) {
			continue
		}
		text, data := code.Converted(v.fn.Info(), a)
		switch {
		case v.toText && text != nil || !v.toText && data != nil:
			edits = append(edits, v.pass(p, a))
		case v.fn.Info().Types[a].Value != nil:
			edits = append(edits, p.Put(f, a.Pos(), a.End(), "[]byte("+p.Source(f, a)+")"))
		default:
			return nil, nil, prove.Refusef("%s would have to be converted instead", types.ExprString(a))
		}
	}
	at := sel.Sel
	fun := p.Put(f, at.Pos(), at.End(), name)
	if path := v.target.Pkg().Path(); v.target.Signature().Recv() == nil && (path == "bytes" || path == "strings") {
		other := map[string]string{"bytes": "strings", "strings": "bytes"}[path]
		q := p.Qualifier(f, v.call.Pos(), other)
		imports, ok := p.Reimport(f, v.call.Pos(), []string{other}, path, v.call.Fun)
		if q == "" || !ok {
			return nil, nil, prove.Refuse("package " + other + " cannot be imported in " + f.Name)
		}
		edits = append(edits, imports...)
		fun = p.Put(f, sel.Pos(), sel.End(), q+"."+name)
	}
	if v.trimmed() {
		return v.part(p, append(edits, fun))
	}
	if name == "NewReader" {
		if at := v.readersTold(p); at != "" {
			return nil, nil, prove.Refusef("%s tells readers apart by their type", at)
		}
		return append(edits, fun), []model.Obligation{{Text: "the same bytes are read", How: "assumed",
			Why: "packages bytes and strings: both Readers have the same methods, and what takes the reader asks for an interface"}}, nil
	}
	return append(edits, fun), []model.Obligation{
		{Text: "the twin gives the same answer", How: "assumed", Why: "package " + strconv.Quote(v.target.Pkg().Path()) + ": " + name + " is " + v.target.Name() + " for the other type"},
		{Text: "nothing of the argument is kept or changed", How: "assumed", Why: "the function returns numbers and answers only"},
	}, nil
}

// readersTold returns the first place that asks whether a reader is one of package bytes or strings, in what the call that gets
// the reader may lead to; "" if there is none.
func (v converting) readersTold(p *prove.Program) string {
	given, _ := v.fn.File.Parent(v.call).(*ast.CallExpr)
	by := code.Callee(v.fn.Info(), given)
	for _, k := range p.Packages {
		if by != nil && !code.IsInterfaceMethod(by) && (by.Pkg() == nil || !imports(by.Pkg(), k.Types, map[*types.Package]bool{})) {
			continue
		}
		is := func(t ast.Expr) bool {
			name := ""
			if t != nil && k.TypesInfo.Types[t].IsType() {
				name = typeName(k.TypesInfo.TypeOf(t))
			}
			return name == "bytes.Reader" || name == "strings.Reader"
		}
		for _, f := range k.Files {
			for n := range code.All[ast.Node](f.Syntax) {
				assert, _ := n.(*ast.TypeAssertExpr)
				clause, _ := n.(*ast.CaseClause)
				if assert != nil && is(assert.Type) || clause != nil && slices.ContainsFunc(clause.List, is) {
					return p.Pos(n.Pos()).String()
				}
			}
		}
	}
	return ""
}

// part makes a string of what the twin leaves.
func (v converting) part(p *prove.Program, edits []model.Edit) ([]model.Edit, []model.Obligation, *prove.Reason) {
	f := v.fn.File
	if !code.Predeclared(v.fn.Obj.Pkg(), v.call.Pos(), "string", "byte") {
		return nil, nil, prove.Refuse("string or byte means something else there")
	}
	if calls := code.Any(v.call, func(c *ast.CallExpr) bool {
		return c != v.call && c != v.conv && !code.Within(v.conv, c) && !v.fn.Info().Types[c.Fun].IsType()
	}); calls {
		return nil, nil, prove.Refuse("another argument is a call, which may change the bytes")
	}
	return append(edits, p.Insert(f, v.call.Pos(), "string("), p.Insert(f, v.call.End(), ")")), []model.Obligation{
		{Text: "the same part is left", How: "assumed", Why: "packages bytes and strings: " + v.target.Name() + " is the same for both types, and returns a part of its argument"},
		{Text: "the bytes are the same when the part is copied", How: "proven", Why: "nothing is called in between"},
	}, nil
}

// swapped reports whether the twin takes the other type for argument i.
func (v converting) swapped(i int) bool {
	t := v.target.Signature().Params().At(min(i, v.target.Signature().Params().Len()-1)).Type()
	switch {
	case v.toText:
		return code.IsBytes(t)
	case v.trimmed() && v.target.Signature().Params().At(i).Name() == "cutset":
		return false
	case v.target.Pkg().Path() == "strings":
		return code.IsString(t)
	}
	return i == v.index
}
