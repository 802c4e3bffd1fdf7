package loops

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// ByteSearch looks for a byte by the functions that do so many bytes at a time.
var ByteSearch = prove.Transformation{
	Name:     "byte-search",
	Doc:      "A loop that looks through a string or []byte for one byte, skips to it or counts it, becomes a call of IndexByte or Count, which compare many bytes at a time.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "byte-search", "BenchmarkLines", "cpu", "a fraction of the time for lines of some length", 0),
	// It looks at the innermost loop around the target's line.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		all := loopsAt(s.Program, s.Fn, s.At.Line)
		if len(all) == 0 {
			return
		}
		if b := byteSearchOf(s.Program, s.Fn, all[len(all)-1]); b != nil {
			ch, why := b.propose()
			s.AddAt(s.Pos(b.loop.Pos()), "a loop looks for one byte of "+prove.Short(types.ExprString(b.in)), ch, why)
		}
	}),
}

// A byteSearch is a loop that compares one byte of a text after the other with one byte.
type byteSearch struct {
	p     *prove.Program
	fn    *prove.Function
	loop  ast.Stmt
	in    ast.Expr   // the text, a string or []byte
	at    ast.Expr   // the index; nil if it has no name
	elem  *types.Var // what a range statement calls the byte, or character; nil if nothing
	value ast.Expr   // the byte that is looked for
	then  *ast.IfStmt
	count ast.Expr // what is counted up for each; nil if the first ends the loop
}

// byteSearchOf reads a loop; it is nil for all others.
func byteSearchOf(p *prove.Program, fn *prove.Function, loop ast.Stmt) *byteSearch {
	b := &byteSearch{p: p, fn: fn, loop: loop}
	switch s := loop.(type) {
	case *ast.ForStmt:
		if b.skips(s) || b.counts(s) && b.finds(s.Body) {
			return b
		}
	case *ast.RangeStmt:
		if b.ranges(s) && b.finds(s.Body) {
			return b
		}
	}
	return nil
}

// skips reads for i < len(x) && x[i] != c { i++ }, with the step in the head or in the body.
func (b *byteSearch) skips(s *ast.ForStmt) bool {
	and, ok := s.Cond.(*ast.BinaryExpr)
	if !ok || and.Op != token.LAND || s.Init != nil {
		return false
	}
	step := s.Post
	if len(s.Body.List) == 1 && step == nil {
		step = s.Body.List[0]
	} else if len(s.Body.List) > 0 {
		return false
	}
	return b.within(and.X) && b.compares(and.Y, token.NEQ) && b.steps(step)
}

// counts reads the head of for i := 0; i < len(x); i++.
func (b *byteSearch) counts(s *ast.ForStmt) bool {
	def, ok := s.Init.(*ast.AssignStmt)
	if !ok || def.Tok != token.DEFINE || len(def.Lhs) != 1 || s.Cond == nil || !b.within(s.Cond) || !b.steps(s.Post) {
		return false
	}
	from, zero := prove.ConstInt(b.fn.Info(), def.Rhs[0])
	id, named := b.at.(*ast.Ident)
	return zero && from == 0 && named && b.fn.Info().Defs[def.Lhs[0].(*ast.Ident)] == b.fn.Info().Uses[id]
}

// within reads i < len(x).
func (b *byteSearch) within(e ast.Expr) bool {
	less, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || less.Op != token.LSS {
		return false
	}
	call, ok := ast.Unparen(less.Y).(*ast.CallExpr)
	if !ok || code.Builtin(b.fn.Info(), call) != "len" {
		return false
	}
	b.at, b.in = ast.Unparen(less.X), ast.Unparen(call.Args[0])
	return b.isText() && prove.Path(b.at) && types.Identical(b.fn.Info().TypeOf(b.at), types.Typ[types.Int])
}

// steps reads i++.
func (b *byteSearch) steps(s ast.Stmt) bool {
	inc, ok := s.(*ast.IncDecStmt)
	return ok && inc.Tok == token.INC && code.SameVariable(b.fn.Info(), inc.X, b.at)
}

