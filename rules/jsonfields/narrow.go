package jsonfields

import (
	"cmp"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// narrow gives the variable a type of the fields that are read, where it is
// declared as var v T. The types of the fields must be sayable in this file.
func (d *document) narrow(st *types.Struct) []analysis.TextEdit {
	spec := d.spec()
	if spec == nil {
		return nil
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	for i := range st.NumFields() {
		f, tag := st.Field(i), st.Tag(i)
		if f.Embedded() || strings.Contains(tag, "`") {
			return nil
		}
		if !slices.Contains(d.read, f.Name()) {
			if d.near(st, i) {
				return nil
			}
			continue
		}
		typ, ok := code.TypeText(d.p, f.Type(), spec.Pos())
		if !ok {
			return nil
		}
		b.WriteString(f.Name() + " " + typ)
		if tag != "" {
			b.WriteString(" `" + tag + "`")
		}
		b.WriteString("\n")
	}
	b.WriteString("}")
	edits := []analysis.TextEdit{{Pos: spec.Type.Pos(), End: spec.Type.End(), NewText: []byte(b.String())}}
	return append(edits, d.imports(spec, b.String())...)
}

// spec returns the declaration var v T, without a value.
func (d *document) spec() *ast.ValueSpec {
	for cur := range d.fn.Preorder((*ast.ValueSpec)(nil)) {
		s := cur.Node().(*ast.ValueSpec)
		if len(s.Names) == 1 && len(s.Values) == 0 && s.Type != nil && d.p.TypesInfo.Defs[s.Names[0]] == d.v {
			return s
		}
	}
	return nil
}

// near reports whether the member of an unread field would, for want of its
// own, be decoded into a field that is read: their names differ in case only.
func (d *document) near(st *types.Struct, unread int) bool {
	name := member(st, unread)
	for i := range st.NumFields() {
		if slices.Contains(d.read, st.Field(i).Name()) && strings.EqualFold(member(st, i), name) {
			return true
		}
	}
	return false
}

func member(st *types.Struct, i int) string {
	name, _, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("json"), ",")
	return cmp.Or(name, st.Field(i).Name())
}

// imports removes the import of the package whose type was named, if that was
// its last use.
func (d *document) imports(spec *ast.ValueSpec, text string) []analysis.TextEdit {
	var edits []analysis.TextEdit
	file := d.p.File(spec.Pos())
	for id := range code.All[*ast.Ident](spec.Type) {
		pkg, ok := d.p.TypesInfo.Uses[id].(*types.PkgName)
		if !ok || strings.Contains(text, id.Name+".") {
			continue
		}
		if imp, unused := code.Unused(d.p.TypesInfo, file, pkg.Imported().Path(), spec.Type); unused && len(edits) == 0 {
			edits = append(edits, code.DeleteImport(d.p.Fset, file, imp)...)
		}
	}
	return edits
}
