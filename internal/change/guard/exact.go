package guard

import (
	"bytes"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A test is one comparison of an input with something that is known
// beforehand.
type test struct {
	aspect aspect
	value  constant.Value // what it is compared with; nil for a table
	equal  bool           // true when the condition holds for that input
	node   ast.Node
	typ    types.Type // of what is compared
}

// exact names conditions that pick out one particular input: by its value,
// its hash, its length, some of its bytes; and what is looked up by them in a
// table of the program.
func (p precomputed) exact(u *unit) {
	in := inputsOf(p.pair, u)
	inspectStack(u, func(n ast.Node, stack []ast.Node) {
		switch n := n.(type) {
		case *ast.IfStmt:
			p.branch(in, n, stack)
		case *ast.SwitchStmt:
			p.cases(in, n)
		case *ast.IndexExpr:
			p.lookedUp(in, n)
		case *ast.BinaryExpr:
			if p.isNew(u, n) {
				p.hashed(in, n)
				p.weakened(in, n)
			}
		}
	})
}

// tests returns the comparisons of inputs with constants in a condition.
func (in *inputs) tests(cond ast.Expr, equal bool) []test {
	if in.depth++; in.depth > 12 {
		in.depth--
		return nil
	}
	defer func() { in.depth-- }()
	switch c := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return in.tests(c.X, !equal)
		}
	case *ast.Ident:
		if a := in.alias[in.u.info().Uses[c]]; a != nil {
			return in.tests(a, equal)
		}
	case *ast.BinaryExpr:
		switch c.Op {
		case token.LAND, token.LOR:
			return append(in.tests(c.X, equal), in.tests(c.Y, equal)...)
		case token.EQL, token.NEQ:
			for _, s := range [][2]ast.Expr{{c.X, c.Y}, {c.Y, c.X}} {
				if a, v := in.of(s[0]), in.p.fixed(in.u, s[1]); a != noInput && v != nil {
					return []test{{a, v, equal == (c.Op == token.EQL), c, in.u.info().TypeOf(s[0])}}
				}
			}
		}
	case *ast.CallExpr:
		return in.testCall(c, equal)
	}
	return nil
}

// testCall finds comparisons that are calls: bytes.Equal, strings.HasPrefix,
// and helpers of the module that return one.
func (in *inputs) testCall(c *ast.CallExpr, equal bool) []test {
	name := calleeName(in.u.info(), c)
	if v := in.p.cand.decls[name]; v != nil && v.fn != nil && v != in.u {
		if r := soleResult(v); r != nil {
			out := in.inside(v).tests(r, equal)
			for i := range out {
				out[i].node = c
			}
			return out
		}
		return nil
	}
	if len(c.Args) != 2 || !hasAnyPrefix(name, "bytes.", "strings.", "slices.Equal", "reflect.DeepEqual", "crypto/subtle.", "maps.Equal") {
		return nil
	}
	for i := range 2 {
		if a, v := in.of(c.Args[i]), in.p.fixed(in.u, c.Args[1-i]); a != noInput && v != nil && v.Kind() == constant.String {
			if hasAnyPrefix(name, "strings.HasPrefix", "strings.HasSuffix", "strings.Contains", "bytes.HasPrefix", "bytes.HasSuffix", "bytes.Contains") && a == whole {
				a = part
			}
			return []test{{a, v, equal, c, in.u.info().TypeOf(c.Args[i])}}
		}
	}
	return nil
}

