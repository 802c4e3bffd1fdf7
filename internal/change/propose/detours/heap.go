package detours

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// TypedHeap keeps a heap of a known type without an interface.
var TypedHeap = prove.Transformation{
	Name: "typed-heap",
	Doc: "heap.Push, Pop, Fix, Init and Remove of a heap whose type is known become functions for that type. They call its methods directly, " +
		"so that these are inlined, and elements that are no pointers are not boxed.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "typed-heap", "BenchmarkNearest", "allocs", "no allocation for each element that is pushed or popped", 0),
	// It looks at the calls around the target's line and those of the module's frames: the time is spent in package heap,
	// and in the methods that it calls.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if h := heapAt(s.Program, s.Fn, call); h != nil {
				c, why := h.propose()
				s.Add(prove.Short(types.ExprString(call.Args[0]))+" is a heap behind an interface", c, why)
			}
		}
	}),
}

// heapTexts are the functions of package heap for one type, each in the words of that package, which a test compares. The type
// stands for $T, $N is what names end in, $E the type of an element, and $A asserts it.
var heapTexts = map[string]string{
	"Init": `// init$N is heap.Init of a $T.
func init$N(h $T) {
	n := h.Len()
	for i := n/2 - 1; i >= 0; i-- {
		down$N(h, i, n)
	}
}
`,
	"Push": `// push$N is heap.Push of a $T.
func push$N(h $T, x any) {
	h.Push(x)
	up$N(h, h.Len()-1)
}
`,
	"Pop": `// pop$N is heap.Pop of a $T.
func pop$N(h $T) $E {
	n := h.Len() - 1
	h.Swap(0, n)
	down$N(h, 0, n)
	return h.Pop()$A
}
`,
	"Remove": `// remove$N is heap.Remove of a $T.
func remove$N(h $T, i int) $E {
	n := h.Len() - 1
	if n != i {
		h.Swap(i, n)
		if !down$N(h, i, n) {
			up$N(h, i)
		}
	}
	return h.Pop()$A
}
`,
	"Fix": `// fix$N is heap.Fix of a $T.
func fix$N(h $T, i int) {
	if !down$N(h, i, h.Len()) {
		up$N(h, i)
	}
}
`,
	"up": `// up$N moves an element of a $T up to its place, as package heap does.
func up$N(h $T, j int) {
	for {
		i := (j - 1) / 2
		if i == j || !h.Less(j, i) {
			break
		}
		h.Swap(i, j)
		j = i
	}
}
`,
	"down": `// down$N moves an element of a $T down to its place, as package heap does, and reports whether it was moved.
func down$N(h $T, i0, n int) bool {
	i := i0
	for {
		j1 := 2*i + 1
		if j1 >= n || j1 < 0 {
			break
		}
		j := j1
		if j2 := j1 + 1; j2 < n && h.Less(j2, j1) {
			j = j2
		}
		if !h.Less(j, i) {
			break
		}
		h.Swap(i, j)
		i = j
	}
	return i > i0
}
`,
}

// A typedHeap is a type whose values are heaps, and a function that calls package heap with one.
type typedHeap struct {
	p     *prove.Program
	fn    *prove.Function // that the new functions stand below: the method Pop, or one with a call
	of    types.Type      // of the argument: a type with a name, or a pointer to one
	named *types.Named
	elem  types.Type // what its Pop returns, nil where that is not known
	only  bool       // elem is known of this build only
}

