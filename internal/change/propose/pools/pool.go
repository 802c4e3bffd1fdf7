package pools

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// Pool takes an object that lives for one call, but not on the stack, from a
// package-level sync.Pool and puts it back when the call is done with it.
// Whether a field of the receiver can hold an array instead is asked of inField.
func Pool(inField func(*prove.Program, *prove.Function, *prove.Local) bool) prove.Transformation {
	return prove.Transformation{
		Name:     "pool",
		Doc:      "An object that is dead when the function returns, but escapes or grows on the heap, comes from a package-level sync.Pool: it is cleared, limited in size and put back. Where the bytes of a buffer are returned, or a part of a large array goes on, it is a copy of them.",
		Saves:    prove.Allocs,
		Evidence: prove.Evidence(proofs, "pool", "BenchmarkEmit", "allocs", "no allocation per call", 0),
		// Slice literals are looked at where they escape, and variables where they
		// are made or grown: a buffer grows in a line that writes to it, or in a
		// function that is given it.
		Propose: func(p *prove.Program, o *prove.Offers) {
			prove.At(prove.Near, func(s *prove.Site) { poolMade(s, inField) })(p, o)
			seen := map[types.Object]bool{}
			prove.At(prove.Frames, func(s *prove.Site) {
				poolGrown(s, seen)
				for _, r := range resultsAt(s.Program, s.Fn, s.At.Line) {
					c, why := r.propose(s.Program)
					s.Add(types.ExprString(r.Call)+madeAnew, c, why)
				}
			})(p, o)
		},
	}
}

const madeAnew = " is made anew by every call"

// poolMade offers pools for the arrays and slice literals of a site.
func poolMade(s *prove.Site, inField func(*prove.Program, *prove.Function, *prove.Local) bool) {
	if all := jointArraysAt(s, inField); all != nil {
		c, why := all.propose(s.Program)
		s.Add("each of "+fmt.Sprint(len(all.parts))+" arrays"+madeAnew, c, why)
	}
	for _, a := range arraysAt(s, inField) {
		c, why := a.propose(s.Program)
		s.Add(a.Name.Name+madeAnew, c, why)
	}
	for _, a := range copiedArraysAt(s) {
		c, why := a.propose()
		s.Add(a.v.Name()+madeAnew, c, why)
	}
	for _, t := range passedTexts(s.Program, s.Fn, s.At.Line) {
		c, why := t.propose(s.Program)
		s.Add(prove.Short(s.Source(s.Fn.File, t.arg))+madeAnew, c, why)
	}
	if prove.OnHeap(s.Target, s.At, func(n model.Note) bool { return strings.Contains(n.Message, "{...}") }) {
		for _, l := range passedLiterals(s.Program, s.Fn, s.At.Line) {
			c, why := l.propose(s.Program)
			s.Add(prove.Short(s.Source(s.Fn.File, l.lit))+madeAnew, c, why)
		}
	}
}

// poolGrown offers pools for the buffers of a site that were not seen before.
func poolGrown(s *prove.Site, seen map[types.Object]bool) {
	for _, b := range pooledBuffersAt(s.Program, s.Fn, s.At.Line) {
		if !seen[b.v] && b.costs(s.Target) {
			seen[b.v] = true
			c, why := b.propose(s.Program)
			s.AddAt(s.Pos(b.name.Pos()), b.name.Name+madeAnew, c, why)
		}
	}
}

// maxPooled is the size in bytes above which an object is left to the
// collector.
const maxPooled = 64 << 10

// A holder is the pool that a change declares.
type holder struct {
	name string // of the package variable
	elem string // what it holds pointers to, as source text
	made string // the expression that New returns
	init string // a statement before that
	kind string // the declaration of what it holds, where that is of a type of its own
	says string // its comment

	gone ast.Node // what the change removes and does not write anew
}

// declare returns the edits that declare the pool before a function and
// import sync, and what else the change names, where that is missing; or why
// that cannot be done.
func (h *holder) declare(p *prove.Program, fn *prove.Function, packages ...string) ([]model.Edit, *prove.Reason) {
	first := fn.Decl.Pos()
	if fn.Decl.Doc != nil {
		first = fn.Decl.Doc.Pos()
	}
	packages = append(packages, "sync")
	sync := p.Qualifier(fn.File, first, "sync")
	old, why := h.unused(fn)
	if why != nil {
		return nil, why
	}
	edits, ok := p.Reimport(fn.File, first, packages, old, h.gone)
	if !ok || sync == "" {
		return nil, prove.Refuse("package sync cannot be imported under its name")
	}
	at, empty := p.Offset(first), "any"
	if !p.GoAtLeast(fn.File, "go1.18") {
		empty = "interface{}"
	}
	body := " return " + h.made + " "
	if h.init != "" {
		body = "\n\t" + h.init + "\n\treturn " + h.made + "\n"
	}
	text := fmt.Sprintf("%s// %s\nvar %s = %s.Pool{New: func() %s {%s}}\n\n", h.kind, h.says, h.name, sync, empty, body)
	return append(edits, p.Edit(fn.File, at, at, text)), nil
}

// unused returns the import that only what is gone used, "" if there is none.
func (h *holder) unused(fn *prove.Function) (string, *prove.Reason) {
	old := ""
	if h.gone == nil {
		return old, nil
	}
	for _, spec := range fn.File.Syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if _, unused := code.Unused(fn.Info(), fn.File.Syntax, path, h.gone); err != nil || !unused {
			continue
		}
		if old != "" {
			return "", prove.Refuse("two imports are used in what handles its error alone")
		}
		old = path
	}
	return old, nil
}

// poolName returns a free name for the pool of things that a function calls
// what, or buf where that says too little; "" if there is none.
func poolName(p *prove.Program, fn *prove.Function, what string) string {
	if len(what) < 2 {
		what = "buf"
	}
	kind := code.UpperName(what)
	owner := ""
	if recv := code.ReceiverName(fn.Obj); recv != "" && recv != "?" {
		owner = code.LowerName(recv) + code.UpperName(fn.Obj.Name())
	}
	for _, name := range []string{code.LowerName(what) + "Pool", code.LowerName(fn.Obj.Name()) + kind + "Pool", owner + kind + "Pool"} {
		if p.Free(fn.File.Pkg, name) {
			return name
		}
	}
	return ""
}

// heldBefore refuses what is held in a variable, but for one, that is declared before the statement that takes it from
// the pool and defers putting it back: what was deferred before runs after that.
func heldBefore(fl *flow.Flow, stmt ast.Stmt, but *types.Var) *prove.Reason {
	for _, v := range fl.Vars {
		if v != but && fl.Definition(v).Pos() < stmt.Pos() {
			return prove.Refuse("a slice of it is held in " + v.Name() + ", which a deferred call may look at after it is put back")
		}
	}
	return nil
}

// ready is the obligation that the pool exists when it is first used.
func ready() model.Obligation {
	return model.Obligation{Text: "the pool is there before its first use", How: "proven",
		Why: "its initial value depends on no other variable and no call"}
}

// lost is the obligation on calls that end in a panic.
func lost(deferred bool) model.Obligation {
	why := "nothing is put back then: the collector takes it, and the pool makes a new one"
	if deferred {
		why = "the deferred call puts it back, and what runs after that no longer refers to it"
	}
	return model.Obligation{Text: "a panic between taking it and putting it back does no harm", How: "proven", Why: why}
}

// perP says what a pool keeps of objects of a size.
func perP(size string) string {
	return size + " per processor (GOMAXPROCS), until the second garbage collection after its last use"
}