// ranges reads the head of a range statement over a text.
func (b *byteSearch) ranges(s *ast.RangeStmt) bool {
	b.in = ast.Unparen(s.X)
	if s.Tok != token.DEFINE || !b.isText() {
		return false
	}
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		b.at = id
	}
	if id, ok := s.Value.(*ast.Ident); ok && id.Name != "_" {
		b.elem, _ = b.fn.Info().Defs[id].(*types.Var)
	}
	return true
}

// isText reports whether what is searched is a variable, or a field, of type string or a slice of bytes.
func (b *byteSearch) isText() bool {
	t := b.fn.Info().TypeOf(b.in)
	return prove.Path(b.in) && (types.Identical(t, types.Typ[types.String]) || code.IsBytes(t))
}

// finds reads a body: if x[i] == c, with a branch that ends the loop or counts.
func (b *byteSearch) finds(body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	s, ok := body.List[0].(*ast.IfStmt)
	if !ok || s.Init != nil || s.Else != nil || !b.compares(s.Cond, token.EQL) || len(s.Body.List) == 0 {
		return false
	}
	b.then = s
	if inc, ok := s.Body.List[0].(*ast.IncDecStmt); ok && len(s.Body.List) == 1 && inc.Tok == token.INC && prove.Path(inc.X) {
		b.count = inc.X
		return types.Identical(b.fn.Info().TypeOf(inc.X), types.Typ[types.Int])
	}
	if !code.Departs(s.Body) {
		return false
	}
	last := s.Body.List[len(s.Body.List)-1]
	return !code.Any(s.Body, func(j *ast.BranchStmt) bool { return j != last || j.Tok != token.BREAK || j.Label != nil })
}

// compares reads x[i] == c, or what a range statement calls x[i].
func (b *byteSearch) compares(e ast.Expr, op token.Token) bool {
	cmp, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || cmp.Op != op {
		return false
	}
	for _, side := range [][2]ast.Expr{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
		if b.isByte(ast.Unparen(side[0])) {
			b.value = ast.Unparen(side[1])
			return true
		}
	}
	return false
}

func (b *byteSearch) isByte(e ast.Expr) bool {
	if x, ok := e.(*ast.IndexExpr); ok && b.at != nil {
		return code.SameVariable(b.fn.Info(), x.X, b.in) && b.isIndex(x.Index)
	}
	return b.elem != nil && prove.IsUseOf(b.fn.Info(), e, b.elem)
}

func (b *byteSearch) isIndex(e ast.Expr) bool {
	if id, ok := b.at.(*ast.Ident); ok && b.fn.Info().Defs[id] != nil {
		return prove.IsUseOf(b.fn.Info(), e, b.fn.Info().Defs[id])
	}
	return code.SameVariable(b.fn.Info(), e, b.at)
}

// wanted says why IndexByte cannot look for the byte. In the characters of a string it must be
// an ASCII character, which is never a part of another.
func (b *byteSearch) wanted() *prove.Reason {
	info := b.fn.Info()
	what := types.ExprString(b.value)
	if n, ok := prove.ConstInt(info, b.value); ok {
		id, named := b.value.(*ast.Ident)
		typed := named && info.Uses[id] != nil && !isByteOrUntyped(info.Uses[id].Type())
		_, lit := b.value.(*ast.BasicLit)
		if n < 0 || n >= 0x80 || typed || !named && !lit {
			return prove.Refuse(what + " is no ASCII character, or has another type than byte")
		}
		return nil
	}
	id, ok := b.value.(*ast.Ident)
	if !ok || !types.Identical(info.TypeOf(id), types.Typ[types.Byte]) {
		return prove.Refuse(what + " is neither a constant nor a variable of type byte")
	}
	if b.elem != nil && info.Uses[id] == b.elem || b.at != nil && prove.IsUseOf(info, b.at, info.Uses[id]) {
		return prove.Refuse(what + " changes in the loop")
	}
	_, ranges := b.loop.(*ast.RangeStmt)
	if code.IsString(info.TypeOf(b.in)) && (ranges || b.count != nil) {
		return prove.Refuse(what + " may be a part of a character")
	}
	return nil
}