// heapAt returns the heap that a call works on, nil for others.
func heapAt(p *prove.Program, fn *prove.Function, call *ast.CallExpr) *typedHeap {
	if heapCall(fn.Info(), call) == "" {
		return nil
	}
	of := types.Unalias(fn.Info().TypeOf(call.Args[0]))
	base := of
	if ptr, ok := of.(*types.Pointer); ok {
		base = types.Unalias(ptr.Elem())
	}
	named, ok := base.(*types.Named)
	if !ok || types.IsInterface(named) {
		return nil
	}
	h := &typedHeap{p: p, fn: fn, of: of, named: named}
	pop := methodNamed(p, of, fn.Obj.Pkg(), "Pop")
	if pop == nil || p.DeclaredElsewhere(pop) != "" {
		return h
	}
	if pop.File.Pkg == fn.File.Pkg && prove.Editable(pop.File) == nil {
		h.fn = pop // the change is the same whichever call is looked at
	}
	if elem := returnedBy(pop); elem != nil {
		if _, ok := p.Reads(h.fn.File, elem, h.fn.Decl.End()); ok {
			of, own := types.Unalias(code.Pointee(elem)).(*types.Named)
			own = own && of.Obj().Pkg() == pop.Obj.Pkg() && len(pop.File.Pkg.IgnoredFiles) == 0
			h.elem, h.only = elem, !own
		}
	}
	return h
}

// heapCall returns which function of package heap a call is of, "" for others, and where one call gives all arguments.
func heapCall(info *types.Info, call *ast.CallExpr) string {
	target := code.Callee(info, call)
	if target == nil || target.Pkg() == nil || target.Pkg().Path() != "container/heap" || target.Signature().Params().Len() != len(call.Args) {
		return ""
	}
	if target.Signature().Recv() != nil || heapTexts[target.Name()] == "" {
		return ""
	}
	return target.Name()
}

// methodNamed returns a method of a type that the module declares, nil for others.
func methodNamed(p *prove.Program, of types.Type, from *types.Package, name string) *prove.Function {
	obj, _, _ := types.LookupFieldOrMethod(of, false, from, name)
	if method, ok := obj.(*types.Func); ok {
		return p.Function(method)
	}
	return nil
}

// returnedBy returns the type of all that a function returns as its one result, nil where it may differ.
func returnedBy(fn *prove.Function) (all types.Type) {
	differs := code.Here(fn.Decl.Body, func(r *ast.ReturnStmt) bool {
		if len(r.Results) != 1 {
			return true
		}
		t := fn.Info().TypeOf(r.Results[0])
		if all == nil {
			all = t
		}
		return types.IsInterface(t) || !types.Identical(t, all)
	})
	recovers := code.Any(fn.Decl.Body, func(*ast.DeferStmt) bool { return true })
	if differs != nil || recovers || all == types.Typ[types.UntypedNil] {
		return nil
	}
	return all
}

func (h *typedHeap) propose() (*model.Change, *prove.Reason) {
	p, f, end := h.p, h.fn.File, h.fn.Decl.End()
	if h.named.TypeArgs().Len() > 0 {
		return nil, prove.Refuse(h.named.Obj().Name() + " is generic, and its methods would be called by way of a dictionary")
	}
	of, ok := p.Reads(f, h.of, end)
	if !ok {
		return nil, prove.Refuse(h.named.Obj().Name() + " has no name outside the function")
	}
	if !code.Predeclared(h.fn.Obj.Pkg(), end, "bool", "int") {
		return nil, prove.Refuse("a name that is needed means something else there")
	}
	if other := p.IgnoredMention(f.Pkg, h.named.Obj().Name()); other != "" {
		return nil, prove.Refuse(other + ", for other builds, has " + h.named.Obj().Name() + ", too")
	}
	calls, why := h.calls()
	if why != nil {
		return nil, why
	} else if len(calls) == 0 {
		return nil, prove.Refuse("no file that may be edited has a call")
	}
	text, suffix := h.declare(of, calls)
	edits, ok := h.edits(calls, suffix)
	if !ok {
		return nil, prove.Refuse("the imports cannot be changed")
	}
	if text != "" {
		edits = append(edits, p.Below(h.fn, text))
	}
	return p.Change(h.fn, edits, model.Change{
		Kind:        "typed-heap",
		Title:       fmt.Sprintf("%s: keep the heap %s without an interface", f.Pkg.Name, h.named.Obj().Name()),
		Obligations: h.obligations(calls),
	})
}

