package text

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A formatWriter writes what replaces a formatSite.
type formatWriter struct {
	p *prove.Program
	*formatSite

	at      ast.Node // what is replaced: the call, or the statement around it
	out     string
	first   string   // statements that stand before stmt
	paths   []string // packages that it needs
	old     string   // the package whose import may no longer be used
	removed []ast.Node

	names  map[ast.Expr]string // operands that are evaluated first, by the variable that holds them
	taken  map[string]bool
	pieces []formatPiece
	counts string // the variable of loops that fill up to a width
	whole  bool   // fmt still formats it, into the destination
}

// write works out the replacement, or why there is none.
func (w *formatWriter) write() *prove.Reason {
	w.at, w.names = w.call, map[ast.Expr]string{}
	name := func(path string) string { return w.p.Qualifier(w.fn.File, w.call.Pos(), path) }
	s := &splitter{p: w.p, fn: w.fn, strc: name("strconv"), utf8: name("unicode/utf8"), hex: name("encoding/hex")}
	var why *prove.Reason
	if w.text == nil {
		w.pieces, why = s.format(w.call, 1)
		s.used = append(s.used, w.call.Fun)
	} else {
		w.pieces, why = s.split(w.text)
	}
	if why != nil {
		return w.fallback(why)
	}
	w.old, w.removed = "fmt", s.used
	if slices.ContainsFunc(w.pieces, func(f formatPiece) bool { return f.loop }) {
		w.old = "strings"
	}
	if fn := code.Callee(w.fn.Info(), w.call); fn != nil && fn.FullName() == "io.WriteString" {
		w.old, w.removed = "io", []ast.Node{w.call.Fun}
	}
	w.pieces = slices.DeleteFunc(w.pieces, func(f formatPiece) bool { return f.operands == nil && f.text == "" })
	if len(w.pieces) == 0 {
		return prove.Refuse("the text is empty")
	}
	if why := w.hoist(); why != nil {
		return why
	}
	switch {
	case w.kind == toSlice:
		why = w.appends()
	case w.kind == toBufio:
		why = w.buffered()
	case w.kind.fresh():
		why = w.makes()
	default:
		why = w.writes()
	}
	made := w.first + w.out
	for path, name := range map[string]string{"strconv": s.strc, "unicode/utf8": s.utf8, "encoding/hex": s.hex} {
		if name != "" && strings.Contains(made, name+".") {
			w.paths = append(w.paths, path)
		}
	}
	slices.Sort(w.paths)
	return why
}

// standing returns the statement of a piece that is one, where one writes a byte and text a string.
func (w *formatWriter) standing(f formatPiece, one, text func(what string) string) string {
	if f.loop {
		return w.looped(f, text)
	}
	if w.counts == "" && strings.Contains(f.pad, "$V") {
		w.counts = w.free("width")
	}
	pad := writesOne.ReplaceAllStringFunc(f.pad, func(m string) string { return one(m[len("$W(") : len(m)-1]) })
	if strings.Contains(pad, "$B") {
		pad = strings.ReplaceAll(pad, "$B", w.free("b"))
	}
	return f.fill(strings.ReplaceAll(pad, "$V", w.counts), "", w.operand)
}

// looped returns the loop that writes what strings.Join would.
func (w *formatWriter) looped(f formatPiece, text func(what string) string) string {
	if sep, ok := code.String(w.fn.Info(), f.operands[1]); ok && sep == "" {
		part := w.free("part")
		return fmt.Sprintf("for _, %s := range %s {\n%s\n}", part, w.operand(f.operands[0]), text(part))
	}
	i, part := w.free("i"), w.free("part")
	return fmt.Sprintf("for %s, %s := range %s {\nif %s > 0 {\n%s\n}\n%s\n}", i, part, w.operand(f.operands[0]), i, text(w.operand(f.operands[1])), text(part))
}

// writesOne is what stands for writing a byte.
var writesOne = regexp.MustCompile(`\$W\([^()]+\)`)

// assigned returns the statement that appends a piece to dst.
func (w *formatWriter) assigned(f formatPiece, dst string) string {
	if f.stands() {
		one := func(byte string) string { return dst + " = append(" + dst + ", " + byte + ")" }
		return w.standing(f, one, func(text string) string { return dst + " = append(" + dst + ", " + text + "...)" })
	}
	return dst + " = " + w.appended(f, dst)
}

// appended returns a piece appended to dst.
func (w *formatWriter) appended(f formatPiece, dst string) string {
	switch {
	case f.append != "":
		return f.fill(f.append, dst, w.operand)
	case f.str != "":
		str := f.str
		if str == "string($1)" {
			str = "$1" // append takes any string
		}
		return "append(" + dst + ", " + f.fill(str, "", w.operand) + "...)"
	case len(f.text) == 1 && f.text[0] < 0x80:
		return "append(" + dst + ", " + strconv.QuoteRune(rune(f.text[0])) + ")"
	}
	return "append(" + dst + ", " + strconv.Quote(f.text) + "...)"
}

