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

// AppendRoom makes a slice that functions append to for as many elements as the benchmark's slices come to hold.
var AppendRoom = prove.Transformation{
	Name:     "append-room",
	Doc:      "A slice that is empty, or made with too little room, where functions begin to append to it, is made for as many elements as the benchmark's slices come to hold.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "append-room", "BenchmarkMarshal", "allocs", "one allocation for a message that several functions append to", 0),
	// It looks at the appends and calls of append style on the target's line and on those of its module's frames.
	Propose: func(p *prove.Program, o *prove.Offers) {
		seen := map[types.Object]bool{}
		prove.At(prove.Frames, func(s *prove.Site) {
			for call := range prove.On[*ast.CallExpr](s) {
				l := &lent{p: s.Program, fn: s.Fn, call: call}
				if !l.begins() || seen[l.v] {
					continue
				}
				if n := l.room(s.Target); n > l.has {
					seen[l.v] = true
					c, why := proposeAppendRoom(l, n)
					s.AddAt(s.Pos(call.Pos()), l.v.Name()+" grows while functions append to it", c, why)
				}
			}
		})(p, o)
	},
}

// mostLent is how many bytes such a slice has room for at most. Other callers than the benchmark's may need little: with 1408
// bytes instead of 64, a short message of x/crypto took four times as long or more; with 256, 1.2 to 1.4 times.
const mostLent = 256

// A lent is a slice that is made in a function and handed to one that appends to it.
type lent struct {
	p     *prove.Program
	fn    *prove.Function
	call  *ast.CallExpr // the extension that was found
	v     *types.Var    // the variable that it is in
	decl  ast.Stmt
	value ast.Expr // what makes it; nil for var s []T
	typed ast.Expr // the type, as it is written there
	asked ast.Expr // the room that it is made with, or nil
	has   int64    // that room, if it is constant
}

// extended returns the slice that a call extends, nil for other calls: flow.Extended, and in the module what a function's
// result is made of.
func extended(p *prove.Program, info *types.Info, call *ast.CallExpr) ast.Expr {
	target := code.Callee(info, call)
	if target == nil || p.Function(target) == nil {
		return flow.Extended(info, call)
	}
	decl := p.Function(target)
	sig := decl.Obj.Signature()
	for i := range min(sig.Params().Len(), len(call.Args)) {
		v := sig.Params().At(i)
		_, slice := code.Core(v.Type()).(*types.Slice)
		if slice && sig.Results().Len() > 0 && !sig.Variadic() && types.Identical(v.Type(), sig.Results().At(0).Type()) && p.FlowOf(decl, v).Results == 1 {
			return call.Args[i]
		}
	}
	return nil
}

// begins reads where the slice that a call extends is made in the function, unless first-room knows it.
func (l *lent) begins() bool {
	return l.declared() && (l.asked != nil || code.Builtin(l.fn.Info(), l.call) == "")
}

// declared reads where the slice that a call extends is made in the function: nil, empty, or with room.
func (l *lent) declared() bool {
	info := l.fn.Info()
	if l.v = code.Var(info, extended(l.p, info, l.call)); !code.Local(l.v) || l.fn.File.Literal(l.call) != nil {
		return false
	}
	l.decl = declaring(l.fn, l.v)
	name, typ, value := code.Declared(l.decl)
	if name == nil || info.Defs[name] != l.v {
		return false
	}
	l.value, l.typed = value, typ
	if value == nil {
		return true
	}
	made, _ := ast.Unparen(value).(*ast.CallExpr)
	if made == nil || code.Builtin(info, made) != "make" || len(made.Args) != 3 {
		l.typed = code.MadeEmpty(info, value)
		return l.typed != nil
	}
	l.typed, l.asked = made.Args[0], made.Args[2]
	l.has, _ = prove.ConstInt(info, l.asked)
	n, known := prove.ConstInt(info, made.Args[1])
	return known && n == 0
}

// room returns for how many elements the slice is to be made, 0 where the target is not that such a slice grows. Half of the
// bytes of growth are in the last array.
func (l *lent) room(t model.Target) int64 {
	elem := code.Core(l.v.Type()).(*types.Slice).Elem()
	if code.Generic(elem) || l.fn.File.Pkg.TypesSizes.Sizeof(elem) == 0 {
		return 0
	}
	size := l.fn.File.Pkg.TypesSizes.Sizeof(elem)
	if t.Bytes == 0 {
		return max(usualText/size, usualRoom)
	}
	if t.Block <= 2*fewBytes || !l.growsAt(t.At) {
		return 0
	}
	return min(t.Block, mostLent) / size
}

