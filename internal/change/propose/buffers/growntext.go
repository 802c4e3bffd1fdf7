package buffers

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// GrownText appends to a slice what a string is grown by.
var GrownText = prove.Transformation{
	Name:     "text-to-bytes",
	Doc:      "A local string that += grows in a loop, or three times, becomes a []byte that is appended to, which begins on the stack. Where it is read, a string is made of it.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "text-to-bytes", "BenchmarkQuery", "allocs", "a text of any number of parts costs one allocation while it is short", 0),
	// It looks at the strings that the lines of the target and of its module's frames name.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, b := range buffersAt(s.Program, s.Fn, s.At.Line, definesText, (*buffer).grown) {
			ch, why := proposeGrownText(&grownText{b, b.v.Name()})
			s.Add(b.v.Name()+" is a string that grows", ch, why)
		}
	}),
}

// definesText returns the string variable that a statement defines, and what it is at first; nil for the empty string.
func definesText(info *types.Info, s ast.Stmt) (*types.Var, ast.Expr) {
	v, _, first := defines(info, s)
	if v == nil || !types.Identical(v.Type(), types.Typ[types.String]) {
		return nil, nil
	}
	if first != nil && emptyText(info, first) {
		first = nil
	}
	return v, first
}

func emptyText(info *types.Info, e ast.Expr) bool {
	text, ok := code.String(info, e)
	return ok && text == ""
}

// grown reports whether a string grows again and again: in a loop, or at three places.
func (b *buffer) grown() bool {
	t, places, looped := &grownText{buffer: b}, 0, false
	b.uses(func(id *ast.Ident) {
		if stmt, _ := t.grows(id); stmt != nil {
			places++
			looped = looped || t.loop(id) != nil
		}
	})
	return looped || places > 2
}

// A grownText is a string variable that is to become a slice.
type grownText struct {
	*buffer
	name string // of the slice
}

func proposeGrownText(t *grownText) (*model.Change, *prove.Reason) {
	f, name := t.fn.File, t.v.Name()
	if f.Commented(t.def) {
		return nil, prove.Refuse("there is a comment within its definition")
	}
	t.define()
	var why *prove.Reason
	reads := 0
	t.uses(func(id *ast.Ident) {
		if why == nil {
			var read bool
			read, why = t.use(id)
			if read {
				reads++
			}
		}
	})
	switch {
	case why != nil:
		return nil, why
	case reads == 0:
		return nil, prove.Refuse("nothing reads it")
	}
	imports, ok := t.p.Reimport(f, t.def.Pos(), t.paths, "")
	if !ok {
		return nil, prove.Refuse(strings.Join(t.paths, ", ") + " cannot be imported in " + f.Name)
	}
	return t.p.Change(t.fn, append(imports, t.edits...), model.Change{
		Kind:  "text-to-bytes",
		Title: fmt.Sprintf("%s: append to bytes what %s grows by in %s", f.Pkg.Name, name, t.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "nothing else knows the variable", How: "proven", Why: "no function literal names it, and its address is not taken"},
			{Text: "no read copies it again and again", How: "proven", Why: "within the loops that make it grow it is read only to return it, or by length, by byte and in comparisons with the empty string"},
			{Text: "the parts are made in their order", How: "proven", Why: "a sum is appended part by part only where its parts call nothing that could change another"},
			{Text: "the same text comes out", How: "assumed", Why: "append adds the bytes of a string; the Append functions of fmt, strconv and unicode/utf8 add what their twins return"},
		},
	})
}

// define edits the definition.
func (t *grownText) define() {
	v := t.name
	if t.made == nil {
		t.put(t.def.Pos(), t.def.End(), v+" := make([]byte, 0, 64)")
		return
	}
	t.put(t.def.Pos(), t.made.Pos(), v+" := append(make([]byte, 0, 64), ")
	t.put(t.made.End(), t.def.End(), "...)")
}