func isByteOrUntyped(t types.Type) bool {
	basic, ok := types.Unalias(t).(*types.Basic)
	return ok && (basic.Kind() == types.Byte || basic.Info()&types.IsUntyped != 0)
}

func (b *byteSearch) propose() (*model.Change, *prove.Reason) {
	f, info := b.fn.File, b.fn.Info()
	if why := b.wanted(); why != nil {
		return nil, why
	}
	if _, labelled := f.Parent(b.loop).(*ast.LabeledStmt); labelled || code.Jumps(b.fn.Decl.Body) {
		return nil, prove.Refuse("it has a label, or " + b.fn.Obj.Name() + " uses goto")
	}
	if b.elem != nil && b.then != nil && code.Mentions(info, b.then.Body, b.elem) {
		return nil, prove.Refuse("what is found is used by its name " + b.elem.Name())
	}
	if !code.Predeclared(b.fn.Obj.Pkg(), b.loop.Pos(), "byte") {
		return nil, prove.Refuse("byte means something else there")
	}
	path := "strings"
	if code.IsBytes(info.TypeOf(b.in)) {
		path = "bytes"
	}
	edits, ok := b.p.Reimport(f, b.loop.Pos(), []string{path}, "")
	as := b.p.Qualifier(f, b.loop.Pos(), path)
	if !ok || as == "" {
		return nil, prove.Refuse("package " + path + " cannot be imported in " + f.Name)
	}
	e, called, why := b.rewrite(as)
	if why != nil {
		return nil, why
	}
	return b.p.Change(b.fn, append(edits, e...), model.Change{
		Kind:  "byte-search",
		Title: fmt.Sprintf("%s: look for %s in %s by %s.%s in %s", f.Pkg.Name, types.ExprString(b.value), prove.Short(types.ExprString(b.in)), path, called, b.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: path + "." + called + " comes to what the loop comes to", How: "assumed", Why: "package " + path + ": it returns the first index of the byte, or how often it is there"},
			{Text: "nothing else happens in the loop", How: "proven", Why: "it compares each byte from the first on with one value, and goes on to the next"},
			{Text: "what is searched stays the same meanwhile", How: "proven", Why: "it is one variable, and so is its index; the loop writes to nothing else before it is at its end"},
		},
	})
}

// rewrite writes the call in place of the loop, and names the function.
func (b *byteSearch) rewrite(as string) ([]model.Edit, string, *prove.Reason) {
	f, p := b.fn.File, b.p
	in, value := p.Source(f, b.in), p.Source(f, b.value)
	index := func(of string) string { return fmt.Sprintf("%s.IndexByte(%s, %s)", as, of, value) }
	if b.commented() {
		return nil, "", prove.Refuse("there is a comment within the loop")
	}
	switch {
	case b.then == nil:
		name := code.FirstFree(b.fn.Decl, "n", "next", "skip")
		if name == "" {
			return nil, "", prove.Refuse("no name is free for the number of bytes")
		}
		at := p.Source(f, b.at)
		text := fmt.Sprintf("if %[1]s < len(%[2]s) {\nif %[3]s := %[4]s; %[3]s >= 0 {\n%[1]s += %[3]s\n} else {\n%[1]s = len(%[2]s)\n}\n}", at, in, name, index(in+"["+at+":]"))
		return []model.Edit{b.p.Put(b.fn.File, b.loop.Pos(), b.loop.End(), text)}, "IndexByte", nil
	case b.count == nil:
		return b.first(index(in)), "IndexByte", nil
	case b.at != nil && b.isIndex(b.count):
		return nil, "", prove.Refuse(types.ExprString(b.count) + " is the index itself")
	case b.throughNil():
		return nil, "", prove.Refuse(types.ExprString(b.count) + " may be behind a nil pointer where there is nothing to count")
	}
	what := "[]byte{" + value + "}"
	if n, ok := prove.ConstInt(b.fn.Info(), b.value); ok && code.IsString(b.fn.Info().TypeOf(b.in)) {
		what = strconv.Quote(string(rune(n)))
	}
	return []model.Edit{b.p.Put(b.fn.File, b.loop.Pos(), b.loop.End(), fmt.Sprintf("%s += %s.Count(%s, %s)", p.Source(f, b.count), as, in, what))}, "Count", nil
}

