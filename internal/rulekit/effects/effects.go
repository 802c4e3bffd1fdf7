// Package effects says what calling a function does beyond computing: whether
// it blocks, does I/O, keeps its arguments, or is pure. What is found out
// about a package's functions travels to the packages that import it as
// facts; for the standard library a table stands in, so that a driver need not
// read its source.
//
// Blocks and IO are claims: set only where a path to a known blocking or I/O
// operation was seen, through static calls. Pure and Keeps are obligations:
// Pure is set, and Keeps cleared, only where everything was seen. A rule that
// accuses asks for the first two, a fix that moves code for the others. Keeps is what
// package flow finds, with what these facts tell of calls.
package effects

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Analyzer finds out about a package's functions.
var Analyzer = &analysis.Analyzer{
	Name:       "pawleffects",
	Doc:        "what calling a function does beyond computing",
	Requires:   []*analysis.Analyzer{index.Analyzer},
	ResultType: reflect.TypeFor[*Effects](),
	FactTypes:  []analysis.Fact{new(Fact)},
	Run:        run,
}

// A Fact is what is known of one function.
type Fact struct {
	Blocks bool   // may wait for another goroutine, a lock or a timer
	IO     bool   // may reach files, network or another process
	Pure   bool   // reads and writes nothing but its arguments' copies and fresh memory; may panic, may allocate
	Keeps  uint64 // bit i: may keep parameter i (the receiver is 0 if there is one) after it returns; all set when not known
	Nils   uint64 // bit i: of parameter i that is not kept, what it does shows whether it is nil
	Why    string // for Blocks and IO: the operation, "os.Open at x.go:12"
}

// AFact makes Fact an analysis.Fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	var parts []string
	for _, p := range []struct {
		on   bool
		name string
	}{{f.Blocks, "blocks"}, {f.IO, "io"}, {f.Pure, "pure"}, {f.Keeps != unknown, fmt.Sprintf("keeps %b", f.Keeps)}} {
		if p.on {
			parts = append(parts, p.name)
		}
	}
	return strings.Join(parts, " ")
}

const unknown = ^uint64(0)

// Effects answers for the functions that a package can call.
type Effects struct {
	pass  *analysis.Pass
	local map[*types.Func]*Fact
	told  map[*types.Func]*Fact // of the package's functions, in reading the one at hand
}

// Of returns what is known of a function; never nil.
func (e *Effects) Of(f *types.Func) *Fact {
	if f == nil {
		return &Fact{Keeps: unknown}
	}
	f = f.Origin()
	if fact, ok := e.local[f]; ok {
		if e.told != nil {
			e.told[f] = fact
		}
		return fact
	}
	if fact := standard(f); fact != nil {
		return fact
	}
	fact := new(Fact)
	if e.pass.ImportObjectFact(f, fact) {
		return fact
	}
	return &Fact{Keeps: unknown}
}

// Call returns what is known of the function that a call calls.
func (e *Effects) Call(call *ast.CallExpr) *Fact {
	switch callee := typeutil.Callee(e.pass.TypesInfo, call).(type) {
	case *types.Builtin:
		switch callee.Name() {
		case "len", "cap", "min", "max", "new", "make", "complex", "real", "imag", "append":
			return &Fact{Pure: callee.Name() != "append", Keeps: unknown}
		}
		return &Fact{Keeps: unknown}
	case *types.Func:
		return e.Of(callee)
	}
	if tv, ok := e.pass.TypesInfo.Types[call.Fun]; ok && tv.IsType() {
		return &Fact{Pure: true, Keeps: unknown} // a conversion
	}
	return &Fact{Keeps: unknown}
}

func run(pass *analysis.Pass) (any, error) {
	e := &Effects{pass: pass, local: map[*types.Func]*Fact{}}
	if Standard(pass.Pkg.Path()) {
		return e, nil // the table speaks for it
	}
	var bodies []*flow.Func
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if f, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					e.local[f] = &Fact{Keeps: unknown}
					bodies = append(bodies, &flow.Func{Obj: f, Decl: fd, Body: fd.Body, Info: pass.TypesInfo})
				}
			}
		}
	}
	e.rounds(bodies)
	for f, fact := range e.local {
		if fact.Blocks || fact.IO || fact.Pure || fact.Keeps != unknown {
			pass.ExportObjectFact(f, fact)
		}
	}
	return e, nil
}

// rounds reads functions until nothing more is found out about any; one is read again
// when what was told of others no longer holds. Claims grow and so does Pure, which
// starts false: a recursive function is never pure. Ten rounds follow any chain of calls
// that is worth it.
func (e *Effects) rounds(bodies []*flow.Func) {
	last := make([]map[*types.Func]*Fact, len(bodies)) // what was told in reading each
	for range 10 {
		changed := false
		for i, fn := range bodies {
			if last[i] != nil && e.holds(last[i]) {
				continue
			}
			last[i] = map[*types.Func]*Fact{}
			e.told = last[i]
			once := *fn // what reading it keeps of it is larger than its syntax, and it is seldom read again
			once.Tree = &code.Tree{Root: fn.Decl}
			if fact := e.read(&once); *fact != *e.local[fn.Obj] {
				e.local[fn.Obj], changed = fact, true
			}
		}
		if !changed {
			break
		}
	}
	e.told = nil
}

// holds reports whether what was told of functions is still all that is known.
func (e *Effects) holds(told map[*types.Func]*Fact) bool {
	for f, fact := range told {
		if e.local[f] != fact {
			return false
		}
	}
	return true
}