// maxNested is how many pieces may stand in one expression.
const maxNested = 2

// appends writes assignments to a slice, or one expression of nested calls.
func (w *formatWriter) appends() *prove.Reason {
	dst := w.p.Source(w.fn.File, w.dst)
	if len(w.pieces) == 1 && len(w.names) == 0 && !w.pieces[0].stands() {
		w.out = w.appended(w.pieces[0], dst)
		return nil
	}
	if w.stmt == nil {
		if len(w.pieces) > maxNested || len(w.names) > 0 || slices.ContainsFunc(w.pieces, formatPiece.stands) {
			return prove.Refuse("it has several parts, and the result is not assigned to the slice itself")
		}
		for _, f := range w.pieces {
			dst = w.appended(f, dst)
		}
		w.out = dst
		return nil
	}
	lines := w.lead()
	for _, f := range w.pieces {
		lines = append(lines, w.assigned(f, dst))
	}
	w.at, w.out = w.stmt, strings.Join(lines, "\n")
	return nil
}

// receiver returns the text on which the writer's methods are called.
func (w *formatWriter) receiver() string {
	if addr, ok := ast.Unparen(w.dst).(*ast.UnaryExpr); ok {
		return w.p.Source(w.fn.File, addr.X)
	}
	return w.p.Source(w.fn.File, w.dst)
}

// writes writes calls of a bytes.Buffer or strings.Builder, whose writes do
// not fail.
func (w *formatWriter) writes() *prove.Reason {
	if (len(w.pieces) > 1 || w.pieces[0].stands()) && w.stmt == nil {
		return prove.Refuse("it has several parts, and the result of the write is used")
	}
	lines, r := w.lead(), w.receiver()
	for _, f := range w.pieces {
		switch {
		case f.stands():
			one := func(byte string) string { return r + ".WriteByte(" + byte + ")" }
			lines = append(lines, w.standing(f, one, func(text string) string { return r + ".WriteString(" + text + ")" }))
		case f.str != "":
			lines = append(lines, r+".WriteString("+f.fill(f.str, "", w.operand)+")")
		case f.append != "":
			room := r + ".AvailableBuffer()"
			if w.kind == toBuilder || !w.p.GoAtLeast(w.fn.File, "go1.21") {
				if f.room == 0 {
					return prove.Refuse("how long the text becomes is not known, and " + string(w.kind) + " has no buffer to append to")
				}
				room = fmt.Sprintf("make([]byte, 0, %d)", f.room)
			}
			lines = append(lines, r+".Write("+f.fill(f.append, room, w.operand)+")")
		case len(f.text) == 1 && f.text[0] < 0x80 && w.stmt != nil:
			lines = append(lines, r+".WriteByte("+strconv.QuoteRune(rune(f.text[0]))+")")
		default:
			lines = append(lines, r+".WriteString("+strconv.Quote(f.text)+")")
		}
	}
	if w.out = strings.Join(lines, "\n"); w.stmt != nil {
		w.at = w.stmt
	}
	return nil
}

// buffered appends all of it to the free part of a bufio.Writer and writes
// once, as before.
func (w *formatWriter) buffered() *prove.Reason {
	if !w.p.GoAtLeast(w.fn.File, "go1.18") {
		return prove.Refuse("bufio.Writer has AvailableBuffer from Go 1.18 on")
	}
	if !slices.ContainsFunc(w.pieces, func(f formatPiece) bool { return f.append != "" || f.stands() }) {
		return prove.Refuse("nothing in it is formatted")
	}
	r := w.receiver()
	if len(w.pieces) == 1 && len(w.names) == 0 && !w.pieces[0].stands() {
		w.out = r + ".Write(" + w.appended(w.pieces[0], r+".AvailableBuffer()") + ")"
		return nil
	}
	if w.stmt == nil {
		return prove.Refuse("it has several parts, and the result of the write is used")
	}
	b := w.free("b")
	lines := append(w.lead(), b+" := "+r+".AvailableBuffer()")
	for _, f := range w.pieces {
		lines = append(lines, w.assigned(f, b))
	}
	w.at, w.out = w.stmt, strings.Join(append(lines, r+".Write("+b+")"), "\n")
	return nil
}

