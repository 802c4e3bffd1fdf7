package propose

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// pool takes an object that lives for one call, but not on the stack, from a
// package-level sync.Pool and puts it back when the call is done with it.
type pool struct{ savesAllocs }

// Name is the kind of the changes.
func (pool) Name() string { return "pool" }

// Doc describes the transformation.
func (pool) Doc() string {
	return "An object that is dead when the function returns, but escapes or grows on the heap, comes from a package-level sync.Pool: it is cleared, limited in size and put back."
}

// Evidence is the proof that it pays.
func (pool) Evidence() *rule.Evidence {
	return proof("pool", "BenchmarkEmit", "allocs", "no allocation per call", 0)
}

// maxPooled is the size in bytes above which an object is left to the
// collector.
const maxPooled = 64 << 10

// Propose looks at slice literals where they escape, and at variables where
// they are made or grown: a buffer grows in a line that writes to it, or in a
// function that is given it.
func (o pool) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	offers := offers{kind: o.Name(), target: t}
	add := func(at model.Pos, what string, c *model.Change, why string) {
		offers.add(at, what+" is made anew by every call", c, why)
	}
	p.eachPlace(places(t, false), func(fn *function, at model.Pos) {
		for _, a := range p.pooledArrays(fn, t, at) {
			c, why := a.propose(p)
			add(at, a.name.Name, c, why)
		}
		if namesLiteral(t, at) {
			for _, l := range p.passedLiterals(fn, at.Line) {
				c, why := l.propose(p)
				add(at, short(p.source(fn.file, l.lit)), c, why)
			}
		}
	})
	seen := map[types.Object]bool{}
	p.eachPlace(places(t, true), func(fn *function, at model.Pos) {
		for _, b := range p.pooledBuffersAt(fn, at.Line) {
			if !seen[b.v] && b.costs(t) {
				seen[b.v] = true
				c, why := b.propose(p)
				add(p.pos(b.name.Pos()), b.name.Name, c, why)
			}
		}
	})
	return offers.changes, offers.refusals
}

// namesLiteral reports whether the compiler's notes for a line, if there are
// any, speak of a composite literal.
func namesLiteral(t model.Target, at model.Pos) bool {
	any := false
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape || len(n.Chain) == 0 || n.At().File != at.File || n.At().Line != at.Line {
			continue
		}
		any = true
		if strings.Contains(n.Message, "{...}") {
			return true
		}
	}
	return !any
}

// A holder is the pool that a change declares.
type holder struct {
	name string // of the package variable
	elem string // what it holds pointers to, as source text
	made string // the expression that New returns
	says string // its comment
}

// declare returns the edits that declare the pool before a function and
// import sync, and what else the change names, where that is missing; or why
// that cannot be done.
func (h *holder) declare(p *Program, fn *function, packages ...string) ([]model.Edit, string) {
	first := fn.decl.Pos()
	if fn.decl.Doc != nil {
		first = fn.decl.Doc.Pos()
	}
	packages = append(packages, "sync")
	sync := p.qualifier(fn.file, first, "sync")
	edits, ok := p.reimport(fn.file, first, packages, "")
	if !ok || sync == "" {
		return nil, "package sync cannot be imported under its name"
	}
	at, empty := p.offset(first), "any"
	if !p.atLeast(fn.file, "go1.18") {
		empty = "interface{}"
	}
	text := fmt.Sprintf("// %s\nvar %s = %s.Pool{New: func() %s { return %s }}\n\n", h.says, h.name, sync, empty, h.made)
	return append(edits, p.edit(fn.file, at, at, text)), ""
}

// poolName returns a free name for the pool of things that a function calls
// what; "" if there is none.
func (p *Program) poolName(fn *function, what string) string {
	kind := upper(what)
	owner := ""
	if recv := receiverName(fn.obj); recv != "" && recv != "?" {
		owner = lowerCamel(recv) + upper(fn.obj.Name())
	}
	for _, name := range []string{lowerCamel(what) + "Pool", lowerCamel(fn.obj.Name()) + kind + "Pool", owner + kind + "Pool"} {
		if !p.identifiers(fn.file.pkg)[name] && p.ignoredMention(fn.file.pkg, name) == "" {
			return name
		}
	}
	return ""
}

// freeName returns the first of some names that means nothing within a
// function or in its package, "" if all are taken.
func (p *Program) freeName(fn *function, names ...string) string {
	taken := map[string]bool{}
	ast.Inspect(fn.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	for _, name := range names {
		if name != "" && name != "_" && !taken[name] && types.Universe.Lookup(name) == nil {
			return name
		}
	}
	return ""
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

// hasPointers reports whether values of a type may refer to other memory.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return hasPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}