// loop returns the innermost loop around a use that does not hold the definition; nil for none.
func (t *grownText) loop(id *ast.Ident) ast.Stmt {
	for n := t.fn.File.Parent(id); n != nil && n != t.fn.Decl; n = t.fn.File.Parent(n) {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if !code.Within(n, t.def) {
				return n.(ast.Stmt)
			}
		}
	}
	return nil
}

// grows returns the statement that adds to the variable, with what it adds, if id is what it assigns to.
func (t *grownText) grows(id *ast.Ident) (*ast.AssignStmt, []ast.Expr) {
	assign, ok := t.fn.File.Parent(id).(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || assign.Lhs[0] != id {
		return nil, nil
	}
	info := t.fn.Info()
	switch parts := prove.Summands(info, assign.Rhs[0]); assign.Tok {
	case token.ADD_ASSIGN:
		if !t.apart(parts) {
			parts = assign.Rhs
		}
		return assign, parts
	case token.ASSIGN:
		if len(parts) < 2 || !prove.IsUseOf(info, parts[0], t.v) || !t.apart(parts[1:]) {
			return nil, nil
		}
		return assign, parts[1:]
	}
	return nil, nil
}

// apart reports whether parts can be appended one by one: none asks for the variable, and what is called does not
// change what stands in front of it.
func (t *grownText) apart(parts []ast.Expr) bool {
	info, fixed := t.fn.Info(), true
	for _, part := range parts {
		for n := range code.All[ast.Node](part) {
			switch n := n.(type) {
			case *ast.Ident:
				if info.Uses[n] == t.v {
					return false
				}
			case *ast.CallExpr:
				if !fixed && !computes(info, n) {
					return false
				}
			case *ast.UnaryExpr:
				if n.Op == token.ARROW && !fixed {
					return false
				}
			}
		}
		fixed = fixed && info.Types[part].Value != nil
	}
	return true
}

// computes reports whether a call runs no code but the standard library's, on values without methods.
func computes(info *types.Info, call *ast.CallExpr) bool {
	if info.Types[call.Fun].IsType() || code.Builtin(info, call) == "len" {
		return true
	}
	fn := code.Callee(info, call)
	if fn == nil || !effects.Computes(fn) && formats[fn.FullName()] == "" && twins[fn.FullName()].name == "" || call.Ellipsis.IsValid() {
		return false
	}
	return !slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		_, basic := types.Unalias(info.TypeOf(a)).(*types.Basic)
		return !basic
	})
}

// use changes one use of the variable, or says why it cannot be one of a slice. It reports whether it reads the whole.
func (t *grownText) use(id *ast.Ident) (read bool, why *prove.Reason) {
	f, info, v := t.fn.File, t.fn.Info(), t.name
	if f.Literal(id) != f.Literal(t.def) {
		return false, prove.Refuse("a function literal uses it, which may run between other writes")
	}
	if !code.Predeclared(t.fn.Obj.Pkg(), id.Pos(), "append", "byte", "len", "make", "string") {
		return false, prove.Refuse("append, len or string means something else there")
	}
	if stmt, parts := t.grows(id); stmt != nil {
		return false, t.add(stmt, parts)
	}
	switch up := f.Parent(id).(type) {
	case *ast.AssignStmt:
		if up.Tok == token.ASSIGN && len(up.Lhs) == 1 && up.Lhs[0] == id {
			return false, t.assign(up)
		}
		if slices.Contains(up.Lhs, ast.Expr(id)) {
			return false, prove.Refuse("it is assigned to (" + t.p.Pos(id.Pos()).String() + ")")
		}
	case *ast.UnaryExpr:
		return false, prove.Refuse("its address is taken")
	case *ast.CallExpr:
		if code.Builtin(info, up) == "len" {
			return false, nil
		}
	case *ast.IndexExpr:
		if up.X == id {
			return false, nil
		}
	case *ast.SliceExpr:
		if t.shortened(f.Parent(up)) {
			return false, nil
		}
	case *ast.BinaryExpr:
		if up.Op == token.ADD && t.summed(up) {
			return false, nil // grows has seen to it
		}
		if (up.Op == token.EQL || up.Op == token.NEQ) && up.X == id && emptyText(info, up.Y) {
			t.put(up.Pos(), up.End(), "len("+v+") "+up.Op.String()+" 0")
			return false, nil
		}
	}
	return true, t.whole(id)
}

