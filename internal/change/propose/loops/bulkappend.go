package loops

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

// BulkAppend appends the runs of bytes that a loop takes over as they are in
// one piece each.
var BulkAppend = prove.Transformation{
	Name:     "bulk-append",
	Doc:      "A loop over a string or []byte that appends the ordinary bytes, or characters, one by one looks for the end of each run of them and appends it at once.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "bulk-append", "BenchmarkEscape", "cpu", "an append for each run instead of one for each byte", 0),
	// It looks at the loops around the target's line and around those of the
	// module's frames: the time may be spent in what the loop calls.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, stmt := range loopsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeBulkAppend(s.Program, s.Fn, stmt, s.At.Line)
			s.AddAt(s.Pos(stmt.Pos()), "a loop appends one byte at a time", ch, why)
		}
	}),
}

// A byteRun is a place where a loop appends one byte.
type byteRun struct {
	loop *byteLoop
	sink *byteSink
	dst  string // the sink's destination, as the loop would write it
	// stmt is what the loop does with the byte: the append itself, or an if
	// statement on a call that appends it.
	stmt   ast.Stmt
	helper bool
	inc    ast.Stmt // the statement after it that moves the index on
	conds  []byteCond
	held   []byteCond // those that do not look at the byte: they hold for the first of a run, and stay true
}

// loopsAt returns the loops whose statement covers a line, outermost first.
func loopsAt(p *prove.Program, fn *prove.Function, line int) []ast.Stmt {
	var found []ast.Stmt
	for s := range code.All[ast.Stmt](fn.Decl.Body) {
		if code.Body(s) != nil && p.Covers(s, line) {
			found = append(found, s)
		}
	}
	return found
}

func proposeBulkAppend(p *prove.Program, fn *prove.Function, stmt ast.Stmt, line int) (*model.Change, *prove.Reason) {
	l, broken := byteLoopAt(p, fn, stmt)
	if l == nil {
		return nil, nil
	}
	var why *prove.Reason
	for _, r := range l.runs(line) {
		if broken != nil {
			return nil, broken
		}
		reason := r.check()
		if reason == nil {
			return bulkAppend(p, r)
		}
		if why == nil {
			why = reason
		}
	}
	return nil, why
}

// runs returns the places in a loop where one of its bytes is appended, those on a
// line first.
func (l *byteLoop) runs(line int) []*byteRun {
	var found []*byteRun
	ast.Inspect(l.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.IfStmt:
			found = append(found, l.helped(n)...)
		}
		if stmt, ok := n.(ast.Stmt); ok {
			s := sink(l.p, l.fn, stmt, l.src.Type())
			if s != nil && l.isByte(l.taken(s.value)) && !l.mentioned(s.dst) {
				found = append(found, &byteRun{loop: l, sink: s, stmt: stmt, dst: l.p.Source(l.fn.File, s.dst)})
			}
		}
		return true
	})
	slices.SortStableFunc(found, func(a, b *byteRun) int {
		on := func(r *byteRun) int {
			if l.p.Covers(r.stmt, line) {
				return 0
			}
			return 1
		}
		return on(a) - on(b)
	})
	return found
}

// mentioned reports whether the loop's own variables are part of e.
func (l *byteLoop) mentioned(e ast.Expr) bool {
	id := code.RootIdent(e)
	return id == nil || l.fn.Info().Uses[id] == l.src
}

// check fills in under which conditions the byte is appended, and says why
// that cannot be known.
func (r *byteRun) check() *prove.Reason {
	if why := prove.Editable(r.loop.fn.File); why != nil {
		return why
	}
	if why := r.loop.overlap(r.sink); why != nil {
		return why
	}
	conds, why := r.loop.reach(r.stmt)
	if why != nil {
		return why
	}
	conds, r.held = deciding(conds)
	r.conds = append(conds, r.conds...)
	if len(r.conds) == 0 {
		return prove.Refuse("it appends every byte: append them all at once")
	}
	if r.helper {
		return nil
	}
	r.inc, why = r.loop.after(r.stmt)
	return why
}

// overlap says how the destination may be the memory that is read, or make
// it more expensive.
func (l *byteLoop) overlap(s *byteSink) *prove.Reason {
	if code.IsString(l.src.Type()) {
		return nil
	}
	if s.says == byteWriters["*bufio.Writer"] {
		return prove.Refuse(l.src.Name() + " would have to be on the heap: bufio.Writer may pass it on")
	}
	root, related := l.fn.Info().Uses[code.RootIdent(s.dst)], false
	for a := range code.All[*ast.AssignStmt](l.fn.Decl.Body) {
		if len(a.Lhs) != len(a.Rhs) {
			continue
		}
		for i := range a.Lhs {
			to, from := code.RootIdent(a.Lhs[i]), code.RootIdent(a.Rhs[i])
			if to == nil || from == nil {
				continue
			}
			x, y := l.fn.Info().ObjectOf(to), l.fn.Info().ObjectOf(from)
			related = related || x == root && y == types.Object(l.src) || x == types.Object(l.src) && y == root
		}
	}
	if related {
		return prove.Refuse("the destination shares its memory with " + l.src.Name())
	}
	return nil
}

