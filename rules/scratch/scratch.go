// Package scratch finds maps, slices and buffers that are made anew in each
// iteration, or on each call, and dropped at its end.
package scratch

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "scratch",
	Title: "working memory made anew in each iteration or call",
	IDs:   []string{"C03"}, Seeds: []string{"000", "003"},
	Tier: rule.Profiled, Fix: rule.B, Escapes: true,
	Why: "A map, slice or bytes.Buffer that does not outlive an iteration is allocated, grown, cleared and collected once per iteration. Made before " +
		"the loop and emptied in it, it is grown once.",
	WhenNot: "The value is stored, returned, sent, captured by a function literal that may run later, given to a goroutine or to a function that may keep it, or compared " +
		"with nil. A strings.Builder is left alone: its Reset gives the memory away, since the string shares it.",
	Gap: "Only a profile or the compiler can tell whether the value is on the heap; one that stays on the stack costs next to nothing. The memory of " +
		"the largest iteration is kept until the loop ends. A make of a negative length panics even if the loop does not run. Clear of a map that was " +
		"once large walks all of it, so one large batch before many small ones makes the loop slower. The form per call has no fix: the memory would " +
		"have to belong to the caller, a field or a pool.",
	Signature: "runtime.makemap, internal/runtime/maps.NewMap, runtime.makeslice or bytes.growSlice in alloc_objects, below a line in the loop",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkDistinct", Metric: "cpu",
		Claimed: "one buffer that is reused instead of one per iteration took 436 ns instead of 1033 ns", Ratio: 2.37,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer, effects.Analyzer)

func run(p *rule.Pass) {
	funcs := flow.Funcs{}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.DeclStmt)(nil), (*ast.AssignStmt)(nil)) {
		s := &scratch{p: p, funcs: funcs, cur: cur, decl: cur.Node().(ast.Stmt), eff: p.ResultOf[effects.Analyzer].(*effects.Effects)}
		if !s.declares() || !s.stays() || s.stack() {
			continue
		}
		block, ok := cur.Parent().Node().(*ast.BlockStmt)
		if !ok {
			continue
		}
		switch loop, ok := code.Loop(cur); {
		case ok && code.Body(loop.Node()) == block:
			s.loop = loop
			s.report()
		case !ok:
			s.perCall(block)
		}
	}
}

// A scratch is one declaration of working memory.
type scratch struct {
	p     *rule.Pass
	eff   *effects.Effects
	funcs flow.Funcs
	cur   inspector.Cursor
	decl  ast.Stmt
	v     *types.Var
	x     ast.Expr // first value; nil for var x T
	typ   ast.Expr // of var x T, or the type that is made
	kind  kind
	size  ast.Expr // length of a slice, or the hint or capacity
	loop  inspector.Cursor

	grows   bool // some use appends
	extends bool // some use does by a function that appends
	calls   bool // some use passes it to a function
	nilSeen bool // some use may tell nil from empty
	dynamic bool // some use passes it to a method of an interface, so that it is on the heap
}

type kind int

const (
	aMap   kind = iota
	empty       // a slice without elements
	filled      // a slice of zeroes
	buffer      // a bytes.Buffer or a pointer to one
)

// declares reads the declaration; ok is false if it makes nothing that could
// be used again.
func (s *scratch) declares() bool {
	name, typ, value := code.Declared(s.decl)
	if _, assigned := s.decl.(*ast.AssignStmt); name == nil || assigned != (value != nil) {
		return false
	}
	if s.typ = typ; value != nil {
		s.x = ast.Unparen(value)
	}
	s.v, _ = s.p.TypesInfo.Defs[name].(*types.Var)
	return s.v != nil && s.reads()
}

// reads finds out what kind of memory the first value is.
func (s *scratch) reads() bool {
	info := s.p.TypesInfo
	if code.IsNamed(s.v.Type(), "bytes", "Buffer") {
		s.kind = buffer
		return s.x == nil && !isPointer(s.v.Type()) || freshBuffer(info, s.x)
	}
	_, isMap := s.v.Type().Underlying().(*types.Map)
	_, isSlice := s.v.Type().Underlying().(*types.Slice)
	switch x := s.x.(type) {
	case nil:
		s.kind = empty
		return isSlice
	case *ast.CompositeLit:
		if isMap {
			s.kind = aMap
		} else {
			s.kind = empty
		}
		s.typ = x.Type
		return len(x.Elts) == 0 && (isMap || isSlice)
	case *ast.CallExpr:
		return code.IsBuiltin(info, x, "make") && s.made(x, isMap, isSlice)
	}
	return false
}

