package buffers

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// JoinedText joins pieces as they come.
var JoinedText = prove.Transformation{
	Name:     "join-pieces",
	Doc:      "A local slice of strings that is only appended to, and then joined by strings.Join, becomes a []byte that the pieces are appended to with what is between them.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "join-pieces", "BenchmarkQuery", "allocs", "neither a slice of the pieces nor the pieces are made", 0),
	// It looks at the slices that the lines of the target and of its module's frames name.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, b := range buffersAt(s.Program, s.Fn, s.At.Line, definesPieces, (*buffer).joins) {
			ch, why := proposeJoinedText(&joinedText{grownText: grownText{buffer: b}})
			s.Add(b.v.Name()+" is made only to be joined", ch, why)
		}
	}),
}

// definesPieces returns the variable that a statement defines as an empty slice of strings.
func definesPieces(info *types.Info, s ast.Stmt) (*types.Var, ast.Expr) {
	v, _, first := defines(info, s)
	if v == nil || !types.Identical(v.Type(), types.NewSlice(types.Typ[types.String])) || first != nil && !emptySlice(info, first) {
		return nil, nil
	}
	return v, first
}

// emptySlice reports whether an expression is a new slice without elements, which is made without a call.
func emptySlice(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		if code.Builtin(info, e) != "make" || len(e.Args) < 2 {
			return false
		}
		n, ok := prove.ConstInt(info, e.Args[1])
		if !ok || n != 0 {
			return false
		}
		if len(e.Args) < 3 || info.Types[e.Args[2]].Value != nil {
			return true
		}
		room, ok := ast.Unparen(e.Args[2]).(*ast.CallExpr) // a negative capacity would be a panic
		if !ok || code.Builtin(info, room) != "len" {
			return false
		}
		_, plain := ast.Unparen(room.Args[0]).(*ast.Ident)
		return plain
	}
	return false
}

// joins reports whether strings.Join is given the slice.
func (b *buffer) joins() bool {
	found := false
	b.uses(func(id *ast.Ident) { found = found || b.joinOf(id) != nil })
	return found
}

// joinOf returns the call of strings.Join that a use is an argument of.
func (b *buffer) joinOf(id *ast.Ident) *ast.CallExpr {
	call, ok := b.fn.File.Parent(id).(*ast.CallExpr)
	if !ok || !code.IsFunc(b.fn.Info(), call, "strings", "Join") || call.Args[0] != id {
		return nil
	}
	return call
}

// A joinedText is a slice of pieces that is to become a text.
type joinedText struct {
	grownText
	appended []*ast.AssignStmt
	joined   []*ast.CallExpr
	lens     []*ast.CallExpr
	sep      string // as it is written
	count    string // the variable that counts the pieces, "" where none is needed
}

func proposeJoinedText(t *joinedText) (*model.Change, *prove.Reason) {
	f := t.fn.File
	var why *prove.Reason
	t.uses(func(id *ast.Ident) {
		if why == nil {
			why = t.see(id)
		}
	})
	if why == nil {
		why = t.fits()
	}
	if why == nil {
		why = t.rewrite()
	}
	if why != nil {
		return nil, why
	}
	var removed []ast.Node
	for _, call := range t.joined {
		removed = append(removed, call.Fun)
	}
	imports, ok := t.p.Reimport(f, t.def.Pos(), t.paths, "strings", removed...)
	if !ok {
		return nil, prove.Refuse(strings.Join(t.paths, ", ") + " cannot be imported in " + f.Name)
	}
	return t.p.Change(t.fn, append(imports, t.edits...), model.Change{
		Kind:  "join-pieces",
		Title: fmt.Sprintf("%s: join the pieces of %s as they come in %s", f.Pkg.Name, t.v.Name(), t.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "nothing else knows the pieces", How: "proven", Why: "each use of the variable appends to it, joins it or asks for its length; no function literal names it"},
			{Text: "the same text comes out", How: "proven", Why: "what is between the pieces stays the same, and stands before each piece but the first: " + t.tells()},
			{Text: "the pieces are made in their order", How: "proven", Why: "a piece is appended part by part only where its parts call nothing that could change another"},
			{Text: "the same bytes are appended", How: "assumed", Why: "append adds the bytes of a string; the Append functions of fmt, strconv and unicode/utf8 add what their twins return"},
		},
	})
}