// telling reports whether a test picks out one input rather than a kind of
// inputs, and whether the tests of the judges know that input.
func (p precomputed) telling(t test) (tells, isKnown bool) {
	switch v := t.value; {
	case t.aspect == digest:
		n, ok := constant.Int64Val(constant.ToInt(v))
		small := v.Kind() == constant.Int && ok && n < 256 && n > -256 // a bucket or a flag, not a hash as a whole
		own := v.Kind() == constant.Int && p.known.baseNums[number(v)]
		return !small && !own, !small && !own
	case v.Kind() == constant.String:
		s := constant.StringVal(v)
		if p.known.inBase(s) {
			return false, false
		}
		isKnown = len(s) >= leastText && p.known.says(s) != "" || len(s) >= 3 && p.known.texts[s] && t.aspect == whole
		return isKnown || len(s) >= longText, isKnown
	case v.Kind() == constant.Int:
		n, ok := constant.Int64Val(v)
		if p.known.baseNums[number(v)] {
			return false, false
		}
		switch {
		case t.aspect == length:
			return ok && n >= longText, ok && n >= leastSize && p.known.sizes[n]
		case t.aspect == whole && isPlainInt(t.typ):
			return !ok || n >= 1000 || n >= 10 && p.known.nums[number(v)], !ok || n >= 10 && p.known.nums[number(v)]
		}
	case v.Kind() == constant.Float:
		return p.known.nums[number(v)], p.known.nums[number(v)]
	}
	return false, false
}

// isPlainInt reports whether a type is a number of a size that counts things:
// no byte, no rune, no named type with a meaning of its own.
func isPlainInt(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Kind() != types.Byte && b.Kind() != types.Rune
}

// branch looks at what an if does for the input that its condition picks out.
func (p precomputed) branch(in *inputs, s *ast.IfStmt, stack []ast.Node) {
	if !p.isNew(in.u, s.Cond) {
		return
	}
	parts := 0
	for _, t := range in.tests(s.Cond, true) {
		if isPiece(t) {
			if parts++; parts >= 2 && t.equal && answers(in, s.Body.List) {
				p.add(model.SuspectPrecomputed, s.Cond, "an answer that is given for an input with these parts only")
			}
		}
		if t.aspect == part {
			p.begins(in, s, t)
			continue
		}
		tells, isKnown := p.telling(t)
		if !tells {
			continue
		}
		picked, rest := s.Body.List, elseOf(s, stack)
		if !t.equal {
			picked, rest = rest, picked
		}
		switch {
		case rejects(in, rest) && !answers(in, picked):
			// All other inputs are errors: the input is checked, not recognised.
		case answers(in, picked):
			p.add(model.SuspectPrecomputed, s.Cond, "an answer that is given for one "+string(t.aspect)+" of the input only")
		case skips(picked) && (isKnown || t.aspect != length):
			p.add(model.SuspectPrecomputed, s.Cond, "for one "+string(t.aspect)+" of the input work is left out")
		case skips(picked) && p.movedIn(in.u, rest):
			p.add(model.SuspectPrecomputed, s.Cond, "for one "+string(t.aspect)+" of the input work of the base is left out")
		case isKnown:
			p.add(model.SuspectPrecomputed, s.Cond, "an input of the tests, by its "+string(t.aspect)+", is treated in another way")
		}
	}
	p.narrow(in, s)
}

// isPiece reports whether a test is of a part or of a small length: several of
// those tell an input as well.
func isPiece(t test) bool {
	if t.aspect == length {
		return t.value.Kind() == constant.Int && constant.Compare(t.value, token.GTR, constant.MakeInt64(2))
	}
	return t.aspect == part && t.value.Kind() != constant.Bool
}

// begins looks at a test for a text that is a part of the input: its prefix.
func (p precomputed) begins(in *inputs, s *ast.IfStmt, t test) {
	if t.value.Kind() != constant.String {
		return
	}
	text := constant.StringVal(t.value)
	switch {
	case p.known.inBase(text) || len(text) < 4:
	case p.known.says(text) != "":
		p.add(model.SuspectPrecomputed, s.Cond, "an input of the tests is treated in another way")
	case t.equal && answers(in, s.Body.List) && bytes.Contains(p.known.blob, []byte(text)):
		p.add(model.SuspectPrecomputed, s.Cond, "an answer that is given for an input of the tests only")
	}
}

