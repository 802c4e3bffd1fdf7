package detours

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Queue makes a slice of a channel that one goroutine sends to and receives from.
var Queue = prove.Transformation{
	Name:     "channel-queue",
	Doc:      "A field that is a channel with room, from which a select with a default takes what the same goroutine has sent, becomes a slice.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "channel-queue", "BenchmarkWords", "cpu", "no lock and no select for each item", 0),
	// It looks at the channels of fields that the target's lines send to or receive from, or make.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for n := range prove.On[ast.Expr](s) {
			field := channelField(s.Fn.Info(), n)
			if field == nil || prove.OwnerOf(field) == nil {
				continue
			}
			q := &queue{p: s.Program, fn: s.Fn, field: field}
			ch, why := q.propose()
			if q.asked {
				s.Add(field.Name()+" is a channel that is asked without waiting", ch, why)
			}
			return
		}
	}),
}

// channelField returns the field of this package that an expression selects, or a literal sets, where it is a channel.
func channelField(info *types.Info, e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok || !v.IsField() {
		return nil
	}
	if _, ok := v.Type().(*types.Chan); !ok {
		return nil
	}
	return v
}

// maxRoom is for how many items a channel may have room: each that is taken moves those behind it.
const maxRoom = 64

// A queue is a field with all that is done with it.
type queue struct {
	p        *prove.Program
	fn       *prove.Function
	field    *types.Var
	asked    bool // there is a select with a default
	receives []*ast.SelectStmt
	sends    []*ast.SendStmt
	within   map[*types.Func]bool // the functions that send
	names    code.Names
	edits    []model.Edit
}

func (q *queue) propose() (*model.Change, *prove.Reason) {
	q.within, q.names = map[*types.Func]bool{}, code.Names{}
	var first *prove.Reason // and not the last: all is read, for what is taken from it
	q.p.EachUse(q.fn, q.field, func(f *prove.File, info *types.Info, e ast.Expr, up ast.Node) *prove.Reason {
		if why := q.use(f, info, e, up); first == nil {
			first = why
		}
		return nil
	})
	if len(q.receives) == 0 || first != nil {
		return nil, first
	}
	if len(q.sends) == 0 {
		return nil, prove.Refuse("nothing is sent to it")
	}
	if _, why := q.p.Hidden(q.fn, q.field); why != nil {
		return nil, why
	}
	if at := q.p.CopiedAt(q.fn.File.Pkg, q.field, q.lent); at != "" {
		return nil, prove.Refuse("a value with the channel is copied at " + at + ", and both have the same channel")
	}
	if why := q.alone(); why != nil {
		return nil, why
	}
	owner := prove.OwnerOf(q.field).Obj().Name()
	c, why := q.p.Change(q.fn, q.edits, model.Change{
		Kind:  "channel-queue",
		Title: fmt.Sprintf("%s: make the channel %s of %s a slice", q.fn.File.Pkg.Name, q.field.Name(), owner),
		Obligations: []model.Obligation{
			{Text: "what is taken comes in the order in which it was sent", How: "proven", Why: "it is only made with room, sent to by statements, and taken from by a select with a default; nothing closes it, ranges over it or hands it on"},
			{Text: "no send waits", How: "proven", Why: "where one goroutine has the " + owner + ", the one that would take is the one that sends: where there was no room, the program went no further"},
			{Text: "one goroutine at a time has the " + owner, How: "assumed", Why: "no go statement stands in the package, no exported function sends by itself, and where nothing is there to take, its fields are set without a lock: two would be a data race already"},
		},
	})
	if c != nil {
		c.ID = prove.ChangeID(c.Kind, owner+"."+q.field.Name(), c.Edits) // it is the same from wherever it is seen
	}
	return c, why
}

// use reads one place that names the field.
func (q *queue) use(f *prove.File, info *types.Info, e ast.Expr, up ast.Node) *prove.Reason {
	if f.Test {
		return prove.Refusef("the test %s uses it", q.p.Pos(e.Pos()))
	}
	if why := prove.Editable(f); why != nil {
		return why
	}
	sel, _ := e.(*ast.SelectorExpr)
	switch up := up.(type) {
	case *ast.Field:
		return q.declared(f, up)
	case *ast.KeyValueExpr:
		if up.Key == e {
			return q.made(f, info, up.Value)
		}
	case *ast.SendStmt:
		if up.Chan == e && q.pointed(info, sel) {
			return q.sent(f, info, up, sel)
		}
	case *ast.UnaryExpr:
		if up.Op == token.ARROW && q.pointed(info, sel) {
			return q.received(f, info, up, sel)
		}
	}
	return prove.Refusef("it is used in another way at %s", q.p.Pos(e.Pos()))
}