// tells says how the first piece is known.
func (t *joinedText) tells() string {
	switch {
	case t.sep == `""`:
		return "there is nothing between them"
	case t.count != "":
		return "they are counted"
	}
	return "no piece is empty, so that the text is empty only before it"
}

// see sorts one use of the variable, or says why it cannot be one of a text.
func (t *joinedText) see(id *ast.Ident) *prove.Reason {
	f, info := t.fn.File, t.fn.Info()
	if f.Literal(id) != f.Literal(t.def) {
		return prove.Refuse("a function literal uses it, which may run between other appends")
	}
	if !code.Predeclared(t.fn.Obj.Pkg(), id.Pos(), "append", "byte", "len", "make", "string", "int64", "rune") {
		return prove.Refuse("append, len or string means something else there")
	}
	switch up := f.Parent(id).(type) {
	case *ast.AssignStmt:
		if call := t.appending(up); call != nil && up.Lhs[0] == id {
			t.appended = append(t.appended, up)
			return nil
		}
	case *ast.CallExpr:
		switch {
		case code.Builtin(info, up) == "len":
			t.lens = append(t.lens, up)
			return nil
		case t.joinOf(id) != nil:
			t.joined = append(t.joined, up)
			return nil
		}
		if assign, ok := f.Parent(up).(*ast.AssignStmt); ok && t.appending(assign) == up && up.Args[0] == id {
			return nil
		}
	}
	return prove.Refuse("it is not only appended to and joined (" + t.p.Pos(id.Pos()).String() + ")")
}

