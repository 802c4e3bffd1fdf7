// Package falsesharing finds atomic counters of different writers that share a cache
// line.
package falsesharing

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "falsesharing",
	Title: "counters of different goroutines share a cache line",
	IDs:   []string{"C37"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.B,
	Why: "Each write takes the line away from the other cores, although they write something else. Padding gives each counter a line of its own: 64 bytes " +
		"on amd64.",
	WhenNot: "One goroutine writes, or all write all of them. There are many of the structs, so that the room counts for more. The layout matters to " +
		"others, by unsafe, cgo or package binary.",
	Gap: "The rule does not know who writes at once: it sees elements of a shared slice or array that an index picks, and neighbours in a struct that " +
		"different functions write. A lock is written when it is taken. On arm64 a line may have 128 bytes. golang.org/x/sys/cpu.CacheLinePad follows the processor.",
	Signature: "atomic operations that are slow with several cores and fast with one, in CPU profiles",
	Evidence: &rule.Evidence{
		Exempt: "the loss needs several cores that write at once, and each side is measured on one",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// line is the size of a cache line.
const line = 64

func run(p *rule.Pass) {
	s := &sharing{p: p, writers: map[*types.Var]map[*types.Func]bool{}, first: map[types.Type]bool{}}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.CallExpr)(nil)) {
		to, lock := written(p.TypesInfo, cur.Node().(*ast.CallExpr))
		if to == nil {
			continue
		}
		for at, x := range code.Given(p.Index, p.TypesInfo, cur, to) {
			if x = s.pointee(at, x); x == nil {
				continue
			}
			if !lock {
				s.note(at, x)
			}
			s.part(at, x)
		}
	}
	s.neighbours()
}

// written returns the pointer to what an atomic operation or the taking of a lock changes, or
// the value that has it as a method, and whether that is a lock; nil for other calls.
func written(info *types.Info, call *ast.CallExpr) (to ast.Expr, lock bool) {
	f := code.Callee(info, call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" && f.Pkg().Path() != "sync" || strings.HasPrefix(f.Name(), "Load") {
		return nil, false
	}
	switch code.ReceiverName(f) {
	case "Bool", "Pointer", "Value":
		return nil, false // set once, mostly, and no counter
	case "Mutex", "RWMutex":
		lock = f.Name() == "Lock" || f.Name() == "RLock"
	}
	if !lock && f.Pkg().Path() == "sync" {
		return nil, false
	}
	if f.Signature().Recv() != nil {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil, false
		}
		return sel.X, lock
	}
	if len(call.Args) == 0 {
		return nil, false
	}
	return call.Args[0], false
}

// pointee returns x of &x, also by way of a local variable, a value as it is, and nil for
// other pointers.
func (s *sharing) pointee(cur inspector.Cursor, x ast.Expr) ast.Expr {
	x = ast.Unparen(x)
	if v := code.Var(s.p.TypesInfo, x); v != nil && v.Kind() == types.LocalVar && isPointer(v.Type()) {
		if _, from := code.Origin(s.p.Index, s.p.TypesInfo, code.Outermost(cur), v); from != nil {
			x = ast.Unparen(from)
		}
	}
	if ref, ok := x.(*ast.UnaryExpr); ok && ref.Op == token.AND {
		return ref.X
	}
	if isPointer(s.p.TypesInfo.TypeOf(x)) {
		return nil
	}
	return x
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

type sharing struct {
	p       *rule.Pass
	writers map[*types.Var]map[*types.Func]bool // of fields
	first   map[types.Type]bool                 // elements that were reported
}

// note takes an atomic write.
func (s *sharing) note(cur inspector.Cursor, x ast.Expr) {
	if v := code.Named(s.p.TypesInfo, x); v != nil && v.IsField() {
		_, decl := code.Decl(s.p.TypesInfo, cur)
		if s.writers[v] == nil {
			s.writers[v] = map[*types.Func]bool{}
		}
		s.writers[v][decl] = true
	}
}

// part looks whether x, which is written at cur, is a part of an element of a shared slice or array.
func (s *sharing) part(cur inspector.Cursor, x ast.Expr) {
	for x != nil {
		switch n := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			if x = n.X; isPointer(s.p.TypesInfo.TypeOf(x)) {
				x = s.pointee(cur, x)
			}
		case *ast.IndexExpr:
			s.element(cur, n)
			return
		default:
			return
		}
	}
}

// most is how many elements a shared array may have: padding more takes much room.
const most = 1024

// element looks at x[i]; an atomic operation at cur changes a part of it.
func (s *sharing) element(cur inspector.Cursor, n *ast.IndexExpr) {
	var elem types.Type
	switch t := s.p.TypesInfo.TypeOf(n.X).Underlying().(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		if elem = t.Elem(); t.Len() < 2 || t.Len() > most {
			return
		}
	default:
		return
	}
	v := code.Named(s.p.TypesInfo, n.X)
	_, constant := code.Int(s.p.TypesInfo, n.Index)
	size := s.size(elem)
	if v == nil || !v.IsField() && code.Local(v) && !captured(cur, v) || constant || s.visits(cur, n.Index) || size <= 0 || size%line == 0 || size > line || s.first[elem] {
		return
	}
	s.first[elem] = true
	s.p.Report(rule.Finding{
		Pos: n.Pos(), End: n.End(),
		Message: fmt.Sprintf("%d elements of %s share a cache line, which each write takes away from the other cores", line/size, s.p.Source(n.X)),
		Fixes:   s.pad(elem, line-size),
	})
}

