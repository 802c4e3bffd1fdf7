package classes

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Search goes over the bytes of a text where a function of the library asks about its runes.
var Search = prove.Transformation{
	Name: "set-search",
	Doc: "A call such as strings.IndexAny, ContainsAny, Trim, IndexFunc, TrimFunc or Map, of a constant set or a function that asks constants only, becomes a function that goes over the bytes. " +
		"It compares them, or looks at a table of 256 answers; where these may differ beyond ASCII, the call stays for that.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "set-search", "BenchmarkParse", "cpu", "no function is called for a rune, and no set is made for a call", 0),
	// It looks at the calls on the target's line, and on those that lead there.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if l := searchOf(s.Program, s.Fn, call); l != nil {
				c, why := l.propose()
				s.Add(prove.Short(types.ExprString(call.Fun))+" asks about each character", c, why)
			}
		}
	}),
}

// A search is a call that looks through a text for characters of a set.
type search struct {
	*predicate
	call *ast.CallExpr
	text ast.Expr
	set  ast.Expr // a constant, or a function that is asked about each character
	does string   // what the library's function is called, without Any or Func
	is   value    // nil where the set is constant
	answers
}

// Of one character the library looks for a byte, as fast as that can be.
const minSet = 2

// searchOf reads a call of package strings or bytes; nil where it is another one, or nothing is known of what it asks.
func searchOf(p *prove.Program, fn *prove.Function, call *ast.CallExpr) *search {
	callee := code.Callee(fn.Info(), call)
	if callee == nil || callee.Pkg() == nil || len(call.Args) != 2 || callee.Signature().Recv() != nil {
		return nil
	}
	of, name := callee.Pkg().Path(), callee.Name()
	does, asks := strings.CutSuffix(name, "Func")
	if !asks {
		does = strings.TrimSuffix(name, "Any")
	}
	switch {
	case of != "strings" && of != "bytes":
		return nil
	case slices.Contains([]string{"IndexAny", "ContainsAny", "LastIndexAny", "IndexFunc", "ContainsFunc", "LastIndexFunc"}, name), of+"."+name == "strings.Map":
	case !strings.HasPrefix(does, "Trim") || !asks && !slices.Contains(trims, name) || of == "bytes": // of bytes that are all trimmed some return nil
		return nil
	}
	l := &search{predicate: newPredicate(p, fn), call: call, text: call.Args[0], set: call.Args[1], does: does}
	kind := types.Bool
	if name == "Map" {
		l.text, l.set, asks, kind = l.set, l.text, true, types.Int32
	}
	if asks {
		if l.is = l.asked(l.set, kind); l.is == nil || l.left() {
			return nil
		}
	} else if !l.constantSet() {
		return nil
	}
	return l
}

// trims are the functions that trim by a set.
var trims = []string{"Trim", "TrimLeft", "TrimRight"}

// constantSet reads a constant set of ASCII.
func (l *search) constantSet() bool {
	v := l.fn.Info().Types[l.set].Value
	if v == nil || v.Kind() != constant.String || !l.settled(l.set, 0) {
		return false
	}
	n := 0
	for _, r := range constant.StringVal(v) {
		if r > unicode.MaxASCII {
			return false
		}
		if !l.table[r] {
			l.table[r] = true
			n++
		}
	}
	l.how = "the set is constant and of ASCII, and no other character has such a byte"
	return n >= minSet
}

// left reports whether the call is what such a change has left, for what is not ASCII.
func (l *search) left() bool {
	for n := ast.Node(l.call); n != nil; n = l.fn.File.Parent(n) {
		if s, ok := n.(*ast.IfStmt); ok && code.Any(s.Cond, func(b *ast.BinaryExpr) bool {
			at, known := prove.ConstInt(l.fn.Info(), b.Y)
			return known && at == utf8.RuneSelf && b.Op == token.GEQ
		}) {
			return true
		}
	}
	return false
}

