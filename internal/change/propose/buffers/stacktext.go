package buffers

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// StackText appends a short text to an array on the stack.
var StackText = prove.Transformation{
	Name:     "stack-text",
	Doc:      "A short text that hex, base64, strconv or time makes only to be copied, compared, looked up or joined is appended to an array on the stack. So are decoded bytes that stay in the function, and a text in lower or upper case that is looked up in a map.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "stack-text", "BenchmarkFind", "allocs", "no allocation for a key that is only looked up", 0),
	// It looks at the calls on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for _, m := range makingsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeStackText(m)
			s.Add("what "+prove.Short(types.ExprString(m.call))+" makes has memory of its own", ch, why)
		}
	}),
}

// A twin is a function that appends what another makes. Both come to the same
// bytes, errors and panics: the standard library makes both of one. What looks like
// a twin may be none. Time names MarshalText or AppendText in its errors; AppendTo of
// netip.Addr appends nothing where String returns "invalid IP"; and base32 copies what
// it decodes either way.
type twin struct {
	name  string                    // in the same package or type
	fill  string                    // its arguments after the destination; $1 and $2 are those of the call
	since string                    // the Go version that it is there from
	room  int64                     // bytes that the result takes at most, 0 where that is not known
	sized func(n int64) (out int64) // bytes that come of n, where the operand is an array
	bytes bool                      // the call makes bytes, not a text
	twice bool                      // the call makes bytes first, and the text is a copy of them
	other byte                      // the first letter that the call replaces by that of the other case, where the twin is yet to be written
}

var twins = map[string]twin{
	"encoding/hex.EncodeToString":                {name: "AppendEncode", fill: "$1", since: "go1.22", sized: func(n int64) int64 { return n * 2 }, twice: true},
	"(*encoding/base64.Encoding).EncodeToString": {name: "AppendEncode", fill: "$1", since: "go1.22", sized: func(n int64) int64 { return (n + 2) / 3 * 4 }, twice: true},
	"(*encoding/base32.Encoding).EncodeToString": {name: "AppendEncode", fill: "$1", since: "go1.22", sized: func(n int64) int64 { return (n + 4) / 5 * 8 }, twice: true},
	"encoding/hex.DecodeString":                  {name: "AppendDecode", fill: "[]byte($1)", since: "go1.22", bytes: true},
	"(*encoding/base64.Encoding).DecodeString":   {name: "AppendDecode", fill: "[]byte($1)", since: "go1.22", bytes: true},
	"strconv.Itoa":       {name: "AppendInt", fill: "int64($1), 10", room: 20},
	"strconv.FormatInt":  {name: "AppendInt", fill: "$1, $2", room: 65},
	"strconv.FormatUint": {name: "AppendUint", fill: "$1, $2", room: 64},
	"strconv.Quote":      {name: "AppendQuote", fill: "$1"},
	"(time.Time).Format": {name: "AppendFormat", fill: "$1"},
	"strings.ToLower":    {name: "appendLower", fill: "$1", other: 'A'},
	"strings.ToUpper":    {name: "appendUpper", fill: "$1", other: 'a'},
}

// appendCase is a twin of strings.ToLower or ToUpper, which have none.
const appendCase = `// %[1]s appends what %[2]s returns. That is asked beyond ASCII, and where b has no room.
func %[1]s(b []byte, s string) []byte {
	n := len(b)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x80 || len(b) == cap(b) {
			return append(b[:n], %[2]s(s)...)
		}
		if '%[3]c' <= c && c <= '%[4]c' {
			c ^= ' '
		}
		b = append(b, c)
	}
	return b
}
`

// onto returns the call that appends to a slice what a call makes.
func (t twin) onto(p *prove.Program, f *prove.File, call *ast.CallExpr, slice string) string {
	var args []string
	for i, a := range call.Args {
		args = append(args, fmt.Sprint("$", i+1), p.Source(f, a))
	}
	name := t.name
	if t.other == 0 {
		name = p.Source(f, ast.Unparen(call.Fun).(*ast.SelectorExpr).X) + "." + name
	}
	return fmt.Sprintf("%s(%s, %s)", name, slice, strings.NewReplacer(args...).Replace(t.fill))
}

const (
	commonRoom = 64   // bytes for results of unknown length
	mostRoom   = 1024 // bytes that an array on the stack may take
)

// A making is a call that has a twin.
type making struct {
	p    *prove.Program
	fn   *prove.Function
	call *ast.CallExpr
	sel  *ast.SelectorExpr
	twin
	stmt ast.Stmt // the array is declared before it
}

