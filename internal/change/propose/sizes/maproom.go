package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// MapRoom makes a map for as many entries as the benchmark's maps come to hold.
var MapRoom = prove.Transformation{
	Name:     "map-room",
	Doc:      "A map that is made without a size, and grows while it is filled with as many entries as nobody knows before, is made for as many as the benchmark's maps come to hold. That may be in a caller, or where the struct is made that holds it.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "map-room", "BenchmarkCount", "allocs", "no growth while words are counted", 0),
	// It looks at the stores on the target's line, which growth is attributed to.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		if Hinted(s.Program)[s.At] {
			return // how many there will be is known
		}
		for stmt := range prove.On[ast.Stmt](s) {
			a, ok := counter{p: s.Program, fn: s.Fn}.addition(stmt)
			if !ok || a.key == nil {
				continue
			}
			if n := entries(s, a.to, stmt); n > 0 {
				c, why := proposeMapRoom(&mapRoom{p: s.Program, target: s.Target}, s.Fn, a.to, n)
				s.Add(types.ExprString(a.to)+" grows while it is filled", c, why)
			}
		}
	}),
}

// What a map is made for at least where growth is looked at, and at most: it has a table of 16 slots for its ninth
// entry, twice as many when seven in eight are in use, and several tables above 1024 slots (Go 1.24 and later).
const (
	leastSlots = 16
	mixedSlots = 32
	mostSlots  = 1024
)

// entries returns how many entries a map is to be made for, 0 where it does not grow on the target's line. Half of
// the bytes that growth takes are in its last table, whose size gives the number of slots. Where most bytes are
// of other objects that are made on the line, or nothing is measured, it is a small number; a method that stores an entry
// makes such objects, and is of interest in a loop.
func entries(s *prove.Site, to ast.Expr, stmt ast.Stmt) int64 {
	m := code.Core(s.Fn.Info().TypeOf(to)).(*types.Map)
	if code.Generic(m.Key()) || code.Generic(m.Elem()) {
		return 0
	}
	group, slots := groupSize(s.Fn.File.Pkg.TypesSizes, m), int64(8)
	for slots < mostSlots && 2*slots/8*group <= s.Target.Block {
		slots *= 2
	}
	if slots < leastSlots {
		_, called := stmt.(*ast.ExprStmt)
		if called && s.Fn.File.Loop(stmt) == nil || s.Target.Bytes > 0 && !called && !allocates(s.Fn.Info(), stmt) {
			return 0
		}
		slots = mixedSlots
	}
	return slots / 8 * 7
}

// groupSize returns the bytes of a group of eight slots: a word of control bytes, and keys and values of up to 128
// bytes or pointers to them (internal/runtime/maps).
func groupSize(sizes types.Sizes, m *types.Map) int64 {
	of := func(t types.Type) types.Type {
		if sizes.Sizeof(t) > 128 {
			return types.NewPointer(t)
		}
		return t
	}
	slot := types.NewStruct([]*types.Var{
		types.NewField(0, nil, "key", of(m.Key()), false), types.NewField(0, nil, "elem", of(m.Elem()), false),
	}, nil)
	return 8 + 8*sizes.Sizeof(slot)
}

// A mapRoom looks for where a map is made.
type mapRoom struct {
	p      *prove.Program
	target model.Target
	seen   []*types.Var
	made   []making
}

// A making is an expression that makes a map empty without a size.
type making struct {
	file         *prove.File
	value, typed ast.Expr
}

// mostMakings is at how many places a map is made at most.
const mostMakings = 4

