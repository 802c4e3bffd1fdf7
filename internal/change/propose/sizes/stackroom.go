package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// StackRoom lets a slice that leaves its function at the end grow in an array on the stack.
var StackRoom = prove.Transformation{
	Name:     "stack-room",
	Doc:      "A local slice without pointers that append fills and that leaves the function where it is used last begins in an array on the stack. What leaves is a copy of just the size.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "stack-room", "BenchmarkMarshal", "allocs", "one allocation for a record of several hundred bytes", 0),
	// It looks at the appends and calls of append style on the target's line and on those of its module's frames.
	Propose: func(p *prove.Program, o *prove.Offers) {
		seen := map[types.Object]bool{}
		prove.At(prove.Frames, func(s *prove.Site) {
			if Hinted(s.Program)[s.At] {
				return // how many there will be is known
			}
			for call := range prove.On[*ast.CallExpr](s) {
				l := &leaving{lent: &lent{p: s.Program, fn: s.Fn, call: call}}
				if !l.declared() || seen[l.v] {
					continue
				}
				if n := l.room(s.Target); n > l.has && l.leaves() {
					seen[l.v] = true
					c, why := proposeStackRoom(l, n)
					s.AddAt(s.Pos(call.Pos()), l.v.Name()+" grows before it leaves the function", c, why)
				}
			}
		})(p, o)
	},
}

// mostLeaving is how many bytes the array takes at most, and usualLeaving where nothing is measured. To zero 1024 bytes costs
// about what an allocation does, and 2048 five times that. Values that fit take 0.7 to 1.2 times as long as without room, one of
// 8 bytes 1.6 times, and none 20 ns more. Those that do not take up to 1.1 times as long if many appends make them, and twice if one does. Room
// for 1024 bytes on the heap costs a small value three to five times. With mostLent bytes both ways come to the same, and
// append-room and first-room copy nothing.
const (
	usualLeaving = 512
	mostLeaving  = 1024
)

// A leaving is a slice that a function fills and gives away.
type leaving struct {
	*lent
	exits []exit
	cut   bool // it is made shorter somewhere
}

// An exit is where the slice leaves.
type exit struct {
	slice ast.Expr // the variable, what is cut off it, or a call that extends it
	stmt  ast.Stmt
}

// room returns for how many elements the array is made, 0 where the target is not that such a slice grows to a size in between.
func (l *leaving) room(t model.Target) int64 {
	elem := code.Core(l.v.Type()).(*types.Slice).Elem()
	if code.Generic(elem) || code.HasPointers(elem) {
		return 0
	}
	size := l.fn.File.Pkg.TypesSizes.Sizeof(elem)
	bytes := int64(usualLeaving)
	if t.Bytes > 0 {
		if t.Block <= mostLent || t.Block > mostLeaving*3/2 || !l.growsAt(t.At) { // append makes it larger than what is in it
			return 0
		}
		for bytes < min(t.Block, mostLeaving) {
			bytes *= 2
		}
	}
	return bytes / max(size, 1)
}

// leaves reports whether the slice grows and is given away: else append-room and first-room do without a copy. What one append
// alone makes is of just the size.
func (l *leaving) leaves() bool {
	info, appends := l.fn.Info(), 0
	for call := range code.All[*ast.CallExpr](l.fn.Decl.Body) {
		if to := extended(l.p, info, call); to != nil && code.Mentions(info, to, l.v) {
			if loop := l.fn.File.Loop(call); loop != nil && !code.Within(loop, l.decl) || code.Builtin(info, call) == "" {
				appends++
			}
			appends++
		}
	}
	return appends > 1 && (l.asked == nil || info.Types[l.asked].Value != nil) && l.p.FlowOf(l.fn, l.v).Outlives()
}