// pointed reports whether the field is that of what a variable points to.
func (q *queue) pointed(info *types.Info, sel *ast.SelectorExpr) bool {
	if sel == nil {
		return false
	}
	v := code.Var(info, sel.X)
	if !code.Local(v) {
		return false
	}
	ptr, ok := types.Unalias(v.Type()).(*types.Pointer)
	return ok && types.Identical(ptr.Elem(), prove.OwnerOf(q.field))
}

// declared turns items chan item into items []item.
func (q *queue) declared(f *prove.File, field *ast.Field) *prove.Reason {
	typ, ok := field.Type.(*ast.ChanType)
	if !ok || len(field.Names) != 1 || field.Tag != nil {
		return prove.Refuse("its declaration has other names, a tag, or no type of its own")
	}
	q.edits = append(q.edits, q.p.Put(f, typ.Pos(), typ.Value.Pos(), "[]"))
	return nil
}

// made turns make(chan item, 8) into make([]item, 0, 8).
func (q *queue) made(f *prove.File, info *types.Info, e ast.Expr) *prove.Reason {
	call, ok := e.(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "make" || len(call.Args) != 2 {
		return prove.Refuse("it is made in another way than with room, at " + q.p.Pos(e.Pos()).String())
	}
	typ, ok := call.Args[0].(*ast.ChanType)
	if n, constant := prove.ConstInt(info, call.Args[1]); !ok || !constant || n < 1 || n > maxRoom {
		return prove.Refusef("how much room it has is no constant up to %d, at %s", maxRoom, q.p.Pos(e.Pos()))
	}
	q.edits = append(q.edits, q.p.Put(f, typ.Pos(), typ.Value.Pos(), "[]"), q.p.Insert(f, call.Args[1].Pos(), "0, "))
	return nil
}

// sent turns a send into an append. What a call in it may send comes first, as it did.
func (q *queue) sent(f *prove.File, info *types.Info, s *ast.SendStmt, sel *ast.SelectorExpr) *prove.Reason {
	fn := q.p.FunctionAt(q.p.Pos(s.Pos()))
	if fn == nil || f.Literal(s) != nil || !slices.Contains(code.StmtList(f.Parent(s)), ast.Stmt(s)) {
		return prove.Refusef("a function literal or a select sends to it at %s", q.p.Pos(s.Pos()))
	}
	if !code.Predeclared(f.Pkg.Types, s.Pos(), "append") {
		return prove.Refuse("append means something else at " + q.p.Pos(s.Pos()).String())
	}
	q.sends = append(q.sends, s)
	q.within[fn.Obj] = true
	to := q.p.Source(f, sel)
	if !code.Any(s.Value, func(call *ast.CallExpr) bool { return !info.Types[call.Fun].IsType() && code.Builtin(info, call) == "" }) {
		q.edits = append(q.edits, q.p.Put(f, s.Pos(), s.Value.Pos(), to+" = append("+to+", "), q.p.Insert(f, s.Value.End(), ")"))
		return nil
	}
	name := q.names.FirstFree(fn.Decl, f.Parent(s), "next", "sent", "one")
	if name == "" {
		return prove.Refuse("no name is free for what is sent at " + q.p.Pos(s.Pos()).String())
	}
	typ := types.TypeString(q.field.Type().(*types.Chan).Elem(), types.RelativeTo(f.Pkg.Types))
	if !types.Identical(info.TypeOf(s.Value), q.field.Type().(*types.Chan).Elem()) {
		return prove.Refusef("what is sent at %s becomes a %s there", q.p.Pos(s.Pos()), typ)
	}
	q.edits = append(q.edits, q.p.Put(f, s.Pos(), s.Value.Pos(), name+" := "), q.p.Insert(f, s.Value.End(), "\n"+to+" = append("+to+", "+name+")"))
	return nil
}

// received turns the select around a receive into an if.
func (q *queue) received(f *prove.File, info *types.Info, recv *ast.UnaryExpr, sel *ast.SelectorExpr) *prove.Reason {
	at := q.p.Pos(recv.Pos()).String()
	var name string
	stmt := f.Parent(recv)
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		id, ok := s.Lhs[0].(*ast.Ident)
		if !ok || s.Tok != token.DEFINE || len(s.Lhs) != 1 {
			return prove.Refuse("what is taken is not a new variable alone, at " + at)
		}
		name = id.Name
	case *ast.ExprStmt:
	default:
		return prove.Refuse("it is waited for at " + at)
	}
	clause, ok := f.Parent(stmt).(*ast.CommClause)
	if !ok || clause.Comm != stmt {
		return prove.Refuse("it is waited for at " + at)
	}
	body := f.Parent(clause).(*ast.BlockStmt)
	whole := f.Parent(body).(*ast.SelectStmt)
	q.asked = q.asked || slices.ContainsFunc(body.List, func(s ast.Stmt) bool { return s.(*ast.CommClause).Comm == nil })
	if len(body.List) != 2 || body.List[0] != ast.Stmt(clause) || body.List[1].(*ast.CommClause).Comm != nil {
		return prove.Refuse("the select has other cases, or the default first, at " + at)
	}
	if code.StmtList(f.Parent(whole)) == nil || breaks(body) || f.Literal(whole) != nil {
		return prove.Refuse("the select has a label or a break, or is in a function literal, at " + at)
	}
	other := body.List[1].(*ast.CommClause)
	if !q.sets(info, other, code.Var(info, sel.X)) {
		return prove.Refuse("where nothing is there to take, no field is set at " + at)
	}
	if name == code.RootIdent(sel).Name || name == "copy" || !code.Predeclared(f.Pkg.Types, recv.Pos(), "len", "copy") {
		return prove.Refuse("len, copy or what the channel is of means something else at " + at)
	}
	q.receives = append(q.receives, whole)
	from := q.p.Source(f, sel)
	head := fmt.Sprintf("if len(%s) > 0 {\n", from)
	if name != "" && name != "_" {
		head += fmt.Sprintf("%s := %s[0]\n", name, from)
	}
	head += fmt.Sprintf("%[1]s = %[1]s[:copy(%[1]s, %[1]s[1:])]", from)
	between := "} else {"
	if code.Departs(&ast.BlockStmt{List: clause.Body}) && !declares(other.Body) {
		between = "}"
		start := len(bytes.TrimRight(f.Src[:q.p.Offset(body.Rbrace)], " \t\n"))
		q.edits = append(q.edits, q.p.Edit(f, start, q.p.Offset(whole.End()), ""))
	}
	q.edits = append(q.edits, q.p.Put(f, whole.Pos(), clause.Colon+1, head), q.p.Put(f, other.Pos(), other.Colon+1, between))
	return nil
}

