package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// inputs knows which expressions of a function speak of what it was given.
type inputs struct {
	p     *pair
	u     *unit
	given map[types.Object]bool     // parameters and receiver
	alias map[types.Object]ast.Expr // what local variables were set to last
	piece map[types.Object]bool     // local variables that run over an input
	mixed map[types.Object]bool     // those that a loop adds parts of an input to
	depth int
}

// An aspect is what of an input an expression is.
type aspect string

// The aspects. A part is some of it: its first byte, a field.
const (
	noInput aspect = ""
	whole   aspect = "value"
	length  aspect = "length"
	digest  aspect = "hash"
	part    aspect = "part"
)

func inputsOf(p *pair, u *unit) *inputs {
	in := &inputs{p: p, u: u, given: make(map[types.Object]bool), alias: make(map[types.Object]ast.Expr),
		piece: make(map[types.Object]bool), mixed: make(map[types.Object]bool)}
	for n := range all[ast.Node](u) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			in.take(n.Recv)
			in.take(n.Type.Params)
		case *ast.FuncLit:
			in.take(n.Type.Params)
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					if o := u.info().ObjectOf(id); o != nil && !in.given[o] {
						in.alias[o] = n.Rhs[i]
					}
				}
			}
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok && in.of(n.X) != noInput {
				in.piece[u.info().ObjectOf(id)] = true
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if o := u.info().Defs[id]; o != nil && i < len(n.Values) {
					in.alias[o] = n.Values[i]
				}
			}
		}
	}
	in.mixes()
	return in
}

// mixes finds the variables that collect an input piece by piece: a hash, or
// a sum.
func (in *inputs) mixes() {
	info := in.u.info()
	takes := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			return in.of(n.X) == whole || in.of(n.X) == part
		case *ast.Ident:
			return in.piece[info.Uses[n]]
		}
		return false
	}
	for a := range all[*ast.AssignStmt](in.u) {
		if len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok == token.DEFINE {
			continue
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok {
			continue
		}
		o := info.Uses[id]
		if o != nil && code.IsInteger(typeOf(info, id)) && (a.Tok != token.ASSIGN || refersTo(info, a.Rhs[0], o)) && code.Any(a.Rhs[0], takes) {
			in.mixed[o] = true
		}
	}
}

func (in *inputs) take(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			if o := in.u.info().Defs[id]; o != nil {
				in.given[o] = true
			}
		}
	}
}

var hashName = regexp.MustCompile(`(?i)hash|checksum|crc|fnv|adler|digest|fingerprint`)

// of returns which aspect of an input an expression is.
func (in *inputs) of(e ast.Expr) aspect {
	if in.depth++; in.depth > 12 {
		in.depth--
		return noInput
	}
	defer func() { in.depth-- }()
	info := in.u.info()
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		o := info.Uses[x]
		if o == nil {
			return noInput
		}
		switch {
		case in.given[o]:
			return whole
		case in.mixed[o]:
			return digest
		case in.piece[o]:
			return part
		}
		if a := in.alias[o]; a != nil {
			return in.of(a)
		}
	case *ast.StarExpr:
		return in.of(x.X)
	case *ast.SliceExpr:
		if a := in.of(x.X); a != whole || x.Low == nil && x.High == nil {
			return a
		}
		return part
	case *ast.IndexExpr:
		if in.of(x.X) == whole && constantOf(info, x.Index) != nil {
			return part
		}
		if in.of(x.X) == digest {
			return digest
		}
	case *ast.SelectorExpr:
		if sel := info.Selections[x]; sel != nil && sel.Kind() == types.FieldVal && in.of(x.X) == whole && !in.isReceiver(x.X) {
			return whole
		}
	case *ast.UnaryExpr:
		if x.Op != token.AND && x.Op != token.ARROW {
			return in.of(x.X)
		}
	case *ast.BinaryExpr:
		return in.ofBinary(x)
	case *ast.CallExpr:
		return in.ofCall(x)
	}
	return noInput
}