// asked reads a function that is given a rune, and returns something of a kind.
func (d *predicate) asked(f ast.Expr, kind types.BasicKind) value {
	info := d.fn.Info()
	f = ast.Unparen(f)
	if lit, ok := f.(*ast.FuncLit); ok {
		sig := info.TypeOf(lit).(*types.Signature)
		if sig.Params().At(0).Name() == "" || sig.Results().At(0).Name() != "" {
			return nil
		}
		return d.body(lit.Body, sig.Params().At(0))
	}
	var id *ast.Ident
	switch f := f.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || fn.Signature().Recv() != nil {
		return nil
	}
	if is := unicodeFuncs[fn.FullName()]; is != nil {
		return d.ofUnicode(is)
	}
	if !d.p.InModule(fn) {
		return nil
	}
	return d.declaredAs(fn, kind)
}

func (l *search) propose() (*model.Change, *prove.Reason) {
	f, fn, p := l.fn.File, l.fn, l.p
	if l.is != nil {
		var why *prove.Reason
		if l.answers, why = l.evaluate(); why != nil {
			return nil, why
		}
	}
	switch {
	case !code.Predeclared(fn.Obj.Pkg(), fn.Decl.Pos(), "true", "bool", "byte", "rune", "len", "string", "int"):
		return nil, prove.Refuse("a predeclared name means something else there")
	case l.does != "Map" && l.beyondAlone() && (l.rest == never || l.rest == sometimes && strings.HasPrefix(l.does, "Trim")):
		return nil, prove.Refuse("it looks for no character of ASCII")
	case f.Commented(l.call):
		return nil, prove.Refuse("there is a comment in the call")
	case l.rest == sometimes && !l.movable():
		return nil, prove.Refuse("what is not ASCII needs the function that is asked, which is only known there")
	}
	edits := []model.Edit{
		l.before(l.written()),
		p.Put(f, l.call.Pos(), l.call.End(), l.name()+"("+p.Source(f, l.text)+")"),
	}
	if l.rest != sometimes {
		for _, path := range []string{"strings", "bytes", "unicode", "unicode/utf8"} {
			drop, ok := p.Reimport(f, l.call.Pos(), nil, path, l.call.Fun, l.set)
			if !ok {
				return nil, prove.Refuse("the imports cannot be changed")
			}
			edits = append(edits, drop...)
		}
	}
	retains := ""
	if l.tabled() {
		retains = "a table of 256 bytes stays in memory"
	}
	return p.Change(fn, edits, model.Change{
		Kind:  "set-search",
		Title: fmt.Sprintf("%s: go over the bytes of %s in %s, without %s", fn.File.Pkg.Name, prove.Short(types.ExprString(l.text)), fn.Obj.Name(), types.ExprString(l.call.Fun)),
		Obligations: []model.Obligation{
			{Text: "each character is answered for as before", How: "proven", Why: l.how},
			{Text: "a byte of ASCII is its character, and all bytes of others are above", How: "proven", Why: "UTF-8 is made so, and a malformed byte is a character of its own"},
		},
		Retains: retains,
	})
}

// evaluate asks about all runes. Of strings.Map it asks which of ASCII it changes.
func (l *search) evaluate() (a answers, why *prove.Reason) {
	if l.does != "Map" {
		a, why = l.ofRunes(l.call.Pos(), l.call.End(), l.ofRune)
		if l.does == "LastIndex" && a.rest == always {
			a.rest = sometimes // where a character begins is for the library to say
		}
		return a, why
	}
	for r := range int64(unicode.MaxASCII + 1) {
		a.table[r] = l.is(r) != r
	}
	if l.panics {
		return a, prove.Refuse("it panics for some runes")
	}
	a.rest, a.how = sometimes, "it was evaluated for each of 128; those that change are given to it as before, and a text with others goes the old way"
	return a, nil
}

// ofRune answers for what the library asks about: runes alone.
func (l *search) ofRune(r int64) int64 {
	if r < 0 || r > unicode.MaxRune {
		r = utf8.RuneError
	}
	return l.is(r)
}

// movable reports whether the function that is asked means the same in a function of its own with the variables that it has.
func (l *search) movable() bool {
	info, asked := l.fn.Info(), l.set
	return prove.PackageLevel(info, asked) && !code.Any(l.call, func(id *ast.Ident) bool {
		obj := info.Uses[id]
		return obj != nil && slices.Contains([]string{"s", "i", "n", "f", "b", "r"}, id.Name) && !code.Declares(asked, obj) && !code.Within(l.text, id)
	})
}

func (l *search) name() string { return l.free(code.LowerName(l.fn.Obj.Name()) + l.does) }
