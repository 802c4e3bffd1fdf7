package copies

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Pass hands a buffer to a function that fills one of its own for callers that have one.
var Pass = prove.Transformation{
	Name:     "pass-buffer",
	Doc:      "A function of the package fills a bytes.Buffer or strings.Builder of its own, and callers write what is in it to theirs. It becomes one that writes to theirs.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "pass-buffer", "BenchmarkPrint", "allocs", "no buffer and no copy for each part of a document", 0),
	// It looks at the functions that the target's frames are in, and at those that their lines call.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, fn := range makersAt(s.Program, s.Fn, s.At.Line) {
			ch, why := remembered(s.Program, "pass", fn, proposePass)
			s.Add(fn.Obj.Name()+" fills a buffer that callers copy", ch, why)
		}
	}),
}

// fillerOf reads a function that returns what is in a buffer of its own; nil where it is none.
func fillerOf(p *prove.Program, fn *prove.Function) *maker {
	sig, info := fn.Obj.Signature(), fn.Info()
	res := sig.Results()
	if res.Len() != 1 || res.At(0).Name() != "" || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return nil
	}
	m := &maker{original: original{p: p, fn: fn, text: types.Identical(res.At(0).Type(), types.Typ[types.String])}, does: "write"}
	if !m.text && !types.Identical(res.At(0).Type(), bytesType) {
		return nil
	}
	for _, ret := range m.returns() {
		if len(ret.Results) != 1 {
			return nil
		}
		call, ok := ast.Unparen(ret.Results[0]).(*ast.CallExpr)
		if !ok {
			continue
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || len(call.Args) > 0 || sel.Sel.Name != "Bytes" && sel.Sel.Name != "String" {
			continue
		}
		v := code.Var(info, sel.X)
		if v == nil || !code.Declares(fn.Decl.Body, v) || writer(v.Type()) == "" {
			continue
		}
		if m.made != nil && m.made != v {
			return nil
		}
		m.made, m.asks = v, sel.Sel.Name
	}
	if m.made == nil || !m.defined() {
		return nil
	}
	m.dst, m.typ = m.made.Name(), m.buffer()
	return m
}

// buffer writes the type of the parameter.
func (o *original) buffer() string {
	t := o.made.Type()
	if !isPointer(t) {
		t = types.NewPointer(t)
	}
	return types.TypeString(t, func(pkg *types.Package) string { return o.p.Qualifier(o.fn.File, o.def.Pos(), pkg.Path()) })
}

func proposePass(p *prove.Program, fn *prove.Function) (*model.Change, *prove.Reason) {
	m := fillerOf(p, fn)
	if m == nil {
		return nil, nil
	}
	var fit []*place
	places, whole := m.places()
	for _, s := range places {
		_, statement := s.in.File.Parent(s.outer).(*ast.ExprStmt)
		if s.kind == writer(m.made.Type()) && s.kept == nil && statement {
			fit = append(fit, s)
		}
	}
	if len(fit) == 0 {
		return nil, nil
	}
	if why := m.editable(); why != nil {
		return nil, why
	}
	whole = whole && len(fit) == len(places)
	var last *prove.Reason
	own := slices.DeleteFunc(slices.Clone(fit), func(s *place) bool {
		why := s.passable()
		if why != nil {
			last = why
		}
		return why != nil
	})
	if len(own) == 0 {
		return nil, last
	}
	if why := m.writesOnly(); why != nil {
		return nil, why
	}
	if why := m.declare(whole && len(own) == len(fit), own, (*place).passes); why != nil {
		return nil, why
	}
	return p.Change(fn, m.edits, model.Change{
		Kind:  "pass-buffer",
		Title: fmt.Sprintf("%s: %s writes to the buffer of its callers", fn.File.Pkg.Name, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the same bytes are written in their order", How: "proven", Why: fn.Obj.Name() + " only writes to its buffer, and callers wrote what was in it to theirs at once"},
			{Text: "nothing else sees the buffer meanwhile", How: "proven", Why: "callers have it for themselves: it is a variable of theirs, or a parameter that is always such a variable"},
			{Text: "nobody sees what is written before a panic", How: "proven", Why: "no function literal of a caller uses the buffer, which is gone after a panic"},
		},
	})
}