// growsAt reports whether a line extends a slice of the type.
func (l *lent) growsAt(at model.Pos) bool {
	fn := l.p.FunctionAt(at)
	if fn == nil {
		return false
	}
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if l.p.Covers(call, at.Line) && extended(l.p, fn.Info(), call) != nil {
			if t := fn.Info().TypeOf(call); types.Identical(code.Core(t), code.Core(l.v.Type())) {
				return true
			}
		}
	}
	return false
}

func proposeAppendRoom(l *lent, n int64) (*model.Change, *prove.Reason) {
	f := l.fn.File
	at := l.decl
	switch {
	case f.Commented(at):
		return nil, prove.Refuse("there is a comment where it is made")
	case !code.Predeclared(l.fn.Obj.Pkg(), at.Pos(), "make", "append"):
		return nil, prove.Refuse("make or append means something else there")
	}
	r := &extensions{p: l.p, seen: map[*types.Var]bool{}}
	if why := l.alone(r); why != nil {
		return nil, why
	}
	null := model.Obligation{Text: "nobody sees that it is not nil", How: "proven", Why: "it was made before, too; only its room is another"}
	if l.value == nil {
		if null.Why = l.never(); null.Why == "" {
			return nil, prove.Refuse("it stays nil where nothing is appended")
		}
	}
	text, why := l.made(n)
	if why != nil {
		return nil, why
	}
	room := "what append leaves is unspecified, so that nobody can rely on it"
	if l.asked != nil {
		room = "where append was not needed, only what asks for the capacity that make was given can tell"
	}
	return l.p.Change(l.fn, []model.Edit{l.p.Put(f, at.Pos(), at.End(), text)}, model.Change{
		Kind:  "append-room",
		Title: fmt.Sprintf("%s: make %s, which is appended to, for %d elements in %s", f.Pkg.Name, l.v.Name(), n, l.fn.Obj.Name()),
		Obligations: []model.Obligation{
			null,
			{Text: "the room is not shared", How: "proven", Why: "each append to it is to what the one before has left, here and in the functions that it is handed to"},
			{Text: "how much room it has does not show", How: "assumed", Why: room + r.asks},
			{Text: fmt.Sprintf("it comes to hold about %d elements", n), How: "assumed", Why: "measurement decides whether that pays"},
		},
		Retains: fmt.Sprintf("room for %d elements as long as what comes of it lives, however few are added", n),
	})
}

// made writes the statement that makes the slice.
func (l *lent) made(n int64) (string, *prove.Reason) {
	before, room := "", fmt.Sprint(n)
	if l.asked != nil {
		var why *prove.Reason
		if before, room, why = roomFor(l.p, l.fn, l.asked, n); why != nil {
			return "", why
		}
	}
	return fmt.Sprintf("%s%s := make(%s, 0, %s)", before, l.v.Name(), l.p.TypeText(l.fn, l.v.Type(), l.typed), room), nil
}

// alone says how the room could be shared: by two appends to one slice, or by what keeps the slice while more is appended.
func (l *lent) alone(r *extensions) *prove.Reason {
	if why := r.linear(l.fn, l.v); why != nil {
		return why
	}
	fl, last := l.p.FlowOf(l.fn, l.v), l.call.End()
	for call := range code.All[*ast.CallExpr](l.fn.Decl.Body) {
		if code.Var(l.fn.Info(), extended(l.p, l.fn.Info(), call)) == l.v {
			last = max(last, call.End())
		}
	}
	for _, leak := range fl.Leaks {
		if loop := l.fn.File.Loop(leak.At); leak.At.End() < last || loop != nil && !code.Within(loop, l.decl) {
			return prove.Refusef("it is %s before all is appended", leak.Why)
		}
	}
	return nil
}

// never says why nobody can tell that the slice is not nil where nothing was appended; "" if somebody might.
func (l *lent) never() string {
	if outside(l.p.FlowOf(l.fn, l.v)) == "" {
		return "nothing can tell nil from empty"
	}
	list := code.StmtList(l.fn.File.Parent(l.decl))
	for _, s := range list[slices.Index(list, l.decl)+1:] {
		if !code.Mentions(l.fn.Info(), s, l.v) {
			continue
		}
		var e ast.Expr
		switch s := s.(type) {
		case *ast.AssignStmt:
			e = s.Rhs[0]
		case *ast.ReturnStmt:
			e = s.Results[0]
		}
		if call, ok := e.(*ast.CallExpr); ok {
			if _, style := l.p.Appending(l.fn.Info(), call); style != nil && style.Full {
				return "the first that is done with it appends an element at least"
			}
		}
		break
	}
	return ""
}
