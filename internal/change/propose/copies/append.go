package copies

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Append makes a function append to what it is given, whose result callers copy.
var Append = prove.Transformation{
	Name:     "append-result",
	Doc:      "A function of the package returns a []byte or string that it has put together, and callers append it to theirs, or write it to a buffer, at once. It becomes one that appends to what it is given.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "append-result", "BenchmarkEncode", "allocs", "no allocation for the parts of a message", 0),
	// It looks at the functions that the target's frames are in, and at those that their lines call.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, fn := range makersAt(s.Program, s.Fn, s.At.Line) {
			ch, why := remembered(s.Program, "append", fn, proposeAppend)
			s.Add(fn.Obj.Name()+" makes what callers copy", ch, why)
		}
	}),
}

// makersAt returns the function at a line, and the functions of its package that the line calls.
func makersAt(p *prove.Program, in *prove.Function, line int) []*prove.Function {
	all := []*prove.Function{in}
	for call := range code.All[*ast.CallExpr](in.Decl.Body) {
		callee := code.Callee(in.Info(), call)
		if callee == nil || !p.Covers(call, line) || callee.Pkg() != in.Obj.Pkg() {
			continue
		}
		if fn := p.Function(callee); fn != nil && fn != in {
			all = append(all, fn)
		}
	}
	return all
}

// A proposal is what is said of a function, whichever line asks.
type proposal struct {
	change *model.Change
	why    *prove.Reason
}

type proposalKey struct {
	kind string
	fn   *prove.Function
}

// remembered proposes a change of a function once for a program.
func remembered(p *prove.Program, kind string, fn *prove.Function, propose func(*prove.Program, *prove.Function) (*model.Change, *prove.Reason)) (*model.Change, *prove.Reason) {
	found := prove.Remember(p, proposalKey{kind, fn}, func() proposal {
		ch, why := propose(p, fn)
		return proposal{ch, why}
	})
	return found.change, found.why
}

func proposeAppend(p *prove.Program, fn *prove.Function) (*model.Change, *prove.Reason) {
	m := makerOf(p, fn)
	if m == nil || !m.worth() {
		return nil, nil
	}
	places, whole := m.places()
	if len(places) == 0 {
		return nil, nil
	}
	if why := m.editable(); why != nil {
		return nil, why
	}
	if why := m.rewrite(); why != nil {
		return nil, why
	}
	var fit []*place
	var assumed []string
	var last *prove.Reason
	for _, s := range places {
		relies := assumed
		if why := s.blind(&relies); why != nil {
			last = why
			continue
		}
		fit, assumed = append(fit, s), relies
	}
	if len(fit) == 0 {
		return nil, last
	}
	if why := m.declare(whole && len(fit) == len(places), fit, (*place).change); why != nil {
		return nil, why
	}
	return p.Change(fn, m.edits, model.Change{
		Kind:        "append-result",
		Title:       fmt.Sprintf("%s: %s appends to what its callers have", fn.File.Pkg.Name, fn.Obj.Name()),
		Obligations: m.obligations(assumed),
	})
}

// editable says why the function cannot be another one.
func (o *original) editable() *prove.Reason {
	if f := o.p.DeclaredElsewhere(o.fn); f != "" {
		return prove.Refuse(f + " declares it for other builds")
	}
	if doc := o.fn.Decl.Doc; doc != nil && strings.Contains(o.source(doc), "//go:") {
		return prove.Refuse("it has a directive for the compiler")
	}
	return prove.Editable(o.fn.File)
}

// worth reports whether some result is made: one that is there already needs no other way.
func (m *maker) worth() bool {
	if m.made != nil {
		return true
	}
	return slices.ContainsFunc(m.returns(), func(ret *ast.ReturnStmt) bool { return m.anew(ret.Results[0]) })
}

// places returns the calls whose result is copied, and whether these are all uses of the function that were read.
func (m *maker) places() (all []*place, whole bool) {
	calls, whole := m.calls()
	for call, f := range calls {
		if s := placeOf(m, f, call); s != nil {
			all = append(all, s)
		} else {
			whole = false
		}
	}
	slices.SortFunc(all, func(a, b *place) int { return cmp.Compare(a.call.Pos(), b.call.Pos()) })
	return all, whole
}

// calls returns the calls of the function in its package, with their files, and whether it is used in no other way.
func (o *original) calls() (all map[*ast.CallExpr]*prove.File, whole bool) {
	all, whole = map[*ast.CallExpr]*prove.File{}, true
	for _, use := range o.fn.File.Pkg.Index().Uses(o.fn.Obj) {
		e := use.Node()
		f := o.p.Files[o.p.Pos(e.Pos()).File]
		if f == nil {
			return nil, false
		}
		if sel, ok := f.Parent(e).(*ast.SelectorExpr); ok {
			e = sel
		}
		call, ok := f.Parent(e).(*ast.CallExpr)
		if ok = ok && call.Fun == e; ok {
			all[call] = f
		}
		whole = whole && ok
	}
	return all, whole
}

func (m *maker) obligations(assumed []string) []model.Obligation {
	name := m.fn.Obj.Name()
	all := []model.Obligation{
		{Text: "the same bytes arrive", How: "proven", Why: "what " + name + " made was only appended to or filled, and counts from where it begins now; callers copied it and did nothing else with it"},
		prove.Assuming(model.Obligation{Text: "nothing that " + name + " runs uses the destination meanwhile", How: "proven", Why: "it is a variable that only the caller has, or what is run was read and has no way to it"}, assumed),
		{Text: "where " + name + " fails or panics, the destination is as before", How: "proven", Why: "bytes behind its end are written; its length changes after the call"},
	}
	if m.kept == "" {
		all = append(all, model.Obligation{Text: "other callers get what they got", How: "proven", Why: strings.TrimSpace(name + " calls the new function with nothing to append to, and what was nil or empty still is")})
	}
	return all
}