// summed reports whether a sum is the one of a statement that grows the variable.
func (t *grownText) summed(e ast.Expr) bool {
	var n ast.Node = e
	for {
		up := t.fn.File.Parent(n)
		switch up := up.(type) {
		case *ast.BinaryExpr, *ast.ParenExpr:
		case *ast.AssignStmt:
			id, ok := up.Lhs[0].(*ast.Ident)
			if !ok || up.Tok != token.ASSIGN {
				return false
			}
			stmt, _ := t.grows(id)
			return stmt != nil
		default:
			return false
		}
		n = up
	}
}

// whole makes a string of the slice, where that is not done in each round of a loop that makes it grow.
func (t *grownText) whole(id *ast.Ident) *prove.Reason {
	if loop := t.loop(id); loop != nil && !t.returned(id, loop) {
		again := false
		t.uses(func(other *ast.Ident) {
			stmt, _ := t.grows(other)
			again = again || stmt != nil && code.Within(loop, stmt)
		})
		if again {
			return prove.Refuse("the loop that makes it grow reads it as well (" + t.p.Pos(id.Pos()).String() + ")")
		}
	}
	t.put(id.Pos(), id.End(), "string("+t.name+")")
	return nil
}

// returned reports whether a use is within a return statement of a loop.
func (t *grownText) returned(id *ast.Ident, loop ast.Node) bool {
	for n := t.fn.File.Parent(id); n != loop; n = t.fn.File.Parent(n) {
		if _, ok := n.(*ast.ReturnStmt); ok {
			return true
		}
	}
	return false
}

// assign changes an assignment that does not add: one of the empty string, or of less of the same.
func (t *grownText) assign(s *ast.AssignStmt) *prove.Reason {
	v := t.v.Name()
	switch {
	case emptyText(t.fn.Info(), s.Rhs[0]):
		if t.fn.File.Commented(s) {
			return prove.Refuse("there is a comment within an assignment")
		}
		t.put(s.Pos(), s.End(), v+" = "+v+"[:0]")
		return nil
	case t.shortened(s):
		return nil
	}
	return prove.Refuse("it is assigned to (" + t.p.Pos(s.Pos()).String() + ")")
}

// shortened reports whether a statement is v = v[:len(v)-n]: with another bound, a string panics where a slice
// may reach what lies behind its length.
func (t *grownText) shortened(n ast.Node) bool {
	s, ok := n.(*ast.AssignStmt)
	if !ok || s.Tok != token.ASSIGN || len(s.Lhs) != 1 || !prove.IsUseOf(t.fn.Info(), s.Lhs[0], t.v) {
		return false
	}
	cut, ok := s.Rhs[0].(*ast.SliceExpr)
	if !ok || cut.Low != nil || cut.High == nil || !prove.IsUseOf(t.fn.Info(), cut.X, t.v) {
		return false
	}
	minus, ok := cut.High.(*ast.BinaryExpr)
	if !ok || minus.Op != token.SUB || types.ExprString(minus.X) != "len("+t.v.Name()+")" {
		return false
	}
	n64, ok := prove.ConstInt(t.fn.Info(), minus.Y)
	return ok && n64 >= 0
}

// add turns a statement that adds parts into appends.
func (t *grownText) add(stmt *ast.AssignStmt, parts []ast.Expr) *prove.Reason {
	if code.StmtList(t.fn.File.Parent(stmt)) == nil {
		return prove.Refuse("it grows in the head of a statement (" + t.p.Pos(stmt.Pos()).String() + ")")
	}
	return t.appends(stmt, [][]ast.Expr{parts}, "", "")
}

