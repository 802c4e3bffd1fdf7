package storage

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

// TextSlab takes the short texts that a method makes one by one from larger ones.
var TextSlab = prove.Transformation{
	Name:     "text-slab",
	Doc:      "A short string that a method of a parser or the like makes of bytes, again and again, is a part of a larger one that makes several.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "text-slab", "BenchmarkParse", "allocs", "one allocation for some twenty words", 0),
	// It looks at the conversions on the target's line, and at calls of a bytes.Buffer's String.
	Propose: prove.At(prove.Unless(fewTexts, prove.Near), func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if t := textOf(s.Program, s.Fn, call); t != nil {
				ch, why := t.propose()
				s.Add(prove.Short(types.ExprString(call))+" is made again and again", ch, why)
			}
		}
	}),
}

// A text of a slab has at most shortText bytes, a slab mostText; what is left of the last one is an eighth of what an
// operation makes, at most. Measured with texts of 3 to 20 bytes: 0.7 of the time for a thousand, 1.3 times for three, twice for one.
const shortText, mostText = 64, 256

// fewTexts reports whether too few texts are made, or too long ones.
func fewTexts(t model.Target) bool {
	return t.Bytes > 0 && (t.Bytes < 8*mostText || t.Bytes > shortText*t.PerOp) ||
		!prove.OnHeap(t, model.Pos{}, func(n model.Note) bool { return strings.HasPrefix(n.Message, "string(") })
}

// A madeText is string(b), or the text of a bytes.Buffer, in a method.
type madeText struct {
	p    *prove.Program
	m    *prove.Method
	call *ast.CallExpr
	data ast.Expr // the bytes, or the buffer
}

// textOf reads a call that makes a text; nil where the compiler needs no copy.
func textOf(p *prove.Program, fn *prove.Function, call *ast.CallExpr) *madeText {
	info := fn.Info()
	t := &madeText{p: p, call: call}
	if _, t.data = code.Converted(info, call); t.data == nil || !code.IsBytes(info.TypeOf(t.data)) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "String" || len(call.Args) > 0 || !code.IsNamed(info.TypeOf(sel.X), "bytes", "Buffer") {
			return nil
		}
		if _, pointer := info.TypeOf(sel.X).Underlying().(*types.Pointer); pointer {
			return nil // it may be nil, whose text is "<nil>"
		}
		t.data = sel.X
	}
	if onlyRead(info, fn.File, call) {
		return nil
	}
	m, why := p.MethodOf(fn)
	if why != nil {
		return nil
	}
	t.m = m
	return t
}

// onlyRead reports whether a text is compared, joined, ranged over or looked up with at once.
func onlyRead(info *types.Info, f *prove.File, e ast.Expr) bool {
	switch up := f.Parent(e).(type) {
	case *ast.BinaryExpr, *ast.SwitchStmt, *ast.RangeStmt, *ast.CaseClause:
		return true
	case *ast.IndexExpr:
		set, ok := f.Parent(up).(*ast.AssignStmt)
		return !ok || set.Tok != token.ASSIGN || !slices.Contains(set.Lhs, ast.Expr(up))
	case *ast.ParenExpr:
		return onlyRead(info, f, up)
	}
	return false
}