// declare returns the functions that calls need, and what their names end in.
func (h *typedHeap) declare(of string, calls []heapUse) (text, suffix string) {
	anything := h.any(h.fn.File, h.fn.Decl.End())
	elem, asserted := anything, ""
	if h.elem != nil {
		elem, _ = h.p.Reads(h.fn.File, h.elem, h.fn.Decl.End())
		asserted = ".(" + elem + ")"
	}
	stem := []rune(h.named.Obj().Name())
	stem[0] = unicode.ToUpper(stem[0])
	text = h.p.Declare(h.fn.File, func(i int) (text string, names []string) {
		suffix = prove.Numbered(string(stem), i)
		for _, name := range needed(calls) {
			text += strings.NewReplacer("$T", of, "$N", suffix, "x any", "x "+anything, "$E", elem, "$A", asserted).Replace(heapTexts[name]) + "\n"
			names = append(names, strings.ToLower(name)+suffix)
		}
		return text, names
	})
	return text, suffix
}

// A heapUse is a call with a heap of the type.
type heapUse struct {
	file *prove.File
	call *ast.CallExpr
	name string
}

// calls returns the calls of package heap in the package that work on a heap of the type.
func (h *typedHeap) calls() (all []heapUse, why *prove.Reason) {
	info := h.fn.Info()
	for _, file := range h.fn.File.Pkg.Files {
		if prove.Editable(file) != nil {
			continue
		}
		for call := range code.All[*ast.CallExpr](file.Syntax) {
			name := heapCall(info, call)
			if name == "" || !types.Identical(info.TypeOf(call.Args[0]), h.of) {
				continue
			}
			if to := h.asserted(file, call); to != nil && file.Commented(to) {
				return nil, prove.Refuse("a comment stands in " + prove.Short(types.ExprString(to)))
			}
			if code.Acts(info, call.Args[1:]...) && h.moves(call.Args[0]) {
				return nil, prove.Refuse(prove.Short(types.ExprString(call)) + " may change which heap it is: whether that is read before is open")
			}
			all = append(all, heapUse{file, call, name})
		}
	}
	if h.only && !slices.ContainsFunc(all, func(u heapUse) bool { return h.asserted(u.file, u.call) != nil }) {
		h.elem = nil // nothing says that it is no other type on other platforms
	}
	return all, nil
}

// moves reports whether an expression may be another heap when other arguments have been evaluated.
func (h *typedHeap) moves(x ast.Expr) bool {
	info, x := h.fn.Info(), ast.Unparen(x)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND { // what holds a field stays where it is
		x = ast.Unparen(u.X)
		for sel, ok := x.(*ast.SelectorExpr); ok && info.Selections[sel] != nil && !info.Selections[sel].Indirect(); sel, ok = x.(*ast.SelectorExpr) {
			x = ast.Unparen(sel.X)
		}
		if sel, ok := x.(*ast.SelectorExpr); ok {
			x = sel.X
		} else if _, ok := x.(*ast.Ident); ok {
			return false
		}
	}
	return code.Changeable(h.fn.File.Pkg.Index(), info, x)
}

// mayBeNil reports whether a call may have a nil pointer, and begins with a method of values: an interface's says so in its panic.
func (h *typedHeap) mayBeNil(u heapUse) bool {
	first := "Len"
	if u.name == "Push" {
		first = "Push"
	}
	method, path, _ := types.LookupFieldOrMethod(h.of, false, h.fn.Obj.Pkg(), first)
	_, ofValues := types.Unalias(method.(*types.Func).Signature().Recv().Type()).(*types.Named)
	if _, ptr := h.of.(*types.Pointer); !ptr || !ofValues || len(path) > 1 {
		return false
	}
	x := ast.Unparen(u.call.Args[0])
	if fn := h.p.FunctionAt(h.p.Pos(u.call.Pos())); fn != nil && !code.WrittenIn(fn.Info(), fn.Decl, code.Var(fn.Info(), x)) {
		if made := fn.Value(code.Var(fn.Info(), x)); made != nil {
			x = ast.Unparen(made)
		}
	}
	address, ok := x.(*ast.UnaryExpr)
	return !ok || address.Op != token.AND
}

