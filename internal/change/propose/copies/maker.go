package copies

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// An original is a function as it stands, which may return bytes or a text that it has put together.
type original struct {
	p     *prove.Program
	fn    *prove.Function
	text  bool       // it returns a string
	fails bool       // and an error
	made  *types.Var // the slice that it returns; nil where it returns expressions
	def   ast.Stmt   // that defines it
	value ast.Expr   // as this; nil for none
}

// A maker turns such a function into one that appends or writes to what it is given.
type maker struct {
	original
	fixed bool     // it is as long as it is made
	spare ast.Expr // for how many bytes it is made, if that is constant
	empty bool     // it is never nil

	does  string            // "append" or "write"
	typ   string            // of the parameter
	asks  string            // the method that says what was written
	dst   string            // the parameter that is appended or written to
	start string            // the variable that says where what is made begins, if one is needed
	first string            // what the slice begins with, as it is appended
	room  string            // for how many bytes it gets room there
	kept  string            // why the old function cannot be a call of the new one, if so
	again []*ast.ReturnStmt // they return what the function itself does
	edits []model.Edit
}

// makerOf reads a function; nil where it is none.
func makerOf(p *prove.Program, fn *prove.Function) *maker {
	sig := fn.Obj.Signature()
	res := sig.Results()
	if res.Len() == 0 || res.Len() > 2 || res.At(0).Name() != "" || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return nil
	}
	m := &maker{does: "append", typ: "[]byte"}
	m.original = original{p: p, fn: fn, text: types.Identical(res.At(0).Type(), types.Typ[types.String]), fails: res.Len() == 2}
	if m.fails && !code.IsError(res.At(1).Type()) || !m.text && !types.Identical(res.At(0).Type(), bytesType) {
		return nil
	}
	for _, ret := range m.returns() {
		if len(ret.Results) == 0 || len(ret.Results) != res.Len() {
			return nil // it returns what another function does
		}
		if v := m.returned(ret.Results[0]); v != nil {
			if m.made != nil && m.made != v {
				return nil
			}
			m.made = v
		}
	}
	if m.made != nil && !m.defined() {
		return nil
	}
	return m
}

// defined finds the definition of what is made: a statement of the function's own block.
func (o *original) defined() bool {
	for _, s := range o.fn.Decl.Body.List {
		if name, _, value := code.Declared(s); name != nil && o.fn.Info().Defs[name] == o.made {
			o.def, o.value = s, value
		}
	}
	return o.def != nil
}

var bytesType = types.NewSlice(types.Typ[types.Byte])

// returns are the function's own return statements.
func (o *original) returns() (all []*ast.ReturnStmt) {
	code.Here(o.fn.Decl.Body, func(ret *ast.ReturnStmt) bool { all = append(all, ret); return false })
	return all
}

// returned returns the local slice that a result is, or extends, or is the text of.
func (o *original) returned(e ast.Expr) *types.Var {
	info := o.fn.Info()
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && o.text {
		if !info.Types[call.Fun].IsType() {
			return nil
		}
		e = ast.Unparen(call.Args[0])
	}
	if call, ok := e.(*ast.CallExpr); ok {
		if e = o.destination(call); e == nil {
			return nil
		}
	}
	v := code.Var(info, e)
	if v == nil || !code.Local(v) || !types.Identical(v.Type(), bytesType) || !code.Declares(o.fn.Decl.Body, v) {
		return nil
	}
	return v
}

// destination returns what a call appends to, nil where it does not append.
func (o *original) destination(call *ast.CallExpr) ast.Expr {
	return o.destinationIn(o.fn.Info(), call)
}

func (o *original) destinationIn(info *types.Info, call *ast.CallExpr) ast.Expr {
	if _, several := info.TypeOf(call).(*types.Tuple); several {
		return nil // it may return less where it fails
	}
	to, _ := o.p.Appending(info, call)
	return ast.Unparen(to)
}

// put changes a piece of the function.
func (m *maker) put(from, to token.Pos, text string) {
	m.edits = append(m.edits, m.p.Put(m.fn.File, from, to, text))
}

func (o *original) source(n ast.Node) string { return o.p.Source(o.fn.File, n) }

