package text

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

// joins reports whether a target's reason, where it has one, may be a conversion that is a part of a concatenation.
func joins(t model.Target) bool { return converts(t) || t.Reason.Kind == model.ReasonConcat }

// joiningOf reads a concatenation with strings that are made of bytes only to be copied into it; nil where it is another, or
// where the text goes to what needs none. Where a constant that is not empty is a part, the compiler makes no string of bytes.
func joiningOf(p *prove.Program, fn *prove.Function, e *ast.BinaryExpr) *formatWriter {
	info := fn.Info()
	if e.Op != token.ADD || !types.Identical(info.TypeOf(e), types.Typ[types.String]) {
		return nil
	}
	switch up := fn.File.Parent(e).(type) {
	case *ast.BinaryExpr:
		return nil // a part of a longer one, or compare-parts has it
	case *ast.CallExpr:
		if formatSiteOf(fn, up) != nil {
			return nil // append-format has it
		}
	}
	w := &formatWriter{p: p, formatSite: &formatSite{fn: fn, kind: toText, text: e}, names: map[ast.Expr]string{}}
	made := false
	for _, part := range prove.Summands(info, e) {
		if text, ok := code.String(info, part); ok && text != "" {
			return nil
		} else if ok {
			continue
		}
		_, data := code.Converted(info, part)
		made = made || data != nil
		if data == nil {
			data = part
		}
		// Its length is asked first.
		w.pieces = append(w.pieces, formatPiece{operands: []ast.Expr{data}, bytes: code.IsBytes(info.TypeOf(data)), variable: true})
	}
	if !made || len(w.pieces) < 2 {
		return nil
	}
	return w
}

func proposeJoining(w *formatWriter) (*model.Change, *prove.Reason) {
	if why := w.editable(); why != nil {
		return nil, why
	}
	for _, f := range w.pieces {
		if !w.calm(f.operands[0]) {
			return nil, prove.Refuse(types.ExprString(f.operands[0]) + " may change the bytes")
		}
	}
	if w.stmt = w.leads(); w.stmt == nil {
		return nil, prove.Refuse("something else in the statement comes before it, or nothing can stand before the statement")
	}
	if why := w.hoist(); why != nil {
		return nil, why
	}
	w.at = w.text
	obligations := []model.Obligation{
		{Text: "the same bytes are joined", How: "proven", Why: "each part is copied where it stands, and nothing that is evaluated meanwhile writes bytes"},
		{Text: "nothing else in the statement is evaluated at another time", How: "proven", Why: "what is before the text in it are constants, names and variables of the function alone"},
	}
	if why := w.joined(); why != nil {
		return nil, why
	}
	c, why := w.change("conversion", "join "+prove.Short(types.ExprString(w.text))+" without strings in between")
	if c != nil {
		c.Obligations = obligations
	}
	return c, why
}

// joined writes the parts into a strings.Builder with room for all. What is only looked up in a map is put
// together on the stack, as the map needs no string.
func (w *formatWriter) joined() *prove.Reason {
	f, pkg := w.fn.File, w.fn.Obj.Pkg()
	b, lines := w.free("joined"), w.lead()
	if x, ok := f.Parent(w.text).(*ast.IndexExpr); ok && x.Index == w.text && !f.AssignedTo(x) {
		if !code.Predeclared(pkg, w.text.Pos(), "string", "byte", "make", "append") {
			return prove.Refuse("string, byte, make or append means something else there")
		}
		lines = append(lines, fmt.Sprintf("%s := make([]byte, 0, %d)", b, commonRoom))
		for _, f := range w.pieces {
			lines = append(lines, fmt.Sprintf("%s = append(%[1]s, %s...)", b, w.operand(f.operands[0])))
		}
		w.first, w.out = strings.Join(lines, "\n")+"\n", "string("+b+")"
		return nil
	}
	name := w.p.Qualifier(f, w.text.Pos(), "strings")
	if name == "" || !code.Predeclared(pkg, w.text.Pos(), "len") {
		return prove.Refuse("the name strings or len means something else there")
	}
	var sizes, writes []string
	for _, f := range w.pieces {
		part, write := w.operand(f.operands[0]), "WriteString"
		if f.bytes {
			write = "Write"
		}
		sizes = append(sizes, "len("+part+")")
		writes = append(writes, fmt.Sprintf("%s.%s(%s)", b, write, part))
	}
	lines = append(lines, fmt.Sprintf("var %s %s.Builder", b, name), fmt.Sprintf("%s.Grow(%s)", b, strings.Join(sizes, " + ")))
	w.paths = []string{"strings"}
	w.first, w.out = strings.Join(slices.Concat(lines, writes), "\n")+"\n", b+".String()"
	return nil
}