func bulkAppend(p *prove.Program, r *byteRun) (*model.Change, *prove.Reason) {
	fn := r.loop.fn
	end := code.FirstFree(fn.Decl, "end", "stop", "next")
	if end == "" {
		return nil, prove.Refuse("no name is free for the end of the run")
	}
	edits, why := r.edits(end)
	if why != nil {
		return nil, why
	}
	return p.Change(fn, edits, model.Change{
		Kind:        "bulk-append",
		Title:       fmt.Sprintf("%s: append runs of ordinary bytes at once in %s", fn.File.Pkg.Name, fn.Obj.Name()),
		Obligations: r.obligations(),
	})
}

func (r *byteRun) obligations() []model.Obligation {
	l := r.loop
	all := []model.Obligation{
		{Text: "each byte of a run would have been appended as it is", How: "proven", Why: "the conditions on the way to the append look at nothing but the byte and what an iteration that appends does not change"},
		{Text: "nothing else happens between two bytes of a run", How: "proven", Why: "the append and moving " + l.index + " on are all that is done in such an iteration"},
	}
	if !code.IsString(l.src.Type()) {
		all = append(all, model.Obligation{Text: "the destination does not overlap what is still to be read of " + l.src.Name(), How: "assumed",
			Why: "append would overwrite it before it is read, byte by byte"})
	}
	if l.size != "" {
		all = append(all, model.Obligation{Text: "characters beyond ASCII and bad UTF-8 are appended as before", How: "proven",
			Why: "a run ends before them"})
	}
	if r.sink.says != "" {
		all = append(all, model.Obligation{Text: "a run is the same as its bytes one by one", How: "assumed", Why: r.sink.says})
	}
	return all
}

// edits writes the search for the end of the run.
func (r *byteRun) edits(end string) ([]model.Edit, *prove.Reason) {
	l, f := r.loop, r.loop.fn.File
	conds := r.searched(l.src.Name() + "[" + end + "]")
	and := " && "
	if len(conds) > 4 {
		and = " &&\n"
	}
	search := fmt.Sprintf("for %s < %s && %s {\n%s++\n}\n", end, l.bound, strings.Join(conds, and), end)
	add := r.add(end)
	back := ""
	if l.post {
		back = " - 1"
	}
	var all []model.Edit
	switch {
	case r.helper:
		text := fmt.Sprintf("%[1]s := %[2]s\n%[3]sif %[1]s > %[2]s {\n%[4]s\n%[2]s = %[1]s%[5]s\ncontinue\n}\n", end, l.index, search, add, back)
		all = append(all, l.p.Insert(f, r.stmt.Pos(), text))
	case r.inc != nil:
		all = append(all, l.p.Put(f, r.stmt.Pos(), r.stmt.End(), fmt.Sprintf("%s := %s + 1\n%s%s", end, l.index, search, add)),
			l.p.Put(f, r.inc.Pos(), r.inc.End(), l.index+" = "+end))
	case l.size != "":
		all = append(all, l.p.Put(f, r.stmt.Pos(), r.stmt.End(), r.ofRunes(end, search)))
	default:
		all = append(all, l.p.Put(f, r.stmt.Pos(), r.stmt.End(), fmt.Sprintf("%[1]s := %[2]s + 1\n%[3]s%[4]s\n%[2]s = %[1]s - 1", end, l.index, search, add)))
	}
	if l.header != "" {
		all = append(all, l.p.Put(f, l.stmt.Pos(), l.body.Lbrace, l.header))
	}
	if l.first != "" {
		all = append(all, l.p.Edit(f, l.p.Offset(l.body.Lbrace)+1, l.p.Offset(l.body.Lbrace)+1, "\n"+l.first))
	}
	if l.size != "" {
		return l.qualified(all)
	}
	return all, nil
}

// searched writes the conditions under which a byte belongs to the run.
func (r *byteRun) searched(next string) (conds []string) {
	if r.loop.size != "" {
		conds = append(conds, next+" < "+runeSelf)
	}
	for _, c := range r.conds {
		as := next
		if r.loop.size != "" && !c.small() {
			as = "rune(" + next + ")"
		}
		conds = append(conds, c.text(as))
	}
	return conds
}

// add writes the append of a run.
func (r *byteRun) add(end string) string {
	run := fmt.Sprintf("%s[%s:%s]", r.loop.src.Name(), r.loop.index, end)
	if r.sink.bulk == "" {
		return fmt.Sprintf("%s = append(%s, %s...)", r.dst, r.dst, run)
	}
	return fmt.Sprintf("%s.%s(%s)", r.dst, r.sink.bulk, run)
}