// throughNil reports whether what is counted up is behind a pointer that the search does not go through in any case.
func (b *byteSearch) throughNil() bool {
	eval := code.Eval{Info: b.fn.Info(), NotNil: func(x ast.Expr) bool {
		return (&prove.Invariant{Prog: b.p, Fn: b.fn, Stmt: b.loop}).Reached(x)
	}}
	return eval.Of(b.count).Grade != code.NoLoss
}

// commented reports whether a comment would be lost: one in a branch that ends the loop stays there.
func (b *byteSearch) commented() bool {
	f := b.fn.File
	if b.then == nil || b.count != nil || b.answer() != nil {
		return f.Commented(b.loop)
	}
	return f.Commented(span(b.loop.Pos(), b.then.Body.Lbrace)) || f.Commented(span(b.then.Body.List[len(b.then.Body.List)-1].End(), b.loop.End()))
}

func span(from, to token.Pos) ast.Node { return &ast.ParenExpr{Lparen: from, Rparen: to - 1} }

// first writes the branch for the first byte that is found.
func (b *byteSearch) first(index string) []model.Edit {
	if next := b.answer(); next != nil {
		if !b.indexed() {
			index += " >= 0"
		}
		return []model.Edit{b.p.Put(b.fn.File, b.loop.Pos(), b.loop.End(), "return "+index), b.p.Drop(b.fn.File, next)}
	}
	head := "if " + index + " >= 0 {"
	if b.indexed() {
		name := types.ExprString(b.at)
		head = fmt.Sprintf("if %s := %s; %[1]s >= 0 {", name, index)
	}
	list := b.then.Body.List
	end := b.then.Body.Rbrace
	if j, ok := list[len(list)-1].(*ast.BranchStmt); ok {
		end = j.Pos()
	}
	return []model.Edit{b.p.Put(b.fn.File, b.loop.Pos(), b.then.Body.Lbrace+1, head), b.p.Put(b.fn.File, end, b.loop.End(), "}")}
}

// indexed reports whether the branch uses the index.
func (b *byteSearch) indexed() bool {
	return b.at != nil && code.Any(b.then.Body, func(id *ast.Ident) bool { return b.isIndex(id) })
}

// answer returns the statement behind the loop, if both only say where the byte is, or whether
// it is there: return i and return -1, or return true and return false.
func (b *byteSearch) answer() *ast.ReturnStmt {
	info := b.fn.Info()
	list := code.StmtList(b.fn.File.Parent(b.loop))
	for i, s := range list[:max(len(list), 1)-1] {
		next, ok := list[i+1].(*ast.ReturnStmt)
		found, returns := b.then.Body.List[0].(*ast.ReturnStmt)
		if s != b.loop || !ok || !returns || len(next.Results) != 1 || len(found.Results) != 1 || b.fn.File.Commented(b.loop) {
			continue
		}
		yes, no := info.Types[found.Results[0]].Value, info.Types[next.Results[0]].Value
		if no == nil {
			continue
		}
		if yes == nil && b.at != nil && b.isIndex(found.Results[0]) && no.ExactString() == "-1" || yes != nil && yes.ExactString() == "true" && no.ExactString() == "false" {
			return next
		}
	}
	return nil
}