func makingsAt(p *prove.Program, fn *prove.Function, line int) []*making {
	var found []*making
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		target := code.Callee(fn.Info(), call)
		if !ok || target == nil || !p.Covers(call, line) {
			continue
		}
		m := &making{p: p, fn: fn, call: call, sel: sel, twin: twins[target.FullName()]}
		if m.name != "" && (m.bytes || m.twice || m.passing()) {
			found = append(found, m)
		}
	}
	return found
}

// passing reports whether the text is used so that the compiler makes no string of
// the bytes: compared, looked up, switched on, or joined to a constant.
func (m *making) passing() bool {
	var e ast.Node = m.call
	up := m.fn.File.Parent(e)
	for paren, ok := up.(*ast.ParenExpr); ok; paren, ok = up.(*ast.ParenExpr) {
		e, up = paren, m.fn.File.Parent(paren)
	}
	if _, lookup := up.(*ast.IndexExpr); m.other != 0 && !lookup {
		return false // fold-compare does without bytes
	}
	switch up := up.(type) {
	case *ast.BinaryExpr:
		info := m.fn.Info()
		return up.Op == token.ADD && m.joined(up) || up.Op != token.ADD && code.IsString(info.TypeOf(up.X)) && code.IsString(info.TypeOf(up.Y))
	case *ast.IndexExpr:
		t, isMap := m.fn.Info().TypeOf(up.X).Underlying().(*types.Map)
		return isMap && up.Index == e && code.IsString(t.Key()) && !m.fn.File.AssignedTo(up)
	case *ast.SwitchStmt:
		return up.Tag == e
	}
	return false
}

// joined reports whether a part of the sum is a constant that is not empty: then
// the compiler copies all bytes from where they are.
func (m *making) joined(sum ast.Expr) bool {
	for up, ok := m.fn.File.Parent(sum).(*ast.BinaryExpr); ok && up.Op == token.ADD; up, ok = m.fn.File.Parent(sum).(*ast.BinaryExpr) {
		sum = up
	}
	found := false
	var parts func(e ast.Expr)
	parts = func(e ast.Expr) {
		if v := m.fn.Info().Types[e].Value; v != nil {
			found = found || v.Kind() == constant.String && constant.StringVal(v) != ""
		} else if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD {
			parts(b.X)
			parts(b.Y)
		}
	}
	parts(sum)
	return found
}

func proposeStackText(m *making) (*model.Change, *prove.Reason) {
	f := m.fn.File
	if m.since != "" && !m.p.GoAtLeast(f, m.since) {
		return nil, prove.Refuse(m.name + " is there from Go " + strings.TrimPrefix(m.since, "go") + " on")
	}
	if f.Commented(m.call) {
		return nil, prove.Refuse("there is a comment within the call")
	}
	if prove.Retyped(m.fn.Info(), m.call.Args[0]) && m.name == "AppendInt" {
		return nil, prove.Refuse("a constant that is shifted would get another type")
	}
	if sel := m.fn.Info().Selections[m.sel]; sel != nil && len(sel.Index()) > 1 {
		return nil, prove.Refuse(m.sel.Sel.Name + " is promoted: " + m.name + " may be another type's")
	}
	if !code.Predeclared(m.fn.Obj.Pkg(), m.call.Pos(), "string", "byte", "int64") {
		return nil, prove.Refuse("string or byte means something else there")
	}
	room, why := m.need()
	if why != nil {
		return nil, why
	}
	if m.stmt, why = m.place(); why != nil {
		return nil, why
	}
	if why := m.kept(); m.bytes && why != nil {
		return nil, why
	}
	name := code.FirstFree(m.fn.Decl, "buf", "scratch", "room", "array")
	if name == "" {
		return nil, prove.Refuse("no name is free for the array")
	}
	below, why := m.declare()
	if why != nil {
		return nil, why
	}
	return m.p.Change(m.fn, append(m.edits(name, room), below...), model.Change{
		Kind:        "stack-text",
		Title:       fmt.Sprintf("%s: put what %s makes into an array on the stack in %s", f.Pkg.Name, m.sel.Sel.Name, m.fn.Obj.Name()),
		Obligations: m.obligations(),
	})
}

// declare writes the twin where there is none yet, and names it.
func (m *making) declare() ([]model.Edit, *prove.Reason) {
	if m.other == 0 {
		return nil, nil
	}
	end := m.fn.Decl.End()
	pkg := m.p.Qualifier(m.fn.File, end, "strings")
	if pkg == "" || !code.Predeclared(m.fn.Obj.Pkg(), end, "append", "byte", "len", "string") {
		return nil, prove.Refuse("a name that is needed means something else there")
	}
	stem := m.name
	text := m.p.Declare(m.fn.File, func(i int) (string, []string) {
		m.name = prove.Numbered(stem, i)
		return fmt.Sprintf(appendCase, m.name, pkg+"."+m.sel.Sel.Name, m.other, m.other+'z'-'a'), []string{m.name}
	})
	imports, ok := m.p.Reimport(m.fn.File, end, []string{"strings"}, "")
	if !ok {
		return nil, prove.Refuse("package strings cannot be imported in " + m.fn.File.Name)
	}
	if text == "" {
		return nil, nil
	}
	return append(imports, m.p.Below(m.fn, text)), nil
}