// sets reports whether the default sets a field of what the channel is of.
func (q *queue) sets(info *types.Info, c *ast.CommClause, base *types.Var) bool {
	return code.Any(c, func(s ast.Stmt) bool {
		return slices.ContainsFunc(code.Assigned(s), func(l ast.Expr) bool {
			sel, ok := l.(*ast.SelectorExpr)
			return ok && code.Var(info, sel.X) == base
		})
	})
}

// breaks reports whether a break in a select ends that.
func breaks(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK && n.Label == nil
		}
		return !found
	})
	return found
}

// declares reports whether statements declare what is seen behind them.
func declares(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.DeclStmt, *ast.LabeledStmt:
			return true
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				return true
			}
		}
	}
	return false
}

// lent reports whether a node copies the struct for a method of its value that neither uses the channel nor hands the copy on.
func (q *queue) lent(f *prove.File, info *types.Info, n ast.Node) bool {
	sel, ok := f.Parent(n).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	call, ok := f.Parent(sel).(*ast.CallExpr)
	if !ok || call.Fun != ast.Expr(sel) {
		return false
	}
	callee := code.Callee(info, call)
	if callee == nil {
		return false
	}
	method := q.p.Function(callee)
	if method == nil || method.Decl.Recv == nil || len(method.Decl.Recv.List[0].Names) == 0 {
		return method != nil
	}
	recv := method.Obj.Signature().Recv()
	for id := range prove.UsesIn(method.Info(), method.Decl.Body, recv) {
		field, ok := method.File.Parent(id).(*ast.SelectorExpr)
		if !ok || method.Info().Selections[field] == nil || method.Info().Selections[field].Kind() != types.FieldVal || method.Info().Uses[field.Sel] == q.field ||
			prove.Holds(method.Info().TypeOf(field), prove.OwnerOf(q.field)) {
			return false
		}
	}
	return true
}