func proposeStackRoom(l *leaving, n int64) (*model.Change, *prove.Reason) {
	p, f, name := l.p, l.fn.File, l.fn.Obj.Name()
	switch {
	case code.Jumps(l.fn.Decl.Body):
		return nil, prove.Refuse(name + " uses goto")
	case f.Commented(l.decl):
		return nil, prove.Refuse("there is a comment where it is made")
	case !code.Predeclared(l.fn.Obj.Pkg(), l.decl.Pos(), "append", "make", "max", "len", "nil"):
		return nil, prove.Refuse("append, make, max, len or nil means something else there")
	case l.has > 0 && !p.GoAtLeast(f, "go1.21"):
		return nil, prove.Refuse("max is there from Go 1.21 on")
	}
	r := &extensions{p: p, seen: map[*types.Var]bool{}}
	if why := r.linear(l.fn, l.v); why != nil {
		return nil, why
	}
	for id := range code.All[*ast.Ident](l.fn.Decl.Body) {
		if why := l.use(id); why != nil {
			return nil, why
		}
	}
	if back, _ := p.Reaches(p.EdgesOf(l.fn), l.fn.Obj.FullName()); back {
		return nil, prove.Refuse(name + " may call itself: each call would take room on the stack")
	}
	null, why := l.null()
	if why != nil {
		return nil, why
	}
	edits, why := l.edits(n)
	if why != nil {
		return nil, why
	}
	room := "the copy has no more than append leaves, and that is unspecified, so that nobody can rely on it"
	if l.has > 0 {
		room = fmt.Sprintf("the copy has room for %d at least, as before, and no more than append leaves, which is unspecified", l.has)
	}
	gone := model.Obligation{Text: "nothing refers to the array when it is gone", How: "proven",
		Why: "what leaves is a copy; else the slice is read, appended to, and handed to functions that do not keep it"}
	return p.Change(l.fn, edits, model.Change{
		Kind:  "stack-room",
		Title: fmt.Sprintf("%s: let %s begin in an array of %d elements on the stack in %s", f.Pkg.Name, l.v.Name(), n, name),
		Obligations: []model.Obligation{
			prove.Assuming(gone, p.FlowOf(l.fn, l.v).Assumed),
			{Text: "nothing changes the slice or what left of it after that", How: "proven", Why: "it is not used again, and no other variable shares its memory"},
			{Text: "the room is not shared", How: "proven", Why: "each append to it is to what the one before has left, here and in the functions that it is handed to"},
			null,
			{Text: "how much room it has does not show", How: "assumed", Why: room},
			{Text: fmt.Sprintf("it usually comes to hold no more than %d elements", n), How: "assumed",
				Why: "more have memory of their own, as before, and are copied once more; measurement decides whether that pays"},
		},
	})
}

// use looks at one use of the slice, and notes it if that is where it leaves.
func (l *leaving) use(id *ast.Ident) *prove.Reason {
	f, at := l.fn.File, l.p.Pos(id.Pos())
	fl := l.p.Flow(l.fn)
	if l.fn.Info().Uses[id] != l.v || fl.AssignedTo(id) {
		return nil
	}
	fl.Expr(id)
	stmt := f.Stmt(id)
	switch stmt.(type) {
	case *ast.DeferStmt, *ast.GoStmt:
		return prove.Refusef("a call that runs later uses it (%s)", at)
	}
	switch {
	case fl.CapSeen:
		return prove.Refusef("its capacity is asked for (%s)", at)
	case fl.NilSeen && l.value == nil:
		return prove.Refusef("it is asked whether it is nil (%s)", at)
	}
	for _, v := range fl.Vars {
		if v != l.v {
			return prove.Refuse(v.Name() + " shares its memory")
		}
	}
	for _, h := range fl.Calls {
		if params := h.Fn.Signature().Params(); code.IsInterfaceMethod(h.Fn) || h.Index >= 0 && boxes(params.At(h.Index).Type()) {
			return prove.Refusef("it is handed to %s through an interface, and the compiler would put the array on the heap (%s)", h.Fn.Name(), at)
		}
	}
	slice, why := l.whole(id)
	if why != nil || !fl.Outlives() {
		return why
	}
	if !l.copied(slice, fl) {
		return prove.Refusef("no copy can be made where it leaves (%s)", at)
	}
	l.exits = append(l.exits, exit{slice, stmt})
	return l.last(id, stmt)
}

// boxes reports whether a parameter is an interface, or a list of them.
func boxes(t types.Type) bool {
	list, ok := t.(*types.Slice)
	return types.IsInterface(t) || ok && types.IsInterface(list.Elem())
}

// copied reports whether a copy can stand where the slice leaves: where it is stored, returned, or an argument.
func (l *leaving) copied(slice ast.Expr, fl *flow.Flow) bool {
	e, up := slice, l.fn.File.Parent(slice)
	for {
		call, ok := up.(*ast.CallExpr)
		if !ok {
			break
		}
		if !l.fn.Info().Types[call.Fun].IsType() {
			return slices.Contains(call.Args, e) && !call.Ellipsis.IsValid() && len(fl.Leaks) > 0 && (fl.Leaks[0].At == e || fl.Leaks[0].At == up)
		}
		e, up = call, l.fn.File.Parent(call)
	}
	switch up.(type) {
	case *ast.ReturnStmt, *ast.CompositeLit, *ast.AssignStmt, *ast.KeyValueExpr, *ast.SendStmt:
		return true
	}
	return false
}

// whole returns the largest expression around a use that is the slice, cut or extended.
func (l *leaving) whole(id *ast.Ident) (ast.Expr, *prove.Reason) {
	e := ast.Expr(id)
	for {
		switch up := l.fn.File.Parent(e).(type) {
		case *ast.ParenExpr:
			e = up
			continue
		case *ast.SliceExpr:
			if up.X == e {
				if l.cut = true; !prove.Shortens(l.fn.Info(), up) {
					return nil, prove.Refusef("it may be sliced beyond its length (%s)", l.p.Pos(up.Pos()))
				}
				e = up
				continue
			}
		case *ast.CallExpr:
			if _, several := l.fn.Info().TypeOf(up).(*types.Tuple); extended(l.p, l.fn.Info(), up) == e && !several {
				e = up
				continue
			}
		}
		return e, nil
	}
}