// made reads the arguments of make.
func (s *scratch) made(call *ast.CallExpr, isMap, isSlice bool) bool {
	s.typ = call.Args[0]
	if len(call.Args) > 1 {
		s.size = call.Args[1]
	}
	if isMap || !isSlice {
		s.kind = aMap
		return isMap
	}
	if n, ok := code.Int(s.p.TypesInfo, s.size); ok && n == 0 {
		s.kind, s.size = empty, nil
		if len(call.Args) == 3 {
			s.size = call.Args[2]
		}
		return true
	}
	s.kind = filled
	return len(call.Args) == 2
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// freshBuffer reports whether an expression makes an empty buffer.
func freshBuffer(info *types.Info, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.UnaryExpr:
		return freshBuffer(info, x.X)
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.CallExpr:
		if code.IsFunc(info, x, "bytes", "NewBuffer") {
			return info.Types[x.Args[0]].IsNil()
		}
		return code.IsBuiltin(info, x, "new")
	}
	return false
}

// stack reports whether a slice of constant size is used in ways that leave it
// on the stack, or a slice is never filled at all.
func (s *scratch) stack() bool {
	const limit = 64 << 10 // of implicit variables, cmd/compile/internal/ir
	switch s.kind {
	case empty:
		return !s.grows && !(s.extends && s.dynamic)
	case filled:
		n, ok := code.Int(s.p.TypesInfo, s.size)
		elem := s.v.Type().Underlying().(*types.Slice).Elem()
		return s.grows || ok && !s.calls && n*max(1, code.Size(s.p.TypesSizes, elem)) <= limit
	}
	return false
}

func (s *scratch) what() string {
	switch s.kind {
	case aMap:
		return "map"
	case buffer:
		return "buffer"
	}
	return "slice"
}

func (s *scratch) report() {
	f := rule.Finding{
		Pos: s.decl.Pos(), End: s.decl.End(), Hot: s.loop.Node(),
		Message: fmt.Sprintf("the %s %s is made anew in each iteration and dropped at its end; made before the loop, it can be emptied and used again",
			s.what(), s.v.Name()),
	}
	if edits := s.edits(); edits != nil {
		f.Fixes = []analysis.SuggestedFix{{Message: "Make it before the loop", TextEdits: edits}}
	}
	s.p.Report(f)
}

// recursive reports whether a function calls itself: then one piece of memory
// would not do.
func (s *scratch) recursive(f *types.Func, decl *ast.FuncDecl) bool {
	return slices.ContainsFunc(s.p.Index.Uses(f), func(cur inspector.Cursor) bool { return code.Within(decl, cur.Node()) })
}

// perCall reports memory that a function makes in its outermost block.
func (s *scratch) perCall(block *ast.BlockStmt) {
	decl, f := code.Decl(s.p.TypesInfo, s.cur)
	fn, _ := code.Func(s.cur)
	if f == nil || code.FuncBody(fn.Node()) != block || s.kind == empty && !s.dynamic {
		return
	}
	if _, constant := code.Int(s.p.TypesInfo, s.size); s.kind == filled && constant {
		return
	}
	calls := s.p.ResultOf[callers.Analyzer].(*callers.Callers)
	if calls.OnlyAtStart(f) || s.recursive(f, decl) {
		return
	}
	found := rule.Finding{Pos: s.decl.Pos(), End: s.decl.End(), Class: rule.N, If: []rule.Condition{calls.OnRequest(f), calls.InLoop(f)}}
	name := f.Name()
	if fn.Node() != decl {
		if !code.Looped(s.p.Index, s.p.TypesInfo, s.cur) {
			return
		}
		found.If, name = nil, "a literal in a loop"
	}
	found.Message = fmt.Sprintf("the %s %s is made on each call of %s and dropped at its end; the caller, a field or a pool could keep it", s.what(), s.v.Name(), name)
	s.p.Report(found)
}