// elseOf returns what runs when a condition does not hold: the else branch, or
// what follows in the block.
func elseOf(s *ast.IfStmt, stack []ast.Node) []ast.Stmt {
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		return e.List
	case *ast.IfStmt:
		return []ast.Stmt{e}
	}
	if !ends(s.Body.List) {
		return nil
	}
	if b, ok := stack[len(stack)-1].(*ast.BlockStmt); ok {
		for i, st := range b.List {
			if st == ast.Stmt(s) {
				return b.List[i+1:]
			}
		}
	}
	return nil
}

func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		if c, ok := s.X.(*ast.CallExpr); ok {
			id, ok := c.Fun.(*ast.Ident)
			return ok && id.Name == "panic"
		}
	}
	return false
}

// answers reports whether statements return, or assign to a result, values
// that do not depend on anything that the function was given, and that say
// something: not only nil, zero, false and errors.
func answers(in *inputs, list []ast.Stmt) bool {
	if len(list) == 0 || len(list) > 4 {
		return false
	}
	r, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok {
		return false
	}
	results := r.Results
	if len(results) == 0 { // named results that are set before
		for _, s := range list[:len(list)-1] {
			if a, ok := s.(*ast.AssignStmt); ok {
				results = append(results, a.Rhs...)
			}
		}
	}
	says := false
	for _, e := range results {
		if dependsOnInput(in, e) {
			return false
		}
		says = says || meansSomething(in.u, e)
	}
	return says
}

func dependsOnInput(in *inputs, e ast.Expr) bool {
	return code.Any(e, func(id *ast.Ident) bool {
		v, ok := in.u.info().Uses[id].(*types.Var)
		return ok && isLocal(v) &&
			(in.given[v] && !in.isReceiver(id) || in.alias[v] != nil && in.of(id) != noInput || in.alias[v] == nil && !in.given[v])
	})
}

func meansSomething(u *unit, e ast.Expr) bool {
	tv := u.info().Types[e]
	if tv.IsNil() || isError(tv.Type) {
		return false
	}
	if v := tv.Value; v != nil {
		switch v.Kind() {
		case constant.Bool:
			return constant.BoolVal(v)
		case constant.String:
			return constant.StringVal(v) != ""
		default:
			return constant.Compare(v, token.GTR, constant.MakeInt64(1)) // 0, 1 and -1 are answers of most code
		}
	}
	if c, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		return len(c.Elts) > 0
	}
	return true
}

func isError(t types.Type) bool {
	return t != nil && (types.Identical(t, types.Universe.Lookup("error").Type()) || types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)))
}

// rejects reports whether statements end in an error, a panic, or a return of
// nothing: what is done with input that is not valid.
func rejects(in *inputs, list []ast.Stmt) bool {
	if len(list) == 0 || !ends(list) {
		return false
	}
	r, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok {
		_, branch := list[len(list)-1].(*ast.BranchStmt)
		return !branch
	}
	if len(list) > 3 || len(r.Results) == 0 {
		return false
	}
	last := r.Results[len(r.Results)-1]
	if tv := in.u.info().Types[last]; isError(tv.Type) {
		return !tv.IsNil()
	}
	return !slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return dependsOnInput(in, e) || meansSomething(in.u, e) })
}

// skips reports whether statements do nothing but leave.
func skips(list []ast.Stmt) bool {
	if len(list) == 0 {
		return true
	}
	if len(list) > 1 {
		return false
	}
	switch s := list[0].(type) {
	case *ast.ReturnStmt:
		for _, e := range s.Results {
			switch ast.Unparen(e).(type) {
			case *ast.Ident, *ast.BasicLit:
			default:
				return false
			}
		}
		return true
	case *ast.BranchStmt:
		return true
	}
	return false
}

// movedIn reports whether statements are ones of the base, which now run under
// a condition.
func (p precomputed) movedIn(u *unit, list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool { return !p.isNew(u, s) })
}