// appends turns a statement into appends of parts, in groups, with a text before and behind each group.
func (t *grownText) appends(stmt ast.Stmt, groups [][]ast.Expr, before, behind string) *prove.Reason {
	from, tail, lead := stmt.Pos(), "", ""
	for _, parts := range groups {
		lead += before
		for _, part := range parts {
			a := t.appended(part)
			if t.comments(from, a.from) {
				return prove.Refuse("there is a comment within a statement that adds to it")
			}
			t.put(from, a.from, tail+lead+t.name+" = "+a.head)
			if a.text != "" {
				t.put(a.from, a.to, a.text)
			}
			from, tail, lead = a.to, a.tail, "\n"
		}
		tail += behind
	}
	if t.comments(from, stmt.End()) {
		return prove.Refuse("there is a comment within a statement that adds to it")
	}
	t.put(from, stmt.End(), tail)
	return nil
}

// A part is how something is appended: what of the source stays, between what.
type part struct {
	from, to         token.Pos
	head, text, tail string // text in place of the source, if any
}

// appended returns how a part is appended.
func (t *grownText) appended(e ast.Expr) part {
	info, f, v := t.fn.Info(), t.fn.File, t.name
	plain := part{from: e.Pos(), to: e.End(), head: "append(" + v + ", ", tail: "...)"}
	if text, ok := code.String(info, e); ok {
		if _, literal := e.(*ast.BasicLit); literal && len(text) == 1 && text[0] < 0x80 {
			plain.text, plain.tail = fmt.Sprintf("%q", rune(text[0])), ")"
		}
		return plain
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return plain
	}
	if info.Types[call.Fun].IsType() {
		return t.converted(call, plain)
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	fn := code.Callee(info, call)
	if !ok || fn == nil || len(call.Args) == 0 {
		return plain
	}
	if name := formats[fn.FullName()]; name != "" && t.p.GoAtLeast(f, "go1.19") {
		return part{from: call.Lparen + 1, to: call.Rparen, head: t.p.Source(f, sel.X) + "." + name + "(" + v + ", ", tail: ")"}
	}
	tw := twins[fn.FullName()]
	if tw.name == "" || tw.bytes || tw.since != "" && !t.p.GoAtLeast(f, tw.since) || !t.apart([]ast.Expr{e}) {
		return plain
	}
	plain.head, plain.text, plain.tail = "", tw.onto(t.p, f, call, v), ""
	return plain
}

// converted returns how a conversion to string is appended.
func (t *grownText) converted(call *ast.CallExpr, plain part) part {
	arg := call.Args[0]
	typ := t.fn.Info().TypeOf(arg)
	if code.IsBytes(typ) {
		plain.from, plain.to = arg.Pos(), arg.End()
		return plain
	}
	basic, ok := types.Unalias(typ).(*types.Basic)
	if !ok || basic.Kind() != types.Int32 && basic.Kind() != types.Uint8 || t.fn.Info().Types[arg].Value != nil {
		return plain
	}
	q := t.p.Qualifier(t.fn.File, call.Pos(), "unicode/utf8")
	if q == "" || !t.p.GoAtLeast(t.fn.File, "go1.18") {
		return plain
	}
	t.paths = append(t.paths, "unicode/utf8")
	r := part{from: arg.Pos(), to: arg.End(), head: q + ".AppendRune(" + t.name + ", ", tail: ")"}
	if basic.Kind() == types.Uint8 {
		r.head, r.tail = r.head+"rune(", "))"
	}
	return r
}

// formats are the functions of package fmt that append what another returns.
var formats = map[string]string{"fmt.Sprintf": "Appendf", "fmt.Sprint": "Append", "fmt.Sprintln": "Appendln"}