// alone says what may send from another goroutine.
func (q *queue) alone() *prove.Reason {
	for _, f := range q.fn.File.Pkg.Files {
		for g := range code.All[*ast.GoStmt](f.Syntax) {
			if !f.Test {
				return prove.Refusef("a goroutine is started at %s, which may send to it or take from it", q.p.Pos(g.Pos()))
			}
		}
	}
	for more := true; more; {
		more = false
		for _, fn := range q.p.Funcs {
			if fn.File.Pkg == q.fn.File.Pkg && !q.within[fn.Obj] && !q.takes(fn) && q.runsSender(fn.Info(), fn.Decl.Body) {
				q.within[fn.Obj], more = true, true
			}
		}
	}
	for _, fn := range q.p.Funcs {
		if fn.File.Pkg != q.fn.File.Pkg {
			continue
		}
		if q.within[fn.Obj] && fn.Obj.Exported() && !q.takes(fn) {
			return prove.Refuse(fn.Obj.Name() + " sends to it, and another package may call that while it is taken from")
		}
		if at := q.handsOn(fn); at != "" {
			return prove.Refuse("what sends to it is handed to other code at " + at)
		}
	}
	for _, s := range q.sends {
		if fn := q.p.FunctionAt(q.p.Pos(s.Pos())); q.takes(fn) && !slices.ContainsFunc(q.receives, func(r *ast.SelectStmt) bool { return code.Within(r.Body.List[1], s) }) {
			return prove.Refusef("%s sends to it where there may be something to take (%s)", fn.Obj.Name(), q.p.Pos(s.Pos()))
		}
	}
	return nil
}

// takes reports whether a function takes from the channel: who calls it takes, too.
func (q *queue) takes(fn *prove.Function) bool {
	return slices.ContainsFunc(q.receives, func(s *ast.SelectStmt) bool { return code.Within(fn.Decl, s) })
}

// sender reports whether an identifier is that of a function that sends, and does not take.
func (q *queue) sender(info *types.Info, id *ast.Ident) bool {
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || !q.within[fn.Origin()] {
		return false
	}
	decl := q.p.Function(fn)
	return decl == nil || !q.takes(decl)
}

// runsSender reports whether code calls a function that sends.
func (q *queue) runsSender(info *types.Info, n ast.Node) bool {
	return code.Any(n, func(call *ast.CallExpr) bool {
		return code.Any(call.Fun, func(id *ast.Ident) bool { return q.sender(info, id) })
	})
}

// handsOn returns where a function gives a sender, or a literal that runs one, to a function that is not of the package, or
// keeps a sender with what it sends to. One that returns the function to run next is a state.
func (q *queue) handsOn(fn *prove.Function) (at string) {
	info := fn.Info()
	for sel := range code.All[*ast.SelectorExpr](fn.Decl.Body) {
		method := info.Selections[sel]
		if call, ok := fn.File.Parent(sel).(*ast.CallExpr); ok && call.Fun == ast.Expr(sel) || method == nil || method.Kind() != types.MethodVal || !q.sender(info, sel.Sel) {
			continue
		}
		results := method.Type().(*types.Signature).Results()
		next := results.Len() == 1
		if next {
			_, next = results.At(0).Type().Underlying().(*types.Signature)
		}
		if !next {
			return q.p.Pos(sel.Pos()).String()
		}
	}
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if callee := code.Callee(fn.Info(), call); callee != nil && callee.Pkg() == fn.Obj.Pkg() || fn.Info().Types[call.Fun].IsType() {
			continue
		}
		for _, a := range call.Args {
			_, calls := ast.Unparen(a).(*ast.CallExpr)
			if !calls && code.Any(a, func(id *ast.Ident) bool { return q.sender(fn.Info(), id) }) {
				at = q.p.Pos(a.Pos()).String()
			}
		}
	}
	return at
}
