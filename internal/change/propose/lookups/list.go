package lookups

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
)

// List writes a map that is only ranged over as a list.
var List = prove.Transformation{
	Name: "map-to-list",
	Doc: "A map that is written out with constant keys, and that loops only range over, becomes a list of its pairs. " +
		"A list is read in a row, and one in a function is not on the heap.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "map-to-list", "BenchmarkLanguage", "cpu", "entries in a row instead of a walk through buckets from a random one on", 0),
	// It looks at the loops whose head is on the target's line, and at the maps made there.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for loop := range code.All[*ast.RangeStmt](s.Fn.Decl.Body) {
			l := listOf(s.Program, s.Fn, loop)
			if l == nil || s.Pos(loop.Pos()).Line != s.At.Line && !(l.file == s.Fn.File && s.Covers(l.lit, s.At.Line)) {
				continue
			}
			c, why := l.propose()
			s.Add(prove.Short(types.ExprString(loop.X))+" is a map that is only ranged over", c, why)
		}
	}),
}

// A list is a map that loops range over.
type list struct {
	p     *prove.Program
	fn    *prove.Function // where a loop is
	v     *types.Var      // holds it; nil where it stands in the loop's head
	file  *prove.File     // where it is written out
	spec  ast.Node        // declares v
	lit   *ast.CompositeLit
	loops []over
}

// An over is a loop over the map.
type over struct {
	file *prove.File
	fn   *ast.FuncDecl
	info *types.Info
	stmt *ast.RangeStmt
}

// listOf reads what a loop ranges over: a map that is written out; nil for anything else.
func listOf(p *prove.Program, fn *prove.Function, loop *ast.RangeStmt) *list {
	info := fn.Info()
	l := &list{p: p, fn: fn, file: fn.File}
	var made ast.Expr = loop.X
	if v := code.Var(info, loop.X); v != nil && code.Local(v) {
		l.v = v
		def, value := code.Origin(fn.File.Pkg.Index(), info, fn.Decl.Body, v)
		if def == nil || len(def.Lhs) != 1 {
			return nil
		}
		l.spec, made = def, value
	} else if v != nil && v.Pkg() == fn.Obj.Pkg() {
		file, _, spec := declaration(fn, v)
		if spec == nil || len(spec.Values) != 1 {
			return nil
		}
		l.v, l.file, l.spec, made = v, file, spec, spec.Values[0]
	}
	lit, ok := made.(*ast.CompositeLit)
	if !ok || len(lit.Elts) == 0 {
		return nil
	}
	if _, ok := info.TypeOf(lit).Underlying().(*types.Map); !ok {
		return nil
	}
	l.lit = lit
	if l.v == nil {
		l.loops = []over{{fn.File, fn.Decl, info, loop}}
	}
	return l
}

func (l *list) propose() (*model.Change, *prove.Reason) {
	if why := l.written(); why != nil {
		return nil, why
	}
	if l.v != nil {
		if why := l.ranged(); why != nil {
			return nil, why
		}
	}
	for _, o := range l.loops {
		if why := l.follows(o); why != nil {
			return nil, why
		}
	}
	edits, why := l.edits()
	if why != nil {
		return nil, why
	}
	name := prove.Short(types.ExprString(l.lit.Type))
	if l.v != nil {
		name = l.v.Name()
	}
	return l.p.Change(l.fn, edits, model.Change{
		Kind:  "map-to-list",
		Title: fmt.Sprintf("%s: range over a list instead of the map %s in %s", l.fn.File.Pkg.Name, name, l.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "each loop sees the same pairs", How: "proven", Why: "the keys are constants, one for each entry, and nothing but loops uses the map"},
			{Text: "the order is one that the map may have", How: "proven", Why: "the language leaves a map's order open"},
			{Text: "nobody counts on another order each time", How: "assumed", Why: "no loop takes only the first pair"},
		},
	})
}

// written says why the map cannot be written as a list.
func (l *list) written() *prove.Reason {
	if why := prove.Editable(l.file); why != nil {
		return why
	}
	typ, ok := l.lit.Type.(*ast.MapType)
	if spec, isSpec := l.spec.(*ast.ValueSpec); !ok || isSpec && (spec.Type != nil || len(spec.Names) != 1) {
		return prove.Refuse("its type is not written out where it is made")
	}
	if l.file.Commented(typ) {
		return prove.Refuse("there is a comment within its type")
	}
	for _, e := range l.lit.Elts {
		pair := e.(*ast.KeyValueExpr)
		from, to := pair.Key.End(), pair.Value.Pos()
		if l.fn.Info().Types[pair.Key].Value == nil {
			return prove.Refusef("its keys are not constants (%s)", l.p.Pos(pair.Pos()))
		}
		if slices.ContainsFunc(l.file.Syntax.Comments, func(g *ast.CommentGroup) bool { return from <= g.Pos() && g.Pos() < to }) {
			return prove.Refusef("there is a comment within a pair (%s)", l.p.Pos(pair.Pos()))
		}
	}
	if l.v == nil {
		return nil
	}
	_, why := l.p.Hidden(l.fn, l.v)
	return why
}

// ranged takes all uses of the variable in, and says which one is no loop.
func (l *list) ranged() *prove.Reason {
	return l.p.EachUse(l.fn, l.v, func(f *prove.File, info *types.Info, e ast.Expr, up ast.Node) *prove.Reason {
		loop, ok := up.(*ast.RangeStmt)
		switch {
		case info.Defs[code.RootIdent(e)] != nil:
			return nil
		case !ok || loop.X != e:
			return prove.Refusef("it is not only ranged over (%s)", l.p.Pos(e.Pos()))
		case prove.Editable(f) != nil:
			return prove.Editable(f)
		}
		i := slices.IndexFunc(f.Syntax.Decls, func(d ast.Decl) bool { return code.Within(d, loop) })
		fn, _ := f.Syntax.Decls[i].(*ast.FuncDecl)
		l.loops = append(l.loops, over{f, fn, info, loop})
		return nil
	})
}

