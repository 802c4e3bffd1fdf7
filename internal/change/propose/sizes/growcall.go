package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Grow grows a builder once for all that is then written to it.
var Grow = prove.Transformation{
	Name:     "grow-once",
	Doc:      "A strings.Builder or bytes.Buffer that strings of known length are written to is grown once for the sum of their lengths.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "grow-once", "BenchmarkList", "allocs", "one allocation for the whole text", 0),
	// It looks at the writes on the target's line.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		if b := builderAt(s.Program, s.Fn, s.At.Line); b != nil {
			ch, why := proposeGrow(b)
			s.Add(b.name+" grows while it is written to", ch, why)
		}
	}),
}

// fewBytes is what growth costs next to nothing for.
const fewBytes = 16

func proposeGrow(b *builder) (*model.Change, *prove.Reason) {
	p, fn := b.p, b.fn
	if why := b.open(nil); why != nil {
		return nil, why
	}
	if why := b.collect(); why != nil {
		return nil, why
	}
	if b.first < 0 || len(b.loops) == 0 && (len(b.once) == 0 || b.fixed+len(b.once)*fewBytes <= fewBytes) {
		return nil, nil
	}
	if why := b.predeclared("len(", b.list[b.first]); why != nil {
		return nil, why
	}
	exact := model.Obligation{Text: "the length is that of what is written", How: "proven", Why: "every write between is of a string, a slice or a byte that is there before"}
	if b.spare {
		exact.Text += ", or little more"
		exact.Why += "; what a condition decides on is counted"
	}
	retains := ""
	if b.fewer {
		exact.How, exact.Why = "assumed", "a loop that writes ends early only when there is an error"
		retains = "room for all that may be written as long as " + b.name + " or its text lives"
	}
	return p.Change(fn, b.edits(), model.Change{
		Kind:        "grow-once",
		Title:       fmt.Sprintf("%s: grow %s in %s once", fn.File.Pkg.Name, b.name, fn.Obj.Name()),
		Obligations: []model.Obligation{b.unseen(), exact}, Retains: retains,
	})
}

// open says why a builder cannot be grown whatever is written to it, or grown for more by the call that grows it.
func (b *builder) open(grown *ast.CallExpr) *prove.Reason {
	switch body := b.fn.Decl.Body; {
	case code.Jumps(body):
		return prove.Refuse(b.fn.Obj.Name() + " uses goto")
	case b.asksRoom(body, grown):
		return prove.Refuse("its room is asked for, or set already")
	}
	for sel := range code.All[*ast.SelectorExpr](b.fn.Decl.Body) {
		if b.calls(sel, "Bytes") && code.IsNamed(b.typ, "bytes", "Buffer") && !b.looked(sel) && !b.written(sel) {
			return prove.Refusef("Bytes returns nil at %s where nothing is written", b.p.Pos(sel.Pos()))
		}
	}
	return nil
}

// looked reports whether what Bytes returns is only copied, measured or written: nil is like empty then.
func (b *builder) looked(sel *ast.SelectorExpr) bool {
	up := b.fn.File.Parent(b.fn.File.Parent(sel))
	if set, ok := up.(*ast.AssignStmt); ok {
		name, _, _ := code.Declared(set)
		v, _ := b.fn.Info().Defs[name].(*types.Var)
		return v != nil && outside(b.p.FlowOf(b.fn, v)) == ""
	}
	call, ok := up.(*ast.CallExpr)
	if !ok {
		return false
	}
	to, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return code.IsString(b.fn.Info().TypeOf(call)) && b.fn.Info().Types[call.Fun].IsType() ||
		code.Builtin(b.fn.Info(), call) != "" && (len(call.Args) == 1 || call.Ellipsis.IsValid()) || to != nil && to.Sel.Name == "Write"
}

// written reports whether a byte is surely written before a place.
func (b *builder) written(at ast.Node) bool {
	for n := at; n != nil; n = b.fn.File.Parent(n) {
		for _, s := range code.StmtList(b.fn.File.Parent(n)) {
			if s.End() >= at.Pos() {
				break
			}
			id, call := writes(b.fn.Info(), s)
			if id == nil || !code.SameVariable(b.fn.Info(), id, b.to) {
				continue
			}
			if n, _, arg := b.length(call); arg == nil && n > 0 {
				return true
			}
		}
	}
	return false
}

// unseen is the obligation that Grow changes nothing but the room.
func (b *builder) unseen() model.Obligation {
	room := model.Obligation{Text: "how much room " + b.name + " has does not show", How: "proven", Why: "nothing asks for it; Grow changes nothing else"}
	if b.cut() {
		room.How, room.Why = "assumed", "what Bytes returns is valid until the buffer changes only (package bytes); nothing else asks for it"
	}
	if at := b.handed(); at != "" {
		room.How, room.Why = "assumed", "it is handed on at "+at+"; how much room a buffer has is unspecified"
	}
	return room
}

// edits grows the builder before it is first written to.
func (b *builder) edits() []model.Edit {
	f, first := b.fn.File, b.list[b.first]
	terms := slices.Clone(b.once)
	for _, l := range b.loops {
		if x := b.p.Source(f, l.loop.X); l.fixed == 1 {
			terms = append(terms, "len("+x+")")
		} else if l.fixed > 1 {
			terms = append(terms, fmt.Sprintf("%d*len(%s)", l.fixed, x))
		}
	}
	if b.fixed > 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(b.fixed))
	}
	sum := strings.Join(terms, "+")
	text := fmt.Sprintf("%s.Grow(%s)\n", b.name, sum)
	if slices.ContainsFunc(b.loops, func(l listed) bool { return len(l.each) > 0 }) {
		n := code.FreeLocal(b.fn.Decl, "n")
		text = fmt.Sprintf("%s := %s\n", n, sum)
		for _, l := range b.loops {
			if len(l.each) > 0 {
				text += fmt.Sprintf("%s {\n\t%s += %s\n}\n", l.head(b), n, strings.Join(l.each, "+"))
			}
		}
		text += fmt.Sprintf("%s.Grow(%s)\n", b.name, n)
	}
	return []model.Edit{b.p.Insert(f, first.Pos(), text)}
}

// head writes the head of the loop with the variables that the lengths name.
func (l listed) head(b *builder) string {
	used := func(e ast.Expr) string {
		id, ok := e.(*ast.Ident)
		if !ok {
			return "_"
		}
		for _, x := range l.each {
			rest, _ := strings.CutPrefix(x, "len("+id.Name)
			if rest != x && (rest[0] == '.' || rest[0] == ')') {
				return id.Name
			}
		}
		return "_"
	}
	key, value := used(l.loop.Key), used(l.loop.Value)
	x := b.p.Source(b.fn.File, l.loop.X)
	if value == "_" {
		return fmt.Sprintf("for %s := range %s", key, x)
	}
	return fmt.Sprintf("for %s, %s := range %s", key, value, x)
}
