package marshalkeys

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// sorted reports whether the keys that the loop is over are in the order that
// encoding/json writes them in.
func (m *method) sorted() bool {
	x := ast.Unparen(m.loop.X)
	if call, ok := x.(*ast.CallExpr); ok {
		return code.IsFunc(m.p.TypesInfo, call, "slices", "Sorted")
	}
	if v := code.Var(m.p.TypesInfo, x); v != nil {
		if _, value := code.Origin(m.p.Index, m.p.TypesInfo, m.decl, v); value != nil {
			if call, ok := ast.Unparen(value).(*ast.CallExpr); ok && code.IsFunc(m.p.TypesInfo, call, "slices", "Sorted") {
				return true
			}
		}
		return m.sortedIn(m.decl.Body, v)
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok || !m.own(sel) {
		return false
	}
	field, ok := m.p.TypesInfo.ObjectOf(sel.Sel).(*types.Var)
	return ok && m.alwaysSorted(field)
}

// sortedIn reports whether a node sorts a variable or field by sort.Strings or
// slices.Sort.
func (m *method) sortedIn(n ast.Node, v *types.Var) bool {
	return code.Any(n, func(call *ast.CallExpr) bool {
		if len(call.Args) != 1 || !code.IsFunc(m.p.TypesInfo, call, "sort", "Strings") && !code.IsFunc(m.p.TypesInfo, call, "slices", "Sort") {
			return false
		}
		arg := ast.Unparen(call.Args[0])
		if sel, ok := arg.(*ast.SelectorExpr); ok {
			arg = sel.Sel
		}
		return code.Var(m.p.TypesInfo, arg) == v
	})
}

// alwaysSorted reports whether each function that gives the field a value
// sorts it, too. A type whose keys may also stand in the order in which they
// came is left alone.
func (m *method) alwaysSorted(field *types.Var) bool {
	written := false
	for _, cur := range m.p.Index.Uses(field) {
		fn, _ := code.Decl(m.p.TypesInfo, cur)
		switch kind := cur.ParentEdgeKind(); {
		case kind == edge.KeyValueExpr_Key:
			value := cur.Parent().Node().(*ast.KeyValueExpr).Value
			v := code.Var(m.p.TypesInfo, value)
			if fn == nil || v == nil || !m.sortedIn(fn, v) {
				return false
			}
			written = true
		case kind == edge.SelectorExpr_Sel && code.Writes(m.p.TypesInfo, cur.Parent()):
			if fn == nil || !m.sortedIn(fn, field) {
				return false
			}
			written = true
		}
	}
	return written && !m.positional(field)
}

// positional reports whether a struct with the field is built without naming
// its fields, which is not followed.
func (m *method) positional(field *types.Var) bool {
	if !m.p.Index.Whole() {
		return true
	}
	for cur := range m.p.Index.Inspect.Root().Preorder((*ast.CompositeLit)(nil)) {
		lit := cur.Node().(*ast.CompositeLit)
		st, ok := m.p.TypesInfo.TypeOf(lit).Underlying().(*types.Struct)
		if !ok || len(lit.Elts) == 0 {
			continue
		}
		if _, named := lit.Elts[0].(*ast.KeyValueExpr); named {
			continue
		}
		for f := range st.Fields() {
			if f == field {
				return true
			}
		}
	}
	return false
}

// drop returns the edits that delete the method, for a map type of the package
// whose method nothing else needs.
func (m *method) drop() []analysis.TextEdit {
	named, ok := types.Unalias(code.Pointee(m.recv.Type())).(*types.Named)
	if !ok || named.Obj().Exported() || named.TypeArgs().Len() > 0 {
		return nil
	}
	if _, isMap := named.Underlying().(*types.Map); !isMap || m.needed(named.Obj()) {
		return nil
	}
	pos, file := m.decl.Pos(), m.p.File(m.decl.Pos())
	if m.decl.Doc != nil {
		pos = m.decl.Doc.Pos()
	}
	edits := []analysis.TextEdit{{Pos: pos, End: m.lineAfter(m.decl.End())}}
	for _, imp := range file.Imports {
		path := strings.Trim(imp.Path.Value, "`\"")
		if imp.Name != nil && imp.Name.Name == "_" {
			continue
		}
		edits = append(edits, code.DropImport(m.p, file, path, m.decl)...)
	}
	return edits
}

// lineAfter returns the start of the line after the one that pos is on, and
// after blank ones.
func (m *method) lineAfter(pos token.Pos) token.Pos {
	tf := m.p.Fset.File(pos)
	for line := tf.Line(pos) + 1; line <= tf.LineCount(); line++ {
		start, end := tf.LineStart(line), token.Pos(tf.Base()+tf.Size())
		if line < tf.LineCount() {
			end = tf.LineStart(line + 1)
		}
		if strings.TrimSpace(m.p.Text(start, end)) != "" {
			return start
		}
	}
	return token.Pos(tf.Base() + tf.Size())
}

// needed reports whether something calls the method, asks for json.Marshaler,
// or embeds the type.
func (m *method) needed(typ *types.TypeName) bool {
	if f, ok := m.p.TypesInfo.Defs[m.decl.Name].(*types.Func); !ok || len(m.p.Index.Uses(f)) > 0 {
		return true
	}
	if marshaler := m.p.Index.Object("encoding/json", "Marshaler"); marshaler != nil && len(m.p.Index.Uses(marshaler)) > 0 {
		return true
	}
	for _, cur := range m.p.Index.Uses(typ) {
		if cur.ParentEdgeKind() == edge.StarExpr_X {
			cur = cur.Parent()
		}
		if f, ok := cur.Parent().Node().(*ast.Field); ok && len(f.Names) == 0 {
			if _, isStruct := cur.Parent().Parent().Parent().Node().(*ast.StructType); isStruct {
				return true
			}
		}
	}
	return false
}