// visits reports whether an index counts the turns of a loop of the function at cur, which
// goes over many elements by itself.
func (s *sharing) visits(cur inspector.Cursor, index ast.Expr) bool {
	v := code.Var(s.p.TypesInfo, index)
	if !code.Local(v) {
		return false
	}
	at, ok := s.p.Index.Inspect.Root().FindByPos(v.Pos(), v.Pos())
	if !ok || at.ParentEdgeKind() != edge.RangeStmt_Key && at.Parent().ParentEdgeKind() != edge.ForStmt_Init {
		return false
	}
	home, _ := code.Func(at)
	fn, _ := code.Func(cur)
	return home == fn
}

// captured reports whether a variable belongs to a function around the literal at cur,
// which others may call too.
func captured(cur inspector.Cursor, v *types.Var) bool {
	fn, ok := code.Func(cur)
	lit, isLit := fn.Node().(*ast.FuncLit)
	return ok && isLit && !code.Declares(lit, v)
}

// size returns the size of a basic type, or of one that a package declares, 0 for
// others: those may depend on a type parameter.
func (s *sharing) size(t types.Type) int64 {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return s.p.TypesSizes.Sizeof(t)
	case *types.Named:
		if (t.TypeParams().Len() == 0 || t.TypeArgs().Len() > 0 && !code.Generic(t)) && t.Obj().Pkg() != nil && t.Obj().Parent() == t.Obj().Pkg().Scope() {
			return s.p.TypesSizes.Sizeof(t)
		}
	}
	return 0
}

// pad returns the fix that makes the elements as large as a line: they are structs of
// the package alone, whose literals name the fields.
func (s *sharing) pad(elem types.Type, bytes int64) []analysis.SuggestedFix {
	str := s.declared(elem)
	if str == nil {
		return nil
	}
	text := fmt.Appendf(nil, "_ [%d]byte // a cache line for each\n", bytes)
	if s.p.Fset.Position(str.Fields.Opening).Line == s.p.Fset.Position(str.Fields.Closing).Line {
		text = append([]byte("\n"), text...)
	}
	return []analysis.SuggestedFix{{Message: "A cache line for each", TextEdits: []analysis.TextEdit{
		{Pos: str.Fields.Closing, End: str.Fields.Closing, NewText: text},
	}}}
}

// declared returns the declaration of a struct whose layout only the package knows,
// nil for others.
func (s *sharing) declared(t types.Type) *ast.StructType {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Exported() || named.Obj().Pkg() != s.p.Pkg || s.p.Index.Imports("unsafe", "encoding/binary", "C") || !s.p.Index.Whole() {
		return nil
	}
	for cur := range s.p.Index.Inspect.Root().Preorder((*ast.CompositeLit)(nil)) {
		lit := cur.Node().(*ast.CompositeLit)
		if len(lit.Elts) == 0 || !types.Identical(s.p.TypesInfo.TypeOf(lit), t) {
			continue
		}
		if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
			return nil
		}
	}
	for cur := range s.p.Index.Inspect.Root().Preorder((*ast.TypeSpec)(nil)) {
		spec := cur.Node().(*ast.TypeSpec)
		if s.p.TypesInfo.Defs[spec.Name] == types.Object(named.Obj()) {
			str, _ := spec.Type.(*ast.StructType)
			return str
		}
	}
	return nil
}

// neighbours reports atomic fields of one line that no function writes both.
func (s *sharing) neighbours() {
	if !s.p.Index.Whole() {
		return
	}
	for _, name := range s.p.Pkg.Scope().Names() {
		tn, ok := s.p.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || s.size(tn.Type()) == 0 {
			continue
		}
		str, ok := tn.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		fields := slices.Collect(str.Fields())
		offsets := s.p.TypesSizes.Offsetsof(fields)
		for i := 1; i < len(fields); i++ {
			if apart := offsets[i] - offsets[i-1]; apart < line && s.differ(fields[i-1], fields[i]) {
				s.between(tn, fields[i-1], fields[i], line-apart)
			}
		}
	}
}

// differ reports whether both fields are written, and by different functions.
func (s *sharing) differ(a, b *types.Var) bool {
	for f := range s.writers[a] {
		if s.writers[b][f] {
			return false
		}
	}
	return len(s.writers[a]) > 0 && len(s.writers[b]) > 0
}

func (s *sharing) between(tn *types.TypeName, a, b *types.Var, bytes int64) {
	f := rule.Finding{
		Pos: b.Pos(), End: b.Pos() + token.Pos(len(b.Name())),
		Message: fmt.Sprintf("%s and %s share a cache line, and different functions write them", a.Name(), b.Name()),
	}
	if str := s.declared(tn.Type()); str != nil {
		for _, field := range str.Fields.List {
			if len(field.Names) == 1 && field.Names[0].Pos() == b.Pos() {
				f.Fixes = []analysis.SuggestedFix{{Message: "A cache line for each", TextEdits: []analysis.TextEdit{
					{Pos: field.Pos(), End: field.Pos(), NewText: fmt.Appendf(nil, "_ [%d]byte // a cache line for each\n", bytes)},
				}}}
			}
		}
	}
	s.p.Report(f)
}