// appending returns the call in v = append(v, piece, …), nil for other statements.
func (t *joinedText) appending(s *ast.AssignStmt) *ast.CallExpr {
	info := t.fn.Info()
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 || code.StmtList(t.fn.File.Parent(s)) == nil {
		return nil
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "append" || call.Ellipsis.IsValid() || len(call.Args) < 2 {
		return nil
	}
	if !prove.IsUseOf(info, s.Lhs[0], t.v) || !prove.IsUseOf(info, call.Args[0], t.v) {
		return nil
	}
	return call
}

// fits says why the text cannot take the place of the pieces, after all uses have been seen.
func (t *joinedText) fits() *prove.Reason {
	for i, call := range t.joined {
		sep, ok := t.separator(call.Args[1])
		switch {
		case !ok:
			return prove.Refuse("what is between the pieces may change")
		case i > 0 && sep != t.sep:
			return prove.Refuse("it is joined in two ways")
		case t.fn.File.Commented(call):
			return prove.Refuse("there is a comment within the call of Join")
		}
		t.sep = sep
		if loop := t.loop(call.Args[0].(*ast.Ident)); loop != nil && !t.returned(call.Args[0].(*ast.Ident), loop) {
			return prove.Refuse("it is joined in a loop (" + t.p.Pos(call.Pos()).String() + ")")
		}
	}
	looped := 0
	for _, s := range t.appended {
		if t.loop(s.Lhs[0].(*ast.Ident)) != nil {
			looped++
		}
	}
	if looped == 0 && len(t.appended) < 3 {
		return prove.Refuse("it is appended to once or twice")
	}
	if room, ok := t.made.(*ast.CallExpr); ok && len(room.Args) == 3 && !t.makes() {
		return prove.Refuse("it has room for its pieces, which are there already")
	}
	return nil
}

// makes reports whether a piece is put together or made by a call.
func (t *joinedText) makes() bool {
	return slices.ContainsFunc(t.appended, func(s *ast.AssignStmt) bool {
		return slices.ContainsFunc(s.Rhs[0].(*ast.CallExpr).Args[1:], func(e ast.Expr) bool {
			switch e := ast.Unparen(e).(type) {
			case *ast.BinaryExpr:
				return t.fn.Info().Types[e].Value == nil
			case *ast.CallExpr:
				return true
			}
			return false
		})
	})
}

// separator returns what is between the pieces as it is written: a constant, or a parameter that nothing
// writes to.
func (t *joinedText) separator(e ast.Expr) (string, bool) {
	info := t.fn.Info()
	if text, ok := code.String(info, e); ok {
		return strconv.Quote(text), true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return "", false
	}
	params := t.fn.Obj.Signature().Params()
	for i := range params.Len() {
		if p := params.At(i); info.Uses[id] == p && types.Identical(p.Type(), types.Typ[types.String]) {
			hidden := code.Any(t.fn.Decl, func(other *ast.Ident) bool {
				return other.Name == id.Name && info.Defs[other] != nil && info.Defs[other] != p
			})
			return id.Name, !hidden && !code.WrittenIn(info, t.fn.Decl.Body, p)
		}
	}
	return "", false
}

// rewrite writes the edits of all uses.
func (t *joinedText) rewrite() *prove.Reason {
	t.name = code.FirstFree(t.fn.Decl, "joined", "text", "buf", "all")
	if t.name == "" {
		return prove.Refuse("no name is free for the text")
	}
	if t.fn.File.Commented(t.def) {
		return prove.Refuse("there is a comment within its definition")
	}
	define := t.name + " := make([]byte, 0, 64)"
	if t.counted() {
		if t.count = code.FirstFree(t.fn.Decl, "count", "n", "pieces"); t.count == "" {
			return prove.Refuse("no name is free for their number")
		}
		define += "\n" + t.count + " := 0"
	}
	t.put(t.def.Pos(), t.def.End(), define)
	for _, s := range t.appended {
		if why := t.piece(s); why != nil {
			return why
		}
	}
	for _, call := range t.joined {
		t.put(call.Pos(), call.End(), "string("+t.name+")")
	}
	for _, call := range t.lens {
		if t.count != "" {
			t.put(call.Pos(), call.End(), t.count)
		} else {
			t.put(call.Args[0].Pos(), call.Args[0].End(), t.name)
		}
	}
	return nil
}

// piece turns one append into those of its pieces.
func (t *joinedText) piece(s *ast.AssignStmt) *prove.Reason {
	args := s.Rhs[0].(*ast.CallExpr).Args[1:]
	var groups [][]ast.Expr
	for _, e := range args {
		parts := prove.Summands(t.fn.Info(), e)
		if !t.apart(parts) {
			parts = []ast.Expr{e}
		}
		groups = append(groups, parts)
	}
	if len(args) > 1 && !t.apart(args) {
		return prove.Refuse("of several pieces that are appended at once, one may change another")
	}
	before, behind := "", ""
	switch {
	case t.sep == `""`:
	case t.count != "":
		before = "if " + t.count + " > 0 {\n" + t.separates() + "\n}\n"
	default:
		before = "if len(" + t.name + ") > 0 {\n" + t.separates() + "\n}\n"
	}
	if t.count != "" {
		behind = "\n" + t.count + "++"
	}
	return t.appends(s, groups, before, behind)
}

// separates returns the statement that appends what is between the pieces.
func (t *joinedText) separates() string {
	if sep, err := strconv.Unquote(t.sep); err == nil && len(sep) == 1 && sep[0] < 0x80 {
		return fmt.Sprintf("%s = append(%s, %q)", t.name, t.name, rune(sep[0]))
	}
	return fmt.Sprintf("%s = append(%s, %s...)", t.name, t.name, t.sep)
}

// counted reports whether the pieces must be counted: their number is asked for, or the text may be empty
// when there are some.
func (t *joinedText) counted() bool {
	solid := true
	for _, s := range t.appended {
		for _, e := range s.Rhs[0].(*ast.CallExpr).Args[1:] {
			solid = solid && t.solid(e)
		}
	}
	if !solid && t.sep != `""` {
		return true
	}
	for _, call := range t.lens {
		b, ok := t.fn.File.Parent(call).(*ast.BinaryExpr)
		if !ok || !solid || b.X != call || types.ExprString(b.Y) != "0" {
			return true
		}
	}
	return false
}

// solid reports whether a piece is never empty: a part is a constant with text, or a number.
func (t *joinedText) solid(e ast.Expr) bool {
	info := t.fn.Info()
	for _, part := range prove.Summands(t.fn.Info(), e) {
		if text, ok := code.String(info, part); ok && text != "" {
			return true
		}
		call, ok := part.(*ast.CallExpr)
		if !ok {
			continue
		}
		fn := code.Callee(info, call)
		if fn == nil {
			continue
		}
		switch fn.FullName() {
		case "strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint", "strconv.FormatFloat", "strconv.FormatBool", "strconv.Quote":
			return true
		}
	}
	return false
}