// asserted returns the assertion of what a call pops that is no longer needed; nil if there is none.
func (h *typedHeap) asserted(file *prove.File, call *ast.CallExpr) *ast.TypeAssertExpr {
	to, ok := file.Parent(call).(*ast.TypeAssertExpr)
	if !ok || h.elem == nil || to.Type == nil || !types.Identical(h.fn.Info().TypeOf(to), h.elem) {
		return nil
	}
	return to
}

// needed returns the functions that calls need, in their order in the file.
func needed(calls []heapUse) (all []string) {
	need := map[string]bool{}
	for _, u := range calls {
		need[u.name] = true
		need["up"] = need["up"] || u.name == "Push" || u.name == "Remove" || u.name == "Fix"
		need["down"] = need["down"] || u.name != "Push"
	}
	for _, name := range []string{"Init", "Push", "Pop", "Remove", "Fix", "up", "down"} {
		if need[name] {
			all = append(all, name)
		}
	}
	return all
}

// edits makes calls of the functions for the type, and drops imports that nothing needs any more.
func (h *typedHeap) edits(calls []heapUse, suffix string) (edits []model.Edit, ok bool) {
	var gone []ast.Node // of one file
	for i, u := range calls {
		f, call := u.file, u.call
		gone = append(gone, call.Fun)
		name := strings.ToLower(u.name) + suffix
		edits = append(edits, h.p.Put(f, call.Fun.Pos(), call.Fun.End(), name))
		if to := h.asserted(f, call); to != nil {
			edits = append(edits, h.p.Put(f, call.End(), to.End(), ""))
		} else if h.elem != nil && (u.name == "Pop" || u.name == "Remove") && h.used(f, call) {
			edits[len(edits)-1].New = h.any(f, call.Pos()) + "(" + name
			edits = append(edits, h.p.Insert(f, call.End(), ")"))
		}
		if i+1 < len(calls) && calls[i+1].file == f {
			continue
		}
		imports, ok := h.p.Reimport(f, gone[0].Pos(), nil, "container/heap", gone...)
		if !ok {
			return nil, false
		}
		edits, gone = append(edits, imports...), nil
	}
	return edits, true
}

// any returns how a file names the type of any value at a place.
func (h *typedHeap) any(f *prove.File, at token.Pos) string {
	if h.p.GoAtLeast(f, "go1.18") && code.Predeclared(h.fn.Obj.Pkg(), at, "any") {
		return "any"
	}
	return "interface{}"
}

// used reports whether something is made of what a call returns.
func (h *typedHeap) used(f *prove.File, call *ast.CallExpr) bool {
	switch f.Parent(call).(type) {
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
		return false
	}
	return true
}

func (h *typedHeap) obligations(calls []heapUse) []model.Obligation {
	name := h.named.Obj().Name()
	all := []model.Obligation{
		{Text: "the methods that are called are those that the interface led to", How: "proven", Why: "the static type of the argument is " + name + " or a pointer to it, and no interface"},
		{Text: "they are called in the same order, with the same arguments", How: "assumed",
			Why: "the functions are those of package heap in this Go release, and a test of pawl holds them to it; what it compares when is not promised"},
	}
	if h.elem != nil {
		all = append(all, model.Obligation{Text: "the type assertion of what is popped holds", How: "proven", Why: "each return of Pop has a value of that type"})
	}
	if slices.ContainsFunc(calls, h.mayBeNil) {
		all = append(all, model.Obligation{Text: "no heap is a nil pointer", How: "assumed", Why: "it would panic as before, with another text"})
	}
	return all
}
