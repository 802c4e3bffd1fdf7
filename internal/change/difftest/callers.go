package difftest

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/words"
)

// methodsFor returns the exported methods of a subject's receiver by which the
// driver may set one up: those that both sides have and that are quiet.
func (c *comparison) methodsFor(s *subject) (out []string) {
	if s.cand.fn.Recv == nil {
		return nil
	}
	for _, d := range c.cand.sorted(funcDecl) {
		if d.fn.Recv != nil && d.fn.Name.IsExported() && words.Receiver(d.fn) == words.Receiver(s.cand.fn) && c.usable(d) {
			out = append(out, d.fn.Name.Name)
		}
	}
	return out
}

// makersFor returns the exported functions that make a subject's receiver, also as
// an interface.
func (c *comparison) makersFor(s *subject) (out []string) {
	recv := s.cand.obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return nil
	}
	for _, d := range c.cand.sorted(funcDecl) {
		sig := d.obj.Type().(*types.Signature)
		r := sig.Results()
		if d.fn.Recv == nil && d.fn.Name.IsExported() && sig.TypeParams().Len() == 0 && oneResult(r) && c.makes(d, r.At(0).Type(), recv.Type()) && c.usable(d) {
			out = append(out, d.fn.Name.Name)
		}
	}
	return out
}

// oneResult reports whether a function returns one thing, alone or beside an error.
func oneResult(r *types.Tuple) bool {
	return r.Len() == 1 || r.Len() == 2 && code.IsError(r.At(1).Type())
}

// like returns the candidate's copy of a function that other code may call with
// whatever it likes, as an expression, "" for any other: one that is exported,
// touches nothing but memory, and whose receiver others can make.
func (s *subject) like() string {
	sig := s.cand.obj.Type().(*types.Signature)
	if s.skipped != "" || !s.cand.fn.Name.IsExported() || len(typeParamsOf(sig)) > 0 ||
		!s.c.cand.quiet(s.cand, map[*decl]bool{}) || !s.c.base.quiet(s.base, map[*decl]bool{}) {
		return ""
	}
	name := candPrefix + s.cand.fn.Name.Name
	switch recv := sig.Recv(); {
	case recv == nil:
		return name
	case len(s.c.makersFor(s)) == 0:
		return ""
	case code.Pointee(recv.Type()) != recv.Type():
		return "(*" + words.Receiver(s.cand.fn) + ")." + name
	}
	return words.Receiver(s.cand.fn) + "." + name
}

// makes reports whether a function that returns a type may return a receiver: it is
// that type, or an interface of it, and the function names what it points to.
func (c *comparison) makes(d *decl, result, recv types.Type) bool {
	if types.Identical(result, recv) {
		return true
	}
	it, ok := result.Underlying().(*types.Interface)
	if !ok || it.NumMethods() == 0 || !types.Implements(recv, it) {
		return false
	}
	named, ok := code.Pointee(recv).(*types.Named)
	found := false
	c.cand.refs(d.fn.Body, func(_ *ast.Ident, to *decl) { found = found || ok && to.obj == named.Obj() })
	return found
}

// besideFor returns the exported functions that write a package variable which a
// subject reads: callers may do both at the same time.
func (c *comparison) besideFor(s *subject) (out []string) {
	var shared []*types.Var
	for _, d := range c.cand.sorted(varDecl) {
		if v, ok := d.obj.(*types.Var); ok && c.cand.reached(s.cand, d.key) && c.cand.mutable(v) {
			shared = append(shared, v)
		}
	}
	for _, d := range c.cand.sorted(funcDecl) {
		writes := func(v *types.Var) bool {
			return c.cand.anyReached(d, func(to *decl) bool { return to.kind == funcDecl && c.cand.writtenIn(to, v) })
		}
		if d != s.cand && d.fn.Recv == nil && d.fn.Name.IsExported() && d.obj.Type().(*types.Signature).TypeParams().Len() == 0 &&
			slices.ContainsFunc(shared, writes) && c.usable(d) {
			out = append(out, d.fn.Name.Name)
		}
	}
	return out
}

// usable reports whether both sides have a function, with one signature, and it
// is quiet.
func (c *comparison) usable(d *decl) bool {
	was := c.base.decls[d.key]
	return was != nil && was.kind == funcDecl && d.fn.Body != nil && signature(was) == signature(d) &&
		c.cand.quiet(d, map[*decl]bool{}) && c.base.quiet(was, map[*decl]bool{})
}

// loud has packages of the standard library with functions that reach out of the
// program, end it, or wait.
var loud = []string{"os", "net", "syscall", "database", "log", "io/ioutil", "plugin", "runtime", "testing", "time.Sleep", "flag", "expvar"}

// quiet reports whether a function and those of its package that it names touch
// nothing but memory: the driver may call it with anything.
func (s *side) quiet(d *decl, seen map[*decl]bool) bool {
	if seen[d] {
		return true
	}
	seen[d] = true
	ok := !code.Any(d.node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
			return true
		case *ast.Ident:
			f, is := s.info.Uses[n].(*types.Func)
			return is && f.Pkg() != nil && f.Pkg() != s.pkg && isLoud(f)
		}
		return false
	})
	s.refs(d.node(), func(_ *ast.Ident, to *decl) {
		ok = ok && (to.kind != funcDecl || s.quiet(to, seen))
	})
	return ok
}

func isLoud(f *types.Func) bool {
	at := f.Pkg().Path()
	if first, _, _ := strings.Cut(at, "/"); strings.Contains(first, ".") {
		return true // somebody else's
	}
	return slices.ContainsFunc(loud, func(l string) bool {
		return at == l || strings.HasPrefix(at, l+"/") && at != "net/url" && at != "net/netip" || at+"."+f.Name() == l
	})
}

// passedOf returns the arguments of a subject, the receiver counted, that any
// io.Writer may be, or any io.Reader, whose only method has that name; without a name,
// those that any value may be.
func (s *subject) passedOf(name string) (out []int) {
	sig := s.cand.obj.Type().(*types.Signature)
	from := 0
	if sig.Recv() != nil {
		from = 1
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		it, ok := t.Underlying().(*types.Interface)
		if !ok || code.IsTypeParam(t) || sig.Variadic() && i == sig.Params().Len()-1 || it.NumMethods() > 1 || (it.NumMethods() == 0) != (name == "") {
			continue
		}
		if name == "" {
			out = append(out, from+i)
			continue
		}
		if m := it.Method(0); m.Name() == name && strings.TrimPrefix(types.TypeString(m.Type(), nil), "func(p []byte)") == " (n int, err error)" {
			out = append(out, from+i)
		}
	}
	return out
}
