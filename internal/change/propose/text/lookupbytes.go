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

// LookupBytes looks bytes up without making a string of them, which the compiler can, and makes the string where
// something keeps it.
var LookupBytes = prove.Transformation{
	Name: "lookup-bytes",
	Doc: "A string is made of bytes, or of what is in a bytes.Buffer, to be looked up in a map or compared, and is kept on some ways only. " +
		"The bytes are looked up as they are, and the string is made where it is kept.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "lookup-bytes", "BenchmarkCount", "allocs", "no string for a name that is known", 0),
	// It looks at the strings that are made on the target's line.
	Propose: prove.At(prove.Unless(func(t model.Target) bool { return t.Reason.Kind != model.ReasonLibrary && !converts(t) }, prove.Near), func(s *prove.Site) {
		for stmt := range prove.On[ast.Stmt](s) {
			if l := lookupAt(s.Program, s.Fn, stmt); l != nil {
				c, why := l.propose()
				s.Add(l.v.Name()+" is made also where it is only looked up", c, why)
			}
		}
	}),
}

// A lookup is a string that is made of bytes, and what becomes of it.
type lookup struct {
	p      *prove.Program
	fn     *prove.Function
	def    ast.Stmt
	v      *types.Var
	data   ast.Expr   // the bytes, or the buffer
	typ    string     // how the type string is written there
	buffer bool       // data is a bytes.Buffer
	below  []ast.Stmt // what follows the definition
	bare   []*ast.Ident
	kept   []*ast.Ident
	place  ast.Stmt // before which the string is made; nil where nothing keeps it
}

// lookupAt reads a definition; nil where it is another one, or where no use could do with the bytes.
func lookupAt(p *prove.Program, fn *prove.Function, s ast.Stmt) *lookup {
	name, typ, value := code.Declared(s)
	list, info := code.StmtList(fn.File.Parent(s)), fn.Info()
	if name == nil || typ != nil || value == nil || list == nil {
		return nil
	}
	l := &lookup{p: p, fn: fn, def: s, below: list[slices.Index(list, s)+1:]}
	l.v, _ = info.Defs[name].(*types.Var)
	if l.v == nil || !l.reads(value) {
		return nil
	}
	for _, s := range l.below {
		for id := range code.All[*ast.Ident](s) {
			switch {
			case info.Uses[id] != l.v:
			case l.bareUse(id):
				l.bare = append(l.bare, id)
			default:
				l.kept = append(l.kept, id)
			}
		}
	}
	if len(l.bare) == 0 || !l.finds() {
		return nil
	}
	return l
}