// last says where the slice is used in or after the statement that it leaves at.
func (l *leaving) last(id *ast.Ident, stmt ast.Stmt) *prove.Reason {
	f, info := l.fn.File, l.fn.Info()
	_, returns := stmt.(*ast.ReturnStmt)
	if loop := f.Loop(stmt); !returns && loop != nil && !code.Within(loop, l.decl) {
		return prove.Refusef("it leaves again and again (%s)", l.p.Pos(id.Pos()))
	}
	for other := range code.All[*ast.Ident](l.fn.Decl.Body) {
		if info.Uses[other] != l.v || other == id {
			continue
		}
		length, _ := f.Parent(other).(*ast.CallExpr)
		if code.Within(stmt, other) && (length == nil || code.Builtin(info, length) != "len") || !returns && other.Pos() > stmt.End() {
			return prove.Refusef("it is used after it leaves (%s)", l.p.Pos(other.Pos()))
		}
	}
	return nil
}

// null argues that what leaves is nil where it was nil before.
func (l *leaving) null() (model.Obligation, *prove.Reason) {
	o := model.Obligation{Text: "what leaves is nil where it was nil before", How: "proven", Why: "it was never nil, and its copy is not"}
	if l.value == nil {
		o.Why = "it was nil where nothing was appended, and a copy of nothing is"
		if l.cut {
			return o, prove.Refuse("it may be empty and not nil where it was cut")
		}
	}
	var promised []string
	for call := range code.All[*ast.CallExpr](l.fn.Decl.Body) {
		to := extended(l.p, l.fn.Info(), call)
		if to == nil || code.Var(l.fn.Info(), code.RootIdent(to)) != l.v || code.Builtin(l.fn.Info(), call) != "" {
			continue
		}
		target := code.Callee(l.fn.Info(), call)
		style := l.p.AppendStyle(target)
		switch {
		case style == nil:
			return o, prove.Refuse(target.Name() + " may return another slice than the one that it extends")
		case target.Signature().Results().Len() > 1 && l.value != nil:
			return o, prove.Refuse(target.Name() + " may return nil with an error")
		case !style.Full && !l.p.InModule(target) && target.Pkg().Path() != "fmt" && target.Pkg().Path() != "time":
			return o, prove.Refuse(target.Name() + " may make room and append nothing")
		case !style.Full:
			promised = append(promised, style.Assumed...)
		}
	}
	return prove.Assuming(o, promised), nil
}

// edits declare the array, and copy what leaves. What is extended where it leaves is extended in a statement of its own.
func (l *leaving) edits(n int64) ([]model.Edit, *prove.Reason) {
	p, f, name := l.p, l.fn.File, l.v.Name()
	array := code.FirstFree(l.fn.Decl, "room", "array", "small", "scratch")
	if array == "" {
		return nil, prove.Refuse("no name is free for the array")
	}
	typ := p.TypeText(l.fn, l.v.Type(), l.typed)
	elem := p.TypeText(l.fn, code.Core(l.v.Type()).(*types.Slice).Elem(), nil)
	begins, empty := array+"[:0]", typ+"(nil)"
	if _, plain := types.Unalias(l.v.Type()).(*types.Slice); !plain {
		begins = typ + "(" + begins + ")"
	}
	switch {
	case l.has > 0:
		empty = fmt.Sprintf("make(%s, 0, max(%d, len(%s)))", typ, l.has, name)
	case l.value != nil:
		empty = typ + "{}"
	}
	text := fmt.Sprintf("var %s [%d]%s\n%s := %s", array, n, elem, name, begins)
	edits := []model.Edit{p.Put(f, l.decl.Pos(), l.decl.End(), text)}
	for _, x := range l.exits {
		what := p.Source(f, x.slice)
		if _, call := ast.Unparen(x.slice).(*ast.CallExpr); call && l.apart(x) {
			edits, what = append(edits, p.Insert(f, x.stmt.Pos(), name+" = "+what+"\n")), name
		}
		if l.has > 0 && what != name {
			return nil, prove.Refusef("%s cannot be evaluated in a statement of its own", prove.Short(what))
		}
		edits = append(edits, p.Put(f, x.slice.Pos(), x.slice.End(), "append("+empty+", "+what+"...)"))
	}
	return edits, nil
}

// apart reports whether the slice can be extended before the rest of the return statement is evaluated.
func (l *leaving) apart(x exit) bool {
	ret, ok := x.stmt.(*ast.ReturnStmt)
	if !ok || code.StmtList(l.fn.File.Parent(ret)) == nil {
		return false
	}
	for _, e := range ret.Results {
		_, name := ast.Unparen(e).(*ast.Ident)
		if e != x.slice && !name && l.fn.Info().Types[e].Value == nil {
			return false
		}
	}
	return true
}