// passable says why a destination cannot be handed on.
func (s *place) passable() *prove.Reason {
	if s.in.File.Commented(s.outer) {
		return prove.Refuse("there is a comment within a call")
	}
	v := code.Var(s.in.Info(), s.to)
	if v == nil || !s.theirs(s.in, v, 0) {
		return prove.Refuse(types.ExprString(s.to) + " is no buffer that only " + s.in.Obj.Name() + " has")
	}
	return s.arguments(true)
}

// theirs reports whether a variable is a buffer that only the function has, or a parameter that always is one.
func (s *place) theirs(in *prove.Function, v *types.Var, depth int) bool {
	at := &place{m: s.m, in: in, kind: s.kind}
	if !at.parameter(v) {
		return code.Local(v) && at.private(v)
	}
	index := code.ParameterIndex(in.Obj.Signature(), v)
	if index < 0 || in.Obj.Signature().Variadic() || depth > 3 || in.Obj.Exported() || !isPointer(v.Type()) || !at.unseen(v) {
		return false
	}
	callers, whole := (&original{p: s.m.p, fn: in}).calls()
	for c := range callers {
		if len(c.Args) != in.Obj.Signature().Params().Len() {
			return false // a method expression
		}
		arg := c.Args[index]
		if addr, ok := arg.(*ast.UnaryExpr); ok {
			arg = addr.X
		}
		from := s.m.p.FunctionAt(s.m.p.Pos(c.Pos()))
		w := code.Var(in.Info(), arg)
		if from == nil || w == nil || w != v && !s.theirs(from, w, depth+1) {
			return false
		}
	}
	return whole && !(&original{p: s.m.p, fn: in}).calledElsewhere()
}

// writesOnly changes the body, or says why it does more with its buffer than to write to it.
func (m *maker) writesOnly() *prove.Reason {
	f, info := m.fn.File, m.fn.Info()
	if why := m.recovers(); why != nil {
		return why
	}
	at, w := &place{m: m, in: m.fn, kind: writer(m.made.Type())}, &written{m.p, map[*types.Var]bool{}}
	if m.hides() {
		return prove.Refuse(m.dst + " means something else before it is defined")
	}
	if code.Jumps(m.fn.Decl.Body) || f.Commented(m.def) || !at.begins(m.made) {
		return prove.Refuse("it does not begin with an empty buffer, or jumps, or has a comment there")
	}
	for id := range prove.UsesIn(info, m.fn.Decl.Body, m.made) {
		sel, method := f.Parent(id).(*ast.SelectorExpr)
		asked := method && sel.Sel.Name == m.asks && m.ends(f.Parent(sel).(ast.Expr))
		if !asked && !w.use(m.fn, id, false) {
			return prove.Refuse(id.Name + " is not only written to (" + m.p.Pos(id.Pos()).String() + ")")
		}
		if prove.Addressed(f, id) {
			m.put(f.Parent(id).Pos(), id.End(), id.Name)
		}
	}
	m.edits = append(m.edits, m.p.Drop(f, m.def))
	for _, ret := range m.returns() {
		if why := m.leaves(ret); why != nil {
			return why
		}
	}
	return nil
}

// leaves changes a return statement.
func (m *maker) leaves(ret *ast.ReturnStmt) *prove.Reason {
	f, info, e := m.fn.File, m.fn.Info(), ret.Results[0]
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && code.RootIdent(call.Fun) != nil && prove.IsUseOf(info, code.RootIdent(call.Fun), m.made) {
		if list := m.fn.Decl.Body.List; list[len(list)-1] == ret {
			m.edits = append(m.edits, m.p.Drop(f, ret))
			return nil
		}
		m.put(ret.Pos(), ret.End(), "return")
		return nil
	}
	if !m.untouched(ret) {
		return prove.Refuse("it returns something else after it has begun (" + m.p.Pos(ret.Pos()).String() + ")")
	}
	_, constant := code.String(info, e)
	switch {
	case m.itself(e) != nil:
		m.again = append(m.again, ret)
		return nil
	case code.IsNil(info, e), emptyText(info, e):
		m.put(ret.Pos(), ret.End(), "return")
		return nil
	case f.Commented(ret):
		return prove.Refuse("there is a comment within a return statement")
	case !constant:
		m.kept = "it also returns " + prove.Short(types.ExprString(e)) + ", which would be copied"
	}
	write := "Write"
	if m.text {
		write = "WriteString"
	}
	m.put(ret.Pos(), ret.End(), m.dst+"."+write+"("+m.source(e)+")\nreturn")
	return nil
}