// reads reads what the string is made of.
func (l *lookup) reads(value ast.Expr) bool {
	info := l.fn.Info()
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || !types.Identical(info.TypeOf(call), types.Typ[types.String]) {
		return false
	}
	if _, data := code.Converted(info, call); data != nil {
		l.data, l.typ = data, l.p.Source(l.fn.File, call.Fun)
		return true
	}
	target := code.Callee(info, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if target == nil || !ok || target.FullName() != "(*bytes.Buffer).String" || typeName(info.TypeOf(sel.X)) != "bytes.Buffer" {
		return false
	}
	l.data, l.typ, l.buffer = sel.X, "string", true
	_, pointer := info.TypeOf(sel.X).Underlying().(*types.Pointer)
	return !pointer // which may be nil
}

// bareUse reports whether a use needs the bytes alone: a map is read, it is compared with a string, or asked for a byte
// or its length.
func (l *lookup) bareUse(id *ast.Ident) bool {
	f, info := l.fn.File, l.fn.Info()
	if f.Literal(id) != f.Literal(l.def) {
		return false
	}
	switch up := f.Parent(id).(type) {
	case *ast.IndexExpr:
		if up.X == id {
			return true
		}
		m, ok := info.TypeOf(up.X).Underlying().(*types.Map)
		return ok && types.Identical(m.Key(), types.Typ[types.String]) && !f.AssignedTo(up)
	case *ast.BinaryExpr:
		return up.Op != token.ADD && types.Identical(info.TypeOf(up.X), info.TypeOf(up.Y))
	case *ast.SwitchStmt:
		return !slices.ContainsFunc(up.Body.List, func(s ast.Stmt) bool {
			return slices.ContainsFunc(s.(*ast.CaseClause).List, func(e ast.Expr) bool { return info.Types[e].Value == nil })
		})
	case *ast.CallExpr:
		return code.Builtin(info, up) == "len"
	}
	return false
}

// finds looks for the place where the string is needed, and drops the bare uses behind it.
func (l *lookup) finds() bool {
	if len(l.kept) == 0 {
		return true
	}
	f := l.fn.File
	own := f.Parent(l.def)
	for up := f.Parent(l.kept[0]); ; up = f.Parent(up) {
		list := code.StmtList(up)
		if up == own {
			list = l.below
		}
		beyond := slices.ContainsFunc(l.kept, func(id *ast.Ident) bool { return !code.Within(up, id) })
		if up != own && (len(list) == 0 || beyond || !f.Conditional(up) || f.Loop(list[0]) != f.Loop(l.def) || f.Literal(list[0]) != f.Literal(l.def)) {
			continue
		}
		at := slices.IndexFunc(list, func(s ast.Stmt) bool {
			return slices.ContainsFunc(l.kept, func(id *ast.Ident) bool { return code.Within(s, id) })
		})
		if up == own && !slices.ContainsFunc(list[:at], leaves) {
			return false
		}
		l.place = list[at]
		l.bare = slices.DeleteFunc(l.bare, func(id *ast.Ident) bool {
			return l.place.Pos() <= id.Pos() && id.End() <= list[len(list)-1].End()
		})
		return len(l.bare) > 0
	}
}

// leaves reports whether a statement may end what follows it.
func leaves(s ast.Stmt) bool {
	return code.Here(s, func(n ast.Stmt) bool {
		b, ok := n.(*ast.BranchStmt)
		_, returns := n.(*ast.ReturnStmt)
		return returns || ok && b.Tok == token.CONTINUE
	}) != nil
}

func (l *lookup) propose() (*model.Change, *prove.Reason) {
	f, info, name := l.fn.File, l.fn.Info(), l.v.Name()
	if code.Jumps(l.fn.Decl.Body) || f.Commented(l.def) {
		return nil, prove.Refuse(l.fn.Obj.Name() + " uses goto, or there is a comment within the definition")
	}
	if code.WrittenIn(info, l.fn.Decl.Body, l.v) || code.AddressTaken(info, l.fn.Decl.Body, l.v) {
		return nil, prove.Refuse(name + " is set again")
	}
	if why := l.unchanged(); why != nil {
		return nil, why
	}
	edits, why := l.edits()
	if why != nil {
		return nil, why
	}
	title := fmt.Sprintf("%s: look up the bytes of %s in %s", f.Pkg.Name, name, l.fn.Obj.Name())
	if l.place != nil {
		title += ", and make it where it is kept"
	}
	return l.p.Change(l.fn, edits, model.Change{
		Kind:  "lookup-bytes",
		Title: title,
		Obligations: []model.Obligation{
			{Text: "the bytes say what the string would", How: "proven",
				Why: "up to where they are used last, no code writes bytes, waits for others, or calls what is not read; what leaves the function before does not count"},
			{Text: "nothing is evaluated at another time", How: "proven", Why: "what the bytes are is found out where it was; a string of them is no more than a copy"},
			{Text: "nothing keeps the bytes in its place", How: "proven", Why: "reading a map, a comparison and len keep nothing; where more is done with the string, it is made"},
		},
	})
}

// edits makes the bytes a variable where they are none, and replaces the string by them.
func (l *lookup) edits() ([]model.Edit, *prove.Reason) {
	p, f, info := l.p, l.fn.File, l.fn.Info()
	id, plain := l.data.(*ast.Ident)
	v, _ := info.Uses[id].(*types.Var)
	var edits []model.Edit
	bytes, behind := "", "" // and the comment behind the definition
	if plain && !l.buffer && v != nil && code.Local(v) && code.Steady(f.Pkg.Index(), info, id, l.def.End(), l.end()) {
		bytes = id.Name
		start, end := p.LineOf(f, l.def)
		rest, ok := strings.CutPrefix(strings.TrimSpace(string(f.Src[start:end])), p.Source(f, l.def))
		if behind = strings.TrimSpace(rest); !ok || behind != "" && (l.place == nil || !strings.HasPrefix(behind, "//")) {
			return nil, prove.Refuse("other code or a comment stands on its lines")
		}
		edits = append(edits, p.Edit(f, start, end, ""))
	} else {
		if bytes = code.FirstFree(l.fn.Decl, "raw", "data", l.v.Name()+"Bytes"); bytes == "" {
			return nil, prove.Refuse("no name is free for the bytes")
		}
		from := p.Source(f, l.data)
		if l.buffer {
			from += ".Bytes()"
		}
		edits = append(edits, p.Put(f, l.def.Pos(), l.def.End(), bytes+" := "+from))
	}
	text := l.typ + "(" + bytes + ")"
	places := []token.Pos{}
	for _, use := range l.bare {
		with := text
		switch up := f.Parent(use).(type) {
		case *ast.CallExpr:
			with = bytes
		case *ast.IndexExpr:
			if up.X == use {
				with = bytes
			}
		}
		places = append(places, use.Pos())
		edits = append(edits, p.Put(f, use.Pos(), use.End(), with))
	}
	if l.place != nil {
		places = append(places, l.place.Pos())
		edits = append(edits, p.Insert(f, l.place.Pos(), strings.TrimSpace(l.v.Name()+" := "+text+" "+behind)+"\n"))
	}
	for _, at := range places {
		if plain && code.Hidden(info, l.fn.Obj.Pkg(), id, at) != "" || !code.Predeclared(l.fn.Obj.Pkg(), at, "string") {
			return nil, prove.Refuse(bytes + " or string means something else there")
		}
	}
	return edits, nil
}