// fallback leaves the formatting to fmt, which then appends or writes itself.
func (w *formatWriter) fallback(why *prove.Reason) *prove.Reason {
	if w.text == nil || w.kind.fresh() {
		return why
	}
	call, ok := ast.Unparen(w.text).(*ast.CallExpr)
	if !ok {
		return why
	}
	twin := appendfTwins[fullName(w.fn, call)]
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || twin.append == "" {
		return why
	}
	f := w.fn.File
	fmtName := w.p.Source(f, sel.X)
	args := string(f.Src[w.p.Offset(call.Lparen)+1 : w.p.Offset(call.Rparen)])
	if !w.local() {
		return prove.Refuse(why.String() + "; and a method that fmt calls could use the destination meanwhile")
	}
	if !w.p.GoAtLeast(f, "go1.19") {
		return prove.Refuse(why.String() + "; and fmt.Appendf is there from Go 1.19 on")
	}
	w.whole = true
	switch {
	case w.kind == toSlice:
		w.out = fmt.Sprintf("%s.%s(%s, %s)", fmtName, twin.append, w.p.Source(f, w.dst), args)
	case w.kind == toBuilder || w.kind == toBuffer && !w.p.GoAtLeast(f, "go1.21"):
		if _, ptr := w.fn.Info().TypeOf(w.dst).Underlying().(*types.Pointer); !ptr {
			return prove.Refuse(why.String() + "; and fmt.Fprintf would move the " + string(w.kind) + " to the heap")
		}
		w.out = fmt.Sprintf("%s.%s(%s, %s)", fmtName, twin.write, w.p.Source(f, w.dst), args)
	default:
		r := w.receiver()
		w.out = fmt.Sprintf("%s.Write(%s.%s(%s.AvailableBuffer(), %s))", r, fmtName, twin.append, r, args)
	}
	return nil
}

// fullName names the function that a call calls, "" for a function value.
func fullName(fn *prove.Function, call *ast.CallExpr) string {
	if target := code.Callee(fn.Info(), call); target != nil {
		return target.FullName()
	}
	return ""
}

// local reports whether the destination is a variable of the function that
// only it can reach, or a parameter.
func (w *formatWriter) local() bool {
	e := ast.Unparen(w.dst)
	if addr, ok := e.(*ast.UnaryExpr); ok {
		e = addr.X
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := w.fn.Info().Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && (w.kind != toSlice || w.private(v))
}

func (w *formatWriter) obligations() []model.Obligation {
	if w.whole {
		return []model.Obligation{
			{Text: "the same bytes arrive by the same single write", How: "assumed", Why: "package fmt: the Append and Fprint functions format as the Sprint functions do"},
			{Text: "formatting does not use the destination meanwhile", How: "assumed",
				Why: "fmt.Stringer, fmt.Formatter and error: a method formats its own value; the destination is a variable of " + w.fn.Obj.Name()},
		}
	}
	all := []model.Obligation{
		{Text: "the same bytes arrive", How: "assumed",
			Why: "packages strconv and time: the Append functions append what the others return; fmt prints basic types without methods as strconv does"},
	}
	if slices.ContainsFunc(w.pieces, func(f formatPiece) bool { return f.own }) {
		all = append(all, model.Obligation{Text: "a method prints what it does for fmt", How: "proven",
			Why: "it cannot panic, which fmt would catch, comes to an end, sets nothing but its own variables, and reads no bytes that others may write; the tables of one that the command stringer wrote fit its bounds"})
	}
	if slices.ContainsFunc(w.pieces, func(f formatPiece) bool { return !f.own && strings.HasSuffix(f.str, ".String()") }) {
		all = append(all, model.Obligation{Text: "String is called as fmt calls it", How: "assumed",
			Why: "package fmt: %s and %v print what String returns; values of these types of the standard library are never nil pointers, and their String does not panic"})
	}
	if slices.ContainsFunc(w.pieces, func(f formatPiece) bool { return f.bytes }) {
		all = append(all, model.Obligation{Text: "bytes are printed as they are", How: "assumed",
			Why: "package fmt: %s prints bytes as a text, and %x as hex.AppendEncode does; nothing runs between that could change them"})
	}
	if w.kind.fresh() {
		arrives := w.kind.writesAre()
		if w.toBytes() != nil {
			arrives = "as new bytes that are not nil"
		}
		return append(all, model.Obligation{Text: "nothing can tell the parts from the whole", How: "proven",
			Why: "they are put together in new memory; operands that call are evaluated before, and nothing else in the statement could be noticed before them"},
			model.Obligation{Text: "the text arrives " + arrives, How: "proven", Why: "it leaves the new memory by one expression, as fmt's did"})
	}
	if len(w.pieces) > 1 {
		all = append(all, model.Obligation{Text: "all operands are evaluated as if nothing had been written", How: "proven",
			Why: "what could panic, call or see the destination is evaluated first; the rest are variables and fields that are not part of it"})
		all = append(all, model.Obligation{Text: "several writes are as good as one", How: "assumed", Why: w.kind.writesAre()})
	} else {
		all = append(all, model.Obligation{Text: "nothing else uses the destination meanwhile", How: "proven",
			Why: "no operand is a call that could know it, or it is evaluated first"})
	}
	return all
}

func (k writerKind) writesAre() string {
	switch k {
	case toSlice:
		return "append: how far a slice grows is not specified"
	case toWriter:
		return "by one call of Write"
	case toText:
		return "as one string"
	case toBufio:
		return "there is still one: the parts are appended to AvailableBuffer"
	}
	return string(k) + ": writes do not fail and cannot be told apart afterwards"
}
