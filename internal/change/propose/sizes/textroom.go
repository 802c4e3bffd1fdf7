package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/change/propose/sizes/bounds"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// TextRoom grows a builder once for as many bytes as the benchmark's texts come to have.
var TextRoom = prove.Transformation{
	Name:     "text-room",
	Doc:      "A local strings.Builder or bytes.Buffer that grows while it is written to, by as much as nobody knows before, is grown once for as many bytes as the benchmark's texts come to have. So is one that was grown for too few.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "text-room", "BenchmarkList", "allocs", "one allocation for the whole text", 0),
	// It looks at the builders that the lines of the target and of its module's frames name: another function may
	// write to one.
	Propose: func(p *prove.Program, o *prove.Offers) {
		seen := map[types.Object]bool{}
		prove.At(prove.Frames, func(s *prove.Site) {
			size := textSize(s.Target)
			for _, b := range buildersOn(s.Program, s.Fn, s.At.Line) {
				v := code.Var(s.Fn.Info(), b.to)
				if grown := b.grown(); size == 0 || seen[v] || grown != nil && s.Covers(grown, s.At.Line) {
					continue
				}
				seen[v] = true
				if known, _ := proposeGrow(b); known != nil {
					continue
				}
				c, why := proposeTextRoom(b, size)
				s.AddAt(s.Pos(b.to.Pos()), b.name+" grows while it is written to", c, why)
			}
		})(p, o)
	},
}

// How many bytes a builder is grown for: at most, and where nothing is measured. Other callers than the benchmark's may need
// little: with room for 1024 bytes, a text of 48 takes 1.4 times as long, one of 24 1.9 times and one of 8 five times; with
// 16 KB, 9, 13 and 40 times.
const (
	mostText  = 1 << 10
	usualText = 128
)

// textSize returns how many bytes a text comes to have whose growth is the target: half of the bytes are in its last
// array. It is 0 where it is not a builder that allocates, or hardly anything.
func textSize(t model.Target) int64 {
	if t.Bytes == 0 {
		return usualText
	}
	in := strings.HasPrefix(t.Leaf.Func, "strings.(*Builder)") || strings.HasPrefix(t.Leaf.Func, "bytes.(*Buffer)") || t.Leaf.Func == "bytes.growSlice"
	if !in || t.Block <= 2*fewBytes {
		return 0
	}
	return min(t.Block, mostText)
}

// buildersOn returns the local builders that a line names, of those that are declared empty.
func buildersOn(p *prove.Program, fn *prove.Function, line int) (found []*builder) {
	for id := range code.All[*ast.Ident](fn.Decl.Body) {
		v, ok := fn.Info().Uses[id].(*types.Var)
		lit := fn.File.Literal(id)
		if !ok || !p.Covers(id, line) || lit != nil && !code.Declares(lit, v) ||
			!code.IsNamed(v.Type(), "strings", "Builder") && !code.IsNamed(v.Type(), "bytes", "Buffer") {
			continue
		}
		b := &builder{growing: growing{counter: counter{p, fn, id}, typ: v.Type()}, name: id.Name}
		if b.declared(id) {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b *builder) int { return cmp.Compare(a.to.Pos(), b.to.Pos()) })
	return found
}

// copied returns the first place that uses the value of a builder, "" if there is none.
func (b *builder) copied(v types.Object) string {
	if _, pointer := v.Type().Underlying().(*types.Pointer); pointer {
		return ""
	}
	for id := range prove.UsesIn(b.fn.Info(), b.fn.Decl.Body, v) {
		switch up := b.fn.File.Parent(id).(type) {
		case *ast.SelectorExpr:
			continue
		case *ast.UnaryExpr:
			if up.Op == token.AND {
				continue
			}
		}
		return b.p.Pos(id.Pos()).String()
	}
	return ""
}

func proposeTextRoom(b *builder, size int64) (*model.Change, *prove.Reason) {
	fn, f := b.fn, b.fn.File
	grown := b.grown()
	if why := b.open(grown); why != nil {
		return nil, why
	}
	if grown != nil && f.Commented(b.mention()) {
		return nil, prove.Refuse("there is a comment where it is grown")
	}
	v := fn.Info().Uses[b.to.(*ast.Ident)]
	if at := b.copied(v); at != "" {
		return nil, prove.Refuse("it is copied at " + at + ": a builder that has room cannot be, or shares it")
	}
	first := b.mention()
	if first == nil {
		return nil, prove.Refuse("what is first written to it is not in the list of statements that declares it")
	}
	at, end, text := b.p.Offset(first.Pos()), b.p.Offset(first.Pos()), fmt.Sprintf("%s.Grow(%d)\n", b.name, size)
	if grown != nil {
		before, room, why := roomFor(b.p, fn, grown.Args[0], size)
		if why != nil {
			return nil, why
		}
		end, text = b.p.Offset(first.End()), fmt.Sprintf("%s%s.Grow(%s)", before, b.name, room)
	}
	return b.p.Change(fn, []model.Edit{b.p.Edit(f, at, end, text)}, model.Change{
		Kind:  "text-room",
		Title: fmt.Sprintf("%s: grow %s in %s for %d bytes", f.Pkg.Name, b.name, fn.Obj.Name(), size),
		Obligations: []model.Obligation{b.unseen(), {Text: fmt.Sprintf("it comes to hold about %d bytes", size), How: "assumed",
			Why: "measurement decides whether that pays"}},
		Retains: fmt.Sprintf("room for %d bytes as long as %s or its text lives, however few are written", size, b.name),
	})
}

// mention returns the first statement of the list behind the declaration that mentions the builder, or nil.
func (b *builder) mention() ast.Stmt {
	v := b.fn.Info().Uses[b.to.(*ast.Ident)]
	for _, s := range b.list[b.made+1:] {
		if code.Mentions(b.fn.Info(), s, v) {
			return s
		}
	}
	return nil
}

// grown returns the call that grows the builder before anything is written to it, or nil.
func (b *builder) grown() *ast.CallExpr {
	s, ok := b.mention().(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := s.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Grow" || !code.SameVariable(b.fn.Info(), sel.X, b.to) {
		return nil
	}
	return call
}

// roomFor writes the room that an expression asks for, or size if that is more, with what stands before its statement. What
// is negative stays so, and panics.
func roomFor(p *prove.Program, fn *prove.Function, asked ast.Expr, size int64) (before, room string, why *prove.Reason) {
	what := types.ExprString(asked)
	n, known := prove.ConstInt(fn.Info(), asked)
	switch {
	case known && n >= size:
		return "", "", prove.Refuse("it has room for as many")
	case known && n >= 0:
		return "", fmt.Sprint(size), nil
	case !types.Identical(fn.Info().TypeOf(asked), types.Typ[types.Int]):
		return "", "", prove.Refuse(what + " is no int")
	}
	room, less := code.FreeLocal(fn.Decl, "room"), ""
	if !(bounds.Bounder{Prog: p, Fn: fn, At: asked}).Of(asked).Least {
		less = "0 <= " + room + " && "
	} else if p.GoAtLeast(fn.File, "go1.21") && code.Predeclared(fn.Obj.Pkg(), asked.Pos(), "max") {
		return "", fmt.Sprintf("max(%s, %d)", p.Source(fn.File, asked), size), nil
	}
	return fmt.Sprintf("%[1]s := %[2]s\nif %[4]s%[1]s < %[3]d {\n\t%[1]s = %[3]d\n}\n", room, p.Source(fn.File, asked), size, less), room, nil
}