// begin changes the definition of what is made, or says why that cannot be.
func (m *maker) begin() *prove.Reason {
	if m.made == nil {
		m.dst = code.FirstFree(m.fn.Decl, "dst", "buf", "out", "b")
		if m.dst == "" {
			return prove.Refuse("no name is free for what is appended to")
		}
		return nil
	}
	if m.fn.File.Commented(m.def) {
		return prove.Refuse("there is a comment within the definition of " + m.made.Name())
	}
	info := m.fn.Info()
	m.dst = m.made.Name()
	if m.hides() {
		return prove.Refuse(m.dst + " means something else before it is defined")
	}
	call, isCall := m.value.(*ast.CallExpr)
	lit, isLit := m.value.(*ast.CompositeLit)
	switch {
	case m.value == nil || code.IsNil(info, m.value):
		return nil
	case isLit:
		m.empty = len(lit.Elts) == 0
		return m.elements(lit)
	case isCall && info.Types[call.Fun].IsType():
		if code.IsNil(info, call.Args[0]) {
			return nil
		}
		if !code.IsString(info.TypeOf(call.Args[0])) {
			return prove.Refuse(m.made.Name() + " is at first something else under another type")
		}
		m.empty = true
		m.first = "append(" + m.dst + ", " + m.source(call.Args[0]) + "...)"
		return nil
	case isCall && code.Builtin(info, call) == "make":
		return m.makes(call)
	}
	return prove.Refuse(m.made.Name() + " is at first what something else returned")
}

// hides reports whether a parameter with the name of what is made would hide something that the function uses.
func (o *original) hides() bool {
	return code.Any(o.fn.Decl.Body, func(id *ast.Ident) bool {
		sel, ok := o.fn.File.Parent(id).(*ast.SelectorExpr)
		obj := o.fn.Info().Uses[id]
		return id.Name == o.made.Name() && obj != nil && obj != o.made && (!ok || sel.X == id) && !code.Declares(o.fn.Decl, obj)
	})
}

func (m *maker) elements(lit *ast.CompositeLit) *prove.Reason {
	for _, e := range lit.Elts {
		if _, keyed := e.(*ast.KeyValueExpr); keyed {
			return prove.Refuse("it begins with elements by index")
		}
	}
	if len(lit.Elts) > 0 {
		m.first = "append(" + m.dst + ", " + m.between(lit.Lbrace+1, lit.Rbrace) + ")"
	}
	return nil
}

// makes reads a make: what begins empty has room, and what does not keeps its length.
func (m *maker) makes(call *ast.CallExpr) *prove.Reason {
	info, size := m.fn.Info(), call.Args[1]
	n, constant := prove.ConstInt(info, size)
	if constant && n == 0 {
		m.empty = true
		if len(call.Args) == 3 {
			m.makesRoom(call.Args[2])
		}
		return nil
	}
	if len(call.Args) == 3 {
		return prove.Refuse("it is made with elements and room for more")
	}
	m.fixed, m.empty = true, !constant
	if !constant && !types.Identical(info.TypeOf(size), types.Typ[types.Int]) {
		return prove.Refuse("its size is no int")
	}
	name := m.made.Name()
	if m.dst = code.FirstFree(m.fn.Decl, "dst", "buf", "out", "b"); m.dst == "" {
		return prove.Refuse("no name is free for what is appended to")
	}
	lead, text := "", m.source(size)
	if _, plain := ast.Unparen(size).(*ast.Ident); !plain && !constant {
		n := code.FirstFree(m.fn.Decl, "n", "size", "total")
		if n == "" {
			return prove.Refuse("no name is free for its size")
		}
		lead, text = n+" := "+text+"\n", n
	}
	m.put(m.def.Pos(), m.def.End(), lead+m.dst+" = append("+m.dst+", make([]byte, "+text+")...)\n"+name+" := "+m.dst+"[len("+m.dst+")-"+text+":]")
	return nil
}

// makesRoom keeps the room that the slice is made with: a constant for callers of the old function, anything else for all.
func (m *maker) makesRoom(size ast.Expr) {
	if m.fn.Info().Types[size].Value != nil && prove.PackageLevel(m.fn.Info(), size) {
		m.spare = size
		return
	}
	q := m.p.Qualifier(m.fn.File, m.def.Pos(), "slices")
	imports, ok := m.p.Reimport(m.fn.File, m.def.Pos(), []string{"slices"}, "")
	if q == "" || !ok || !m.p.GoAtLeast(m.fn.File, "go1.21") || !types.Identical(m.fn.Info().TypeOf(size), types.Typ[types.Int]) {
		m.kept = "it makes room for what it makes"
		return
	}
	m.edits = append(m.edits, imports...)
	m.room = q + ".Grow(" + m.dst + ", " + m.source(size) + ")"
}