func (in *inputs) ofBinary(x *ast.BinaryExpr) aspect {
	switch x.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
		return noInput
	}
	a, b := in.of(x.X), in.of(x.Y)
	switch {
	case constantOf(in.u.info(), x.Y) != nil:
		return a
	case constantOf(in.u.info(), x.X) != nil:
		return b
	case a == length && b == length:
		return length
	case a != noInput && b != noInput:
		return digest // mixed from parts of the input
	}
	return noInput
}

func (in *inputs) isReceiver(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || in.u.obj == nil || in.u.obj.Signature().Recv() == nil {
		return false
	}
	return in.u.info().Uses[id] == in.u.obj.Signature().Recv()
}

// ofCall returns the aspect that a call gives: its length, its hash, or the
// value itself in another form.
func (in *inputs) ofCall(c *ast.CallExpr) aspect {
	info := in.u.info()
	first := noInput
	for _, a := range c.Args {
		if k := in.of(a); k != noInput {
			first = k
			break
		}
	}
	if tv := info.Types[c.Fun]; tv.IsType() {
		return first
	}
	if code.IsBuiltin(info, c, "len") {
		if first == whole || first == part {
			return length
		}
		return noInput
	}
	if code.IsBuiltin(info, c, "append") {
		return in.of(c.Args[len(c.Args)-1])
	}
	name := calleeName(info, c)
	bare := name[strings.LastIndexByte(name, '.')+1:]
	isHash := hasAnyPrefix(name, "hash/", "crypto/", "(hash.", "(*hash/", "(*crypto/", "(io.Writer)") || strings.Contains(name, "xxhash")
	switch {
	case isHash && (first != noInput || hasAnyPrefix(bare, "Sum") && in.hashes()):
		return digest
	case first == noInput:
		return in.ofMethod(c)
	case hasAnyPrefix(name, "strings.To", "strings.Trim", "strings.Clone", "bytes.Clone", "bytes.To", "bytes.Trim", "unsafe.String", "unsafe.Slice",
		"slices.Clone", "fmt.Sprint", "strconv."):
		return first
	case hasAnyPrefix(name, "unicode/utf8.RuneCount"):
		return length
	}
	if v := in.p.cand.decls[name]; v != nil && v.fn != nil && v != in.u {
		if r := soleResult(v); r != nil {
			if k := in.inside(v).of(r); k != noInput {
				return k
			}
		}
		if hashName.MatchString(v.fn.Name.Name) && basicOf(typeOf(info, c)) != nil {
			return digest
		}
	}
	return noInput
}

// ofMethod handles x.Len() and the like of an input, and methods of the
// module's own types.
func (in *inputs) ofMethod(c *ast.CallExpr) aspect {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || len(c.Args) > 0 || in.of(sel.X) != whole {
		return noInput
	}
	switch sel.Sel.Name {
	case "Len", "Size":
		return length
	case "String", "Bytes":
		return whole
	}
	if v := in.p.cand.decls[calleeName(in.u.info(), c)]; v != nil && v.fn != nil && v != in.u {
		if r := soleResult(v); r != nil {
			return in.inside(v).of(r)
		}
	}
	return noInput
}

// hashes reports whether the function feeds an input to a hash.
func (in *inputs) hashes() bool {
	for c := range all[*ast.CallExpr](in.u) {
		s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		if ok && len(c.Args) == 1 && in.of(c.Args[0]) != noInput && strings.HasPrefix(s.Sel.Name, "Write") {
			return true
		}
	}
	return false
}

// inside returns the inputs of a helper.
func (in *inputs) inside(v *unit) *inputs {
	out := inputsOf(in.p, v)
	out.depth = in.depth
	return out
}

// soleResult returns what a function of one statement returns.
func soleResult(u *unit) ast.Expr {
	if u.fn == nil || u.fn.Body == nil || len(u.fn.Body.List) != 1 {
		return nil
	}
	r, ok := u.fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return nil
	}
	return r.Results[0]
}