// follows says why a loop cannot go over the list.
func (l *list) follows(o over) *prove.Reason {
	s := o.stmt
	head := slices.ContainsFunc(o.file.Syntax.Comments, func(g *ast.CommentGroup) bool { return s.For <= g.Pos() && g.Pos() < s.X.Pos() })
	switch {
	case o.fn == nil:
		return prove.Refusef("a loop is in no declared function (%s)", l.p.Pos(s.Pos()))
	case s.Tok == token.ASSIGN:
		return prove.Refusef("a loop assigns to variables from outside (%s)", l.p.Pos(s.Pos()))
	case head:
		return prove.Refusef("there is a comment in the head of a loop (%s)", l.p.Pos(s.Pos()))
	case len(s.Body.List) > 0 && leaves(s.Body.List[len(s.Body.List)-1]) && !code.Any(s.Body, func(b *ast.BranchStmt) bool { return b.Tok == token.CONTINUE }):
		return prove.Refusef("a loop takes only the first pair, which is another each time (%s)", l.p.Pos(s.Pos()))
	}
	for _, x := range []ast.Expr{s.Key, s.Value} {
		id, ok := x.(*ast.Ident)
		if v, _ := o.info.Defs[id].(*types.Var); ok && v != nil && !l.p.GoAtLeast(o.file, "go1.22") && (code.AddressTaken(o.info, s.Body, v) || code.Any(s.Body, func(f *ast.FuncLit) bool { return code.MentionsOf(o.info, f, id) })) {
			return prove.Refusef("%s is one variable for all pairs before Go 1.22, and others keep it (%s)", id.Name, l.p.Pos(s.Pos()))
		}
	}
	return nil
}

// leaves reports whether a statement always leaves the loop around it.
func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK
	}
	return false
}

func (l *list) edits() (edits []model.Edit, why *prove.Reason) {
	p, typ := l.p, l.lit.Type.(*ast.MapType)
	put := func(f *prove.File, from, to token.Pos, text string) {
		edits = append(edits, p.Put(f, from, to, text))
	}
	keys, values := l.read()
	element := p.Source(l.file, typ.Key)
	if !keys {
		element = p.Source(l.file, typ.Value)
	} else if values {
		element = pairType(element, p.Source(l.file, typ.Value))
	}
	put(l.file, typ.Pos(), typ.End(), "[]"+element)
	for _, e := range l.lit.Elts {
		pair := e.(*ast.KeyValueExpr)
		switch {
		case !values:
			put(l.file, pair.Key.End(), pair.End(), "")
		case !keys:
			put(l.file, pair.Pos(), pair.Value.Pos(), "")
		default:
			put(l.file, pair.Pos(), pair.Pos(), "{")
			put(l.file, pair.Key.End(), pair.Value.Pos(), ", "+elided(pair.Value, typ.Value, p.Source(l.file, typ.Value)))
			put(l.file, pair.End(), pair.End(), "}")
		}
	}
	for _, o := range l.loops {
		names, of := named(o.stmt)
		pair := code.FirstFree(o.fn, "entry", "e", "row", "item")
		switch {
		case o.stmt.Key == nil:
		case len(names) == 0:
			put(o.file, o.stmt.Key.Pos(), o.stmt.X.Pos(), "range ")
		case !keys || !values:
			put(o.file, o.stmt.Key.Pos(), o.stmt.X.Pos(), "_, "+names[0]+" := range ")
		case pair == "":
			return nil, prove.Refuse("no name is free for a pair")
		default:
			put(o.file, o.stmt.Key.Pos(), o.stmt.X.Pos(), "_, "+pair+" := range ")
			at := o.stmt.Body.Lbrace + 1
			put(o.file, at, at, "\n\t"+strings.Join(names, ", ")+" := "+pair+"."+strings.Join(of, ", "+pair+"."))
		}
	}
	return edits, nil
}

// read reports whether a loop asks for keys, and for values. Values that are not constants are made as before.
func (l *list) read() (keys, values bool) {
	for _, o := range l.loops {
		_, of := named(o.stmt)
		keys = keys || slices.Contains(of, "key")
		values = values || slices.Contains(of, "value")
	}
	for _, e := range l.lit.Elts {
		values = values || l.fn.Info().Types[e.(*ast.KeyValueExpr).Value].Value == nil
	}
	return keys || !values, values
}

// pairType returns the type of a pair.
func pairType(key, value string) string {
	if key == value {
		return "struct {\nkey, value " + key + "\n}"
	}
	return "struct {\nkey " + key + "\nvalue " + value + "\n}"
}

// elided returns what an element must begin with that leaves out its type, as those of a map may.
func elided(x, typ ast.Expr, text string) string {
	if lit, ok := x.(*ast.CompositeLit); !ok || lit.Type != nil {
		return ""
	}
	if _, ok := typ.(*ast.StarExpr); ok {
		return "&" + strings.TrimPrefix(text, "*")
	}
	return text
}

// named returns the variables of a loop that have names, and what they are of a pair.
func named(s *ast.RangeStmt) (names, of []string) {
	for i, x := range []ast.Expr{s.Key, s.Value} {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
			names, of = append(names, id.Name), append(of, []string{"key", "value"}[i])
		}
	}
	return names, of
}
