package indexmap

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// scan turns the map into a function of the same name that scans the slice
// from its end, so that the last of equal elements wins as it does in the map.
// All lookups have to want one value, or all two.
func (b *build) scan() []analysis.TextEdit {
	if b.looped || b.pairs != 0 && b.pairs != len(b.lookups) {
		return nil
	}
	list, first := b.p.Source(b.each.Over), ""
	if _, plain := ast.Unparen(b.each.Over).(*ast.Ident); !plain {
		name := code.FreeLocal(b.fn, "list")
		first, list = name+" := "+list+"\n", name
	}
	body, imports, ok := b.body(list)
	if !ok {
		return nil
	}
	text := first + fmt.Sprintf("%s := %s", b.m.Name(), body)
	edits := append(imports, b.p.Delete(b.def), analysis.TextEdit{Pos: b.loop.Pos(), End: b.loop.End(), NewText: []byte(text)})
	for _, at := range b.lookups {
		ix := at.Node().(*ast.IndexExpr)
		edits = append(edits,
			analysis.TextEdit{Pos: ix.Lbrack, End: ix.Lbrack + 1, NewText: []byte("(")},
			analysis.TextEdit{Pos: ix.Rbrack, End: ix.Rbrack + 1, NewText: []byte(")")})
	}
	return edits
}

// body returns the function literal that stands for the map.
func (b *build) body(list string) (text string, imports []analysis.TextEdit, ok bool) {
	key, i := other("key", list, "name"), other("i", list, "at")
	keyType := b.p.Source(b.mapType.Key)
	if b.set {
		if b.pairs > 0 || b.p.Source(b.mapType.Value) != "bool" || !b.p.AtLeast(b.loop.Pos(), "go1.21") {
			return "", nil, false
		}
		q, imports, ok := code.Import(b.p.TypesInfo, b.p.Pkg, b.p.File(b.loop.Pos()), b.loop.Pos(), "slices")
		return fmt.Sprintf("func(%s %s) bool { return %s.Contains(%s, %s) }", key, keyType, q, list, key), imports, ok
	}
	results, found, none := "int", i, "0"
	if b.pairs > 0 {
		results, found, none = "(int, bool)", i+", true", "0, false"
	}
	return fmt.Sprintf("func(%s %s) %s {\nfor %s := len(%s) - 1; %s >= 0; %s-- {\nif %s[%s] == %s {\nreturn %s\n}\n}\nreturn %s\n}",
		key, keyType, results, i, list, i, i, list, i, key, found, none), nil, true
}

// other returns a parameter's or variable's usual name, or another where the
// slice has that name. Names further out are not needed in the literal.
func other(usual, list, instead string) string {
	if usual == list {
		return instead
	}
	return usual
}