// need returns the size of the array.
func (m *making) need() (int64, *prove.Reason) {
	if m.room > 0 {
		if base, ok := prove.ConstInt(m.fn.Info(), m.call.Args[len(m.call.Args)-1]); ok && len(m.call.Args) == 2 && base >= 10 {
			return 20, nil
		}
		return m.room, nil
	}
	room := int64(commonRoom)
	if n, ok := m.arrayLength(); ok && m.sized != nil {
		room = m.sized(n)
	}
	if room > mostRoom {
		return 0, prove.Refusef("it takes %d bytes, which is much for a stack", room)
	}
	return room, nil
}

// arrayLength returns the length of the array that the operand is all of.
func (m *making) arrayLength() (int64, bool) {
	s, ok := ast.Unparen(m.call.Args[0]).(*ast.SliceExpr)
	if !ok {
		return 0, false
	}
	return code.ArrayLen(m.fn.Info().TypeOf(s.X))
}

// place returns the statement of a list around the call that runs the call once at
// most each time that it runs.
func (m *making) place() (ast.Stmt, *prove.Reason) {
	for child, up := ast.Node(m.call), m.fn.File.Parent(m.call); up != nil; child, up = up, m.fn.File.Parent(up) {
		for _, s := range code.StmtList(up) {
			if s == child {
				return s, nil
			}
		}
		switch up := up.(type) {
		case *ast.ForStmt:
			if up.Init != child {
				return nil, prove.Refuse("it is made in the head of a loop")
			}
		case *ast.RangeStmt:
			if up.X != child {
				return nil, prove.Refuse("it is made in the head of a loop")
			}
		case *ast.CaseClause, *ast.CommClause:
			return nil, prove.Refuse("it is made in a case")
		case *ast.LabeledStmt:
			return nil, prove.Refuse("its statement has a label")
		}
	}
	return nil, prove.Refuse("nothing can stand before it")
}

// kept says how decoded bytes outlive the function, so that the array would be on
// the heap.
func (m *making) kept() *prove.Reason {
	fl := m.p.Flow(m.fn)
	a, ok := m.fn.File.Parent(m.call).(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return prove.Refuse("it is not assigned to a variable")
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return prove.Refuse("it is stored in " + types.ExprString(a.Lhs[0]))
	}
	v, ok := m.fn.Info().ObjectOf(id).(*types.Var)
	if !ok || !code.Local(v) {
		return prove.Refuse(id.Name + " is no local variable")
	}
	res := m.fn.Obj.Signature().Results()
	for i := range res.Len() {
		if res.At(i) == v {
			return prove.Refuse("it is returned")
		}
	}
	fl.Track(v)
	fl.Drain()
	if why := m.p.Outlives(fl, m.fn.File, m.call); why != nil {
		return why
	}
	if fl.CapSeen {
		return prove.Refuse("its capacity is asked for")
	}
	return nil
}

func (m *making) edits(name string, room int64) []model.Edit {
	f, p := m.fn.File, m.p
	text := m.onto(p, f, m.call, name+"[:0]")
	if !m.bytes {
		text = "string(" + text + ")"
	}
	return []model.Edit{
		p.Insert(f, m.stmt.Pos(), fmt.Sprintf("var %s [%d]byte\n", name, room)),
		p.Put(f, m.call.Pos(), m.call.End(), text),
	}
}

func (m *making) obligations() []model.Obligation {
	all := []model.Obligation{
		{Text: m.name + " comes to the same bytes, errors and panics as " + m.sel.Sel.Name, How: "assumed", Why: "its documentation; the standard library makes one of the other"},
		{Text: "nothing else uses the array", How: "proven", Why: "it is new each time that its statement runs, and the statement makes one value of it at most"},
	}
	if m.other != 0 {
		all[0].How, all[0].Why = "proven", "of ASCII letters it changes the one bit that makes the case, and it leaves the others to "+m.sel.Sel.Name
	}
	if !m.bytes {
		return append(all, model.Obligation{Text: "the text is the same when the array is gone", How: "proven", Why: "string copies the bytes, but where it is compared, looked up or joined at once"})
	}
	return append(all, model.Obligation{Text: "what is longer than the array has memory of its own", How: "proven", Why: "append makes it, as before"})
}