func (t *madeText) propose() (*model.Change, *prove.Reason) {
	p, m, f := t.p, t.m, t.m.File
	struc := m.Named.Obj().Name()
	switch {
	case !p.GoAtLeast(f, "go1.12"):
		return nil, prove.Refuse("a strings.Builder tells its capacity from Go 1.12 on")
	case !code.Predeclared(m.Obj.Pkg(), t.call.Pos(), "string", "len", "new"):
		return nil, prove.Refuse("string, len or new means something else there")
	}
	if why := receiverAt(p, m, t.call); why != nil {
		return nil, why
	}
	others, why := held(p, m, t.call, "both would write to the same text")
	if why != nil {
		return nil, why
	}
	edits, why := t.edits()
	if why != nil {
		return nil, why
	}
	return p.Change(m.Function, edits, model.Change{
		Kind:  "text-slab",
		Title: fmt.Sprintf("%s: make %s's short texts in %s several at a time", f.Pkg.Name, m.Obj.Name(), struc),
		Obligations: append([]model.Obligation{
			{Text: "each text is what it was, and stays so", How: "proven", Why: "it is the end of what a strings.Builder holds, which writes behind it later and never moves"},
			{Text: "texts that were made together live about as long", How: "assumed",
				Why: fmt.Sprintf("one that is kept keeps %d bytes; measurement and the reader decide", mostText)},
		}, others...),
		Retains: fmt.Sprintf("%d bytes for each %s, and as long as one of the texts in them lives", mostText, struc),
	})
}

// edits declares what makes the texts, and the receiver's field of it, where they are not there yet, and calls it.
func (t *madeText) edits() ([]model.Edit, *prove.Reason) {
	p, m, f := t.p, t.m, t.m.File
	lib := p.Qualifier(f, f.Syntax.End(), "strings")
	if lib == "" {
		return nil, prove.Refuse("the name strings is taken")
	}
	name, field := "", ""
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered("textSlab", i)
		return strings.NewReplacer("SLAB", name, "LIB", lib).Replace(textSlab), []string{name}
	})
	var edits []model.Edit
	if text != "" {
		imports, ok := p.Reimport(f, f.Syntax.End(), []string{"strings"}, "")
		if !ok {
			return nil, prove.Refuse("strings cannot be imported")
		}
		edits = append(imports, p.Below(m.Function, text))
	}
	for v := range m.Named.Underlying().(*types.Struct).Fields() {
		if named, ok := v.Type().(*types.Named); ok && text == "" && named.Obj().Name() == name && named.Obj().Pkg() == v.Pkg() {
			field = v.Name()
		}
	}
	if field == "" {
		names := []string{"texts", "shortTexts", "madeTexts"}
		i := slices.IndexFunc(names, func(name string) bool { return p.Free(f.Pkg, name) })
		if i < 0 {
			return nil, prove.Refuse("no name is free for the field")
		}
		field = names[i]
		edits = append(edits, fieldEdit(p, m, field, name, field+" makes short texts."))
	}
	return append(edits, t.called(m.Recv.Name()+"."+field+".text(")...), nil
}

// called writes the call anew.
func (t *madeText) called(open string) []model.Edit {
	p, f, info := t.p, t.m.File, t.m.Info()
	if len(t.call.Args) == 0 {
		return []model.Edit{p.Insert(f, t.call.Pos(), open), p.Put(f, t.data.End(), t.call.End(), ".Bytes())")}
	}
	if info.TypeOf(t.call) != types.Typ[types.String] {
		return []model.Edit{p.Insert(f, t.data.Pos(), open), p.Insert(f, t.data.End(), ")")}
	}
	return []model.Edit{p.Put(f, t.call.Pos(), t.data.Pos(), open), p.Put(f, t.data.End(), t.call.End(), ")")}
}

// textSlab is the source of what makes the texts.
var textSlab = fmt.Sprintf(`// A SLAB makes short texts: one allocation makes several.
type SLAB struct{ room *LIB.Builder }

// text returns b as a string.
func (s *SLAB) text(b []byte) string {
	if len(b) < 2 || len(b) > %d {
		return string(b)
	}
	if s.room == nil {
		s.room = new(LIB.Builder)
	}
	if s.room.Cap()-s.room.Len() < len(b) {
		n := 2*s.room.Cap() + %[1]d
		if n > %d {
			n = %[2]d
		}
		s.room.Reset()
		s.room.Grow(n)
	}
	start := s.room.Len()
	s.room.Write(b)
	return s.room.String()[start:]
}
`, shortText, mostText)
