package propose

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// scratchResult gives an append-style call whose result stays in the method an
// array in the receiver's struct to append to.
type scratchResult struct{ savesAllocs }

// Name is the kind of the changes.
func (scratchResult) Name() string { return "scratch-for-result" }

// Doc describes the transformation.
func (scratchResult) Doc() string {
	return "An append-style call with a nil destination, such as h.Sum(nil), whose result is only looked at within the method appends to a field of the receiver instead."
}

// Evidence is the proof that it pays.
func (scratchResult) Evidence() *rule.Evidence {
	return proof("scratch-for-result", "BenchmarkValid", "allocs", "no allocation for a checksum that is only compared", 0)
}

// A passing is such a call. Its storage needs at most bound bytes, else append
// makes new storage as before.
type passing struct {
	call  *ast.CallExpr
	name  string // of the function called
	bound int
}

// Propose looks at the calls on the target's line and on those of the module's
// frames around it.
func (r scratchResult) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: r.Name(), target: t}
	p.eachPlace(places(t, true), func(fn *function, at model.Pos) {
		for _, c := range p.passingsAt(fn, at.Line) {
			ch, why := r.propose(p, fn, c)
			o.add(at, types.ExprString(c.call)+" gets a new slice every time", ch, why)
		}
	})
	return o.changes, o.refusals
}

// passingsAt returns the calls on a line that append a bounded number of
// bytes to nil and are not stored in a field, which is reuse's case.
func (p *Program) passingsAt(fn *function, line int) []passing {
	var found []passing
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || !p.covers(call, line) || !isNil(fn.info(), call.Args[0]) {
			return true
		}
		target := callee(fn.info(), call)
		if target == nil || !isInterfaceMethod(target) && p.local(target) {
			return true
		}
		if c := contractOf(target); c != nil && c.appends && c.bound > 0 && !p.storedDirectly(fn, call) {
			found = append(found, passing{call, target.Name(), c.bound})
		}
		return true
	})
	return found
}

func (p *Program) storedDirectly(fn *function, call *ast.CallExpr) bool {
	for n := fn.file.parent(call); n != nil; n = fn.file.parent(n) {
		switch a := n.(type) {
		case *ast.SliceExpr, *ast.ParenExpr:
		case *ast.AssignStmt:
			return p.stored(fn, a) != nil
		default:
			return false
		}
	}
	return false
}

func (r scratchResult) propose(p *Program, fn *function, c passing) (*model.Change, string) {
	m, why := p.methodOf(fn)
	if why != "" {
		return nil, why
	}
	if why := p.receiverAt(m, c.call); why != "" {
		return nil, why
	}
	fl := &flow{p: p, fn: fn}
	fl.expr(c.call)
	fl.drain()
	switch {
	case len(fl.leaks) > 0:
		return nil, fmt.Sprintf("it is %s (%s)", fl.leaks[0].why, p.pos(fl.leaks[0].at.Pos()))
	case fl.results != 0:
		return nil, "it is returned"
	case fl.capSeen:
		return nil, "its capacity is asked for"
	}
	if loop := fn.file.loop(c.call); loop != nil {
		for _, v := range fl.vars {
			if !within(loop, fl.definition(v)) || fn.file.loop(fl.definition(v)) != loop {
				return nil, v.Name() + " keeps it from one iteration to the next"
			}
		}
	}
	fl.assume([]string{contractOf(callee(fn.info(), c.call)).says})
	obligations, why := p.argue(m, "the result", c.call, fl)
	if why != "" {
		return nil, why
	}
	what := strings.TrimLeftFunc(strings.TrimPrefix(c.name, "Append"), func(r rune) bool { return !unicode.IsLetter(r) })
	field := p.fieldName(m, m.obj.Name(), what)
	if field == "" {
		return nil, "no name is free for the field"
	}
	array := types.NewArray(types.Typ[types.Byte], int64(c.bound))
	start, end := p.offset(c.call.Args[0].Pos()), p.offset(c.call.Args[0].End())
	edits, err := p.settle([]model.Edit{
		p.fieldEdit(m, field, fmt.Sprintf("[%d]byte", c.bound), fmt.Sprintf("%s is scratch space of %s: nothing in it outlives a call.", field, m.obj.Name())),
		p.edit(fn.file, start, end, m.recv.Name()+"."+field+"[:0]"),
	})
	if err != nil {
		return nil, err.Error()
	}
	return &model.Change{
		ID: changeID(r.Name(), fn.obj.FullName(), edits), Kind: r.Name(), Class: "B",
		Title: fmt.Sprintf("%s: keep the result of %s's %s in %s", m.file.pkg.Name, m.obj.Name(), c.name, m.named.Obj().Name()),
		Edits: edits, Obligations: obligations, Retains: p.retained(m, array),
	}, ""
}

// receiverAt checks that the receiver's name means the receiver at n, in the
// method's own body.
func (p *Program) receiverAt(m *method, n ast.Node) string {
	if m.file.literal(n) != nil {
		return "it stands in a function literal"
	}
	if assigned(m.info(), m.decl.Body, m.recv) {
		return "the receiver is assigned to or its address is taken"
	}
	scope := m.obj.Pkg().Scope().Innermost(n.Pos())
	if _, obj := scope.LookupParent(m.recv.Name(), n.Pos()); obj != m.recv {
		return "another variable hides the receiver there"
	}
	if hasGoto(m.decl.Body) {
		return m.obj.Name() + " uses goto"
	}
	return ""
}