func proposeMapRoom(r *mapRoom, fn *prove.Function, to ast.Expr, n int64) (*model.Change, *prove.Reason) {
	r.from(fn, to)
	switch {
	case len(r.made) == 0:
		return nil, prove.Refuse("where it is made is not seen, or it has a size there")
	case len(r.made) > mostMakings:
		return nil, prove.Refusef("it is made at %d places", len(r.made))
	}
	var edits []model.Edit
	for _, m := range r.made {
		if why := prove.Editable(m.file); why != nil {
			return nil, why
		}
		if !code.Predeclared(m.file.Pkg.Types, m.value.Pos(), "make") {
			return nil, prove.Refuse("make means something else where it is made")
		}
		if m.file.Commented(m.value) {
			return nil, prove.Refuse("there is a comment where it is made")
		}
		edits = append(edits, r.p.Put(m.file, m.value.Pos(), m.value.End(),
			fmt.Sprintf("make(%s, %d)", r.p.Source(m.file, m.typed), n)))
	}
	what := types.ExprString(to)
	return r.p.Change(fn, edits, model.Change{
		Kind:  "map-room",
		Title: fmt.Sprintf("%s: make %s, which %s fills, for %d entries", fn.File.Pkg.Name, what, fn.Obj.Name(), n),
		Obligations: []model.Obligation{
			{Text: "the size that a map is made for does not show", How: "proven", Why: "the language has no way to ask for it"},
			{Text: fmt.Sprintf("it comes to hold about %d entries", n), How: "assumed", Why: "measurement decides whether that pays"},
		},
		Retains: fmt.Sprintf("room for %d entries as long as the map lives, however few are added", n),
	})
}

// from looks for where the map is made that an expression is in a function: where its variable or field gets a value,
// and for a parameter in the caller that the target's stack names.
func (r *mapRoom) from(fn *prove.Function, e ast.Expr) {
	v := code.Named(fn.Info(), e)
	if v == nil || !v.IsField() && !code.Local(v) || slices.Contains(r.seen, v) || len(r.made) > mostMakings {
		return
	}
	r.seen = append(r.seen, v)
	if i := code.ParameterIndex(fn.Obj.Signature(), v); i >= 0 || v == fn.Obj.Signature().Recv() {
		if caller, arg := r.passed(fn, i); arg != nil {
			r.from(caller, arg)
		}
	}
	r.p.EachUse(fn, v, func(f *prove.File, info *types.Info, e ast.Expr, up ast.Node) *prove.Reason {
		value := assigned(e, up)
		if value == nil || f.Test {
			return nil
		}
		if typed := code.MadeEmpty(info, value); typed != nil {
			r.made = append(r.made, making{f, ast.Unparen(value), typed})
		} else if at := r.p.FunctionAt(r.p.Pos(value.Pos())); at != nil {
			r.from(at, value)
		}
		return nil
	})
}

// passed returns what the caller on the target's stack gives a function for a parameter.
func (r *mapRoom) passed(fn *prove.Function, i int) (*prove.Function, ast.Expr) {
	for at, frame := range r.target.Stack {
		caller := r.p.FunctionAt(frame.Pos())
		if at == 0 || caller == nil || r.p.FunctionAt(r.target.Stack[at-1].Pos()) != fn {
			continue
		}
		for call := range code.All[*ast.CallExpr](caller.Decl.Body) {
			target := code.Callee(caller.Info(), call)
			if target == nil || !r.p.Covers(call, frame.Line) || target.Pos() != fn.Obj.Pos() {
				continue
			}
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); i < 0 && ok {
				return caller, sel.X
			}
			if i >= 0 && i < len(call.Args) {
				return caller, call.Args[i]
			}
		}
	}
	return nil, nil
}

// assigned returns the value that a statement or literal around a variable or field gives it, nil if it gives none.
func assigned(e ast.Expr, up ast.Node) ast.Expr {
	switch up := up.(type) {
	case *ast.KeyValueExpr:
		if up.Key == e {
			return up.Value
		}
	case *ast.AssignStmt:
		if i := slices.Index(up.Lhs, e); i >= 0 && len(up.Lhs) == len(up.Rhs) {
			return up.Rhs[i]
		}
	case *ast.ValueSpec:
		id, _ := e.(*ast.Ident)
		if i := slices.Index(up.Names, id); i >= 0 && len(up.Names) == len(up.Values) {
			return up.Values[i]
		}
	}
	return nil
}
