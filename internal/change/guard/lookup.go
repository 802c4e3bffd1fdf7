package guard

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// cases looks at a switch over an input: cases that are answers.
func (p precomputed) cases(in *inputs, s *ast.SwitchStmt) {
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		for _, e := range cc.List {
			var ts []test
			if s.Tag == nil {
				if p.isNew(in.u, e) {
					ts = in.tests(e, true)
				}
			} else if a, v := in.of(s.Tag), p.fixed(in.u, e); a != noInput && v != nil {
				ts = []test{{a, v, true, e, in.u.info().TypeOf(s.Tag)}}
			}
			for _, t := range ts {
				tells, isKnown := p.telling(t)
				if t.aspect == digest && in.wordsOf(s) && p.worded(t.value) {
					continue
				}
				if t.aspect == digest && (s.Tag == nil || !p.isNewText(in.u, s)) {
					tells = tells && p.isNewText(in.u, s)
				}
				if t.equal && tells && (answers(in, cc.Body) || isKnown || skips(cc.Body)) {
					p.add(model.SuspectPrecomputed, e, "a case for one "+string(t.aspect)+" of the input")
				}
			}
		}
	}
}

// Short words of the base are told apart by a number that their bytes are put together to: no more than maxWord of these,
// and one of minWords.
const (
	maxWord  = 4
	minWords = 3
)

// wordsOf reports whether a switch chooses among short words so. The number has the bytes themselves, it is no hash.
func (in *inputs) wordsOf(s *ast.SwitchStmt) bool {
	words := 0
	for _, c := range s.Body.List {
		words += len(c.(*ast.CaseClause).List)
	}
	return s.Tag != nil && words >= minWords && in.puts(s.Tag)
}

// worded reports whether the bytes of a number are a word that the base has, from the first or from the last on.
func (p precomputed) worded(v constant.Value) bool {
	word := constant.Bytes(constant.ToInt(v)) // the lowest first
	last := string(word)
	slices.Reverse(word)
	return p.known.inBase(last) || p.known.inBase(string(word))
}

// puts reports whether an expression puts bytes side by side.
func (in *inputs) puts(e ast.Expr) bool {
	info := in.u.info()
	if id, ok := ast.Unparen(e).(*ast.Ident); ok && in.alias[info.Uses[id]] != nil {
		e = in.alias[info.Uses[id]]
	}
	at := make(map[int64]bool) // by how far a byte is shifted
	var side func(e ast.Expr) bool
	side = func(e ast.Expr) bool {
		shift := int64(0)
		e = ast.Unparen(e)
		if b, ok := e.(*ast.BinaryExpr); ok {
			if b.Op == token.OR {
				return side(b.X) && side(b.Y)
			}
			n := constantOf(info, b.Y)
			if b.Op != token.SHL || n == nil {
				return false
			}
			shift, _ = constant.Int64Val(constant.ToInt(n))
			e = ast.Unparen(b.X)
		}
		if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 1 && info.Types[c.Fun].IsType() {
			e = c.Args[0]
		}
		b := basicOf(typeOf(info, e))
		is := b != nil && b.Kind() == types.Uint8 && shift%8 == 0 && !at[shift] && in.of(e) != digest
		at[shift] = true
		return is
	}
	return side(e) && len(at) <= maxWord
}

// lookedUp looks at a table of the program that is indexed by an input, its
// hash or its length.
func (p precomputed) lookedUp(in *inputs, ix *ast.IndexExpr) {
	if _, ok := typeOf(in.u.info(), ix.X).(*types.Map); !ok || !p.isNew(in.u, ix) {
		return
	}
	a := in.of(ix.Index)
	if a == noInput || a == part {
		return
	}
	v, lit := p.literalOf(in, ix.X)
	if lit == nil {
		return
	}
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		k := p.fixed(v, kv.Key)
		if k == nil {
			continue
		}
		if tells, _ := p.telling(test{a, k, true, kv, v.info().TypeOf(kv.Key)}); tells {
			p.add(model.SuspectPrecomputed, ix, "a table of answers by the input's "+string(a))
			return
		}
	}
}

// literalOf returns the literal that a variable is initialised with, and the
// unit that it stands in.
func (p precomputed) literalOf(in *inputs, e ast.Expr) (*unit, *ast.CompositeLit) {
	if c, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		return in.u, c
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil, nil
	}
	o := in.u.info().Uses[id]
	if o == nil {
		return nil, nil
	}
	if isLocal(o) {
		c, _ := in.alias[o].(*ast.CompositeLit)
		return in.u, c
	}
	v := p.cand.decls[objectName(o)]
	if v == nil || v.fn != nil {
		return nil, nil
	}
	if s, ok := v.nodes[0].(*ast.ValueSpec); ok && len(s.Values) == 1 {
		c, _ := ast.Unparen(s.Values[0]).(*ast.CompositeLit)
		return v, c
	}
	return nil, nil
}

// hashed names comparisons of a hash of an input with a constant, wherever
// they stand.
func (p precomputed) hashed(in *inputs, b *ast.BinaryExpr) {
	for _, t := range in.tests(b, true) {
		if tells, _ := p.telling(t); tells && t.aspect == digest && t.node == ast.Node(b) {
			p.add(model.SuspectPrecomputed, b, "an input is recognised by its hash")
		}
	}
}

// weakened names a check of the base that is left out for one input: the
// check and, joined to it, a test for that input.
func (p precomputed) weakened(in *inputs, b *ast.BinaryExpr) {
	if b.Op != token.LAND && b.Op != token.LOR {
		return
	}
	for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		if !calls(in.u.info(), s[1]) {
			continue
		}
		for _, t := range in.tests(s[0], true) {
			if tells, isKnown := p.telling(t); tells && t.aspect != part && t.equal == (b.Op == token.LOR) && (isKnown || !p.isNew(in.u, s[1])) {
				p.add(model.SuspectPrecomputed, b, "for one "+string(t.aspect)+" of the input a check is left out")
			}
		}
		if p.mentionsLength(in, s[0]) && !p.isNew(in.u, s[1]) && p.oneLength(in, s[0]) {
			p.add(model.SuspectPrecomputed, b, "for inputs of one length a check is left out")
		}
	}
}

// calls reports whether an expression calls a function.
func calls(info *types.Info, e ast.Expr) bool {
	return code.Any(e, func(c *ast.CallExpr) bool { return !info.Types[c.Fun].IsType() && !info.Types[c.Fun].IsBuiltin() })
}
