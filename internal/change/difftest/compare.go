package difftest

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/words"
)

// A comparison is what differs between the two sides of one package.
type comparison struct {
	*unit
	// foreign has the base's types that values of the candidate cannot serve,
	// for what reason.
	foreign map[*decl]string
	// dirty has the base's declarations that its code cannot share with the
	// candidate. Functions that only call changed functions are not among them.
	dirty map[*decl]bool
	// banned has those that cannot be copied, with the reason.
	banned    map[*decl]string
	newFields map[string][]string // as pawldrive.Func.NewFields
	notes     []string
	subjects  []*subject // what is driven, or why not
	// noted has the edits by which calls for sequences are noted.
	noted     map[*file][]model.Edit
	sequences []sequence
}

func compare(u *unit) *comparison {
	c := &comparison{
		unit: u, foreign: make(map[*decl]string), dirty: make(map[*decl]bool), banned: make(map[*decl]string),
		newFields: make(map[string][]string), noted: make(map[*file][]model.Edit),
	}
	c.compareTypes()
	c.compareValues()
	c.compareFuncs()
	for _, d := range u.base.inits {
		u.base.refs(d.fn, func(_ *ast.Ident, d *decl) {
			if c.dirty[d] && d.kind == varDecl {
				c.banned[d] = fmt.Sprintf("it needs the base's %s, which an init function works on", d.key)
			}
		})
	}
	c.compareInits()
	c.compareMethods()
	c.subjects = c.changed()
	c.spread()
	return c
}

// spread makes dirty what names a dirty function without a hook, and what names
// that: a hook leads calls of the base to the base's, and one whose type changed
// cannot have any.
func (c *comparison) spread() {
	hooked := make(map[*decl]bool)
	for _, s := range c.subjects {
		hooked[s.base] = s.copied()
	}
	for again := true; again; {
		again = false
		for _, d := range c.base.sorted(funcDecl) {
			if c.dirty[d] {
				continue
			}
			c.base.refs(d.fn, func(_ *ast.Ident, to *decl) {
				if to.kind == funcDecl && c.dirty[to] && !hooked[to] {
					c.dirty[d], again = true, true
				}
			})
		}
	}
}

// compareInits notes that the init functions differ: those of the candidate run
// for both versions.
func (c *comparison) compareInits() {
	tokens := func(s *side) (out []string) {
		for _, d := range s.inits {
			out = append(out, d.tokens())
		}
		return out
	}
	if !slices.Equal(tokens(c.base), tokens(c.cand)) {
		c.notes = append(c.notes, c.cand.pkg.Name()+".init differs: both versions ran with the candidate's")
	}
}

// compareMethods notes the exported methods that only one side has of a type
// that serves both: such a method may make it another thing to fmt, to an
// encoder, or wherever code asks for it.
func (c *comparison) compareMethods() {
	note := func(in, other *side, who string) {
		for _, d := range in.sorted(funcDecl) {
			if d.fn.Recv == nil || !d.fn.Name.IsExported() || other.decls[d.key] != nil || other.decls[words.Receiver(d.fn)] == nil {
				continue
			}
			if c.foreign[c.base.decls[words.Receiver(d.fn)]] == "" {
				c.notes = append(c.notes, fmt.Sprintf("only the %s has the method %s: what finds it through an interface was not compared", who, d.key))
			}
		}
	}
	note(c.base, c.cand, "base")
	note(c.cand, c.base, "candidate")
}

// sorted returns a side's declarations of one kind, by name.
func (s *side) sorted(k kind) []*decl {
	var out []*decl
	for _, key := range slices.Sorted(maps.Keys(s.decls)) {
		if d := s.decls[key]; d.kind == k {
			out = append(out, d)
		}
	}
	return out
}

func (c *comparison) compareTypes() {
	for _, d := range c.base.sorted(typeDecl) {
		now := c.cand.decls[d.key]
		if now == nil || now.kind != typeDecl {
			c.foreign[d] = d.key + ", which the candidate does not have"
			continue
		}
		bt, _ := d.obj.(*types.TypeName)
		ct, _ := now.obj.(*types.TypeName)
		shape := compareTypes(bt, ct)
		if !shape.compatible {
			c.foreign[d] = d.key + ", which is another type in the candidate"
		}
		if len(shape.added) > 0 {
			c.newFields[c.cand.pkg.Name()+"."+d.key] = shape.added
		}
	}
	for again := true; again; {
		again = false
		for _, d := range c.base.sorted(typeDecl) {
			c.base.refs(d.spec, func(_ *ast.Ident, to *decl) {
				if c.foreign[to] != "" && c.foreign[d] == "" {
					c.foreign[d] = fmt.Sprintf("%s, which holds %s", d.key, c.foreign[to])
					again = true
				}
			})
		}
	}
	for d := range c.foreign {
		c.dirty[d] = true
	}
}

// foreignIn returns which foreign type a type of either side is written with, in words, or "".
func (c *comparison) foreignIn(t types.Type) string {
	var found string
	mentions(t, func(n *types.TypeName) bool {
		d := c.base.byObj[n]
		if now := c.cand.byObj[n]; now != nil {
			d = c.base.decls[now.key]
		}
		found = c.foreign[d]
		return found != ""
	})
	return found
}

func (c *comparison) compareValues() {
	for _, k := range []kind{constDecl, varDecl} {
		for _, d := range c.base.sorted(k) {
			now := c.cand.decls[d.key]
			switch {
			case now == nil, types.TypeString(d.obj.Type(), nil) != types.TypeString(now.obj.Type(), nil),
				c.foreignIn(d.obj.Type()) != "":
				c.dirty[d] = true
			case !c.base.startsBy(d) && c.namesForeign(d, map[*decl]bool{}) && !c.filled(d):
				c.dirty[d] = true
			case alike(d, now):
			case c.filled(d):
				c.notes = append(c.notes, fmt.Sprintf("both versions used the candidate's variable %s: how it is set at first was not compared", d.key))
			default:
				c.dirty[d] = true
			}
			if c.dirty[d] && d.doc != nil && strings.Contains(text(d.doc), "//go:embed") {
				c.banned[d] = "it needs the base's " + d.key + ", which is embedded from files"
			}
		}
	}
}

// namesForeign reports whether the initial value of a variable, such as a pool, or an init function that sets it, names a type that
// differs, or a function that does: its values may be of that type, whatever type the variable has.
func (c *comparison) namesForeign(d *decl, seen map[*decl]bool) bool {
	seen[d] = true
	found := false
	look := func(n ast.Node) {
		c.base.refs(n, func(_ *ast.Ident, to *decl) {
			found = found || c.foreign[to] != "" || to.kind == funcDecl && !seen[to] && c.namesForeign(to, seen)
		})
	}
	look(d.node())
	if v, ok := d.obj.(*types.Var); ok {
		for _, in := range c.base.inits {
			for set := range code.All[*ast.AssignStmt](in.fn) {
				if slices.ContainsFunc(set.Lhs, func(e ast.Expr) bool { return c.base.isPart(e, v) }) {
					look(set)
				}
			}
		}
	}
	return found
}

// startsBy reports whether the initial value of a variable calls a function: a copy would call it again, which may
// register something twice.
func (s *side) startsBy(d *decl) bool {
	return code.Here(d.spec, func(call *ast.CallExpr) bool {
		return !s.info.Types[call.Fun].IsType() && !s.info.Types[call.Fun].IsBuiltin()
	}) != nil
}

// filled reports whether functions put something into a variable that later
// calls look for. A pool is asked for nothing that must be there.
func (c *comparison) filled(d *decl) bool {
	v, ok := d.obj.(*types.Var)
	if !ok || !c.base.mutable(v) {
		return false
	}
	kind, _ := kindOf(v.Type(), "")
	return kind != "pool"
}

// text returns a comment as it stands, directives included.
func text(doc *ast.CommentGroup) string {
	var b strings.Builder
	for _, l := range doc.List {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

func (c *comparison) compareFuncs() {
	for _, d := range c.base.sorted(funcDecl) {
		now := c.cand.decls[d.key]
		if now == nil || !alike(d, now) || c.usesDirty(d) || c.foreignIn(d.obj.Type()) != "" || c.foreignReceiver(d) != "" {
			c.dirty[d] = true
		}
		switch {
		case d.fn.Body == nil:
			c.banned[d] = "it needs the base's " + d.key + ", which has no Go body"
		case d.file.cgo:
			c.banned[d] = "it needs the base's " + d.key + ", which stands in a file that uses cgo"
		}
	}
}

// usesDirty reports whether a function names a variable, constant or type that
// differs.
func (c *comparison) usesDirty(d *decl) bool {
	found := false
	c.base.refs(d.fn, func(_ *ast.Ident, to *decl) { found = found || to.kind != funcDecl && c.dirty[to] })
	return found
}

func (c *comparison) foreignReceiver(d *decl) string {
	if d.fn.Recv == nil {
		return ""
	}
	if t := c.base.decls[words.Receiver(d.fn)]; t != nil {
		return c.foreign[t]
	}
	return ""
}

// A subject is a function that both sides have and that differs.
type subject struct {
	id         int
	c          *comparison
	base, cand *decl
	skipped    string
	// redirect says that one which is skipped has copies all the same: while
	// the base is driven, calls of it lead to the base's.
	redirect bool
	retyped  bool       // it is skipped since its type changed
	branches []branch   // that only the base has, where it is driven
	of       []*subject // those that this one, which has not changed, stands for as a caller
}

func (s *subject) copied() bool { return s.skipped == "" || s.redirect }

// changed returns the functions that differ, by themselves or by a variable
// or constant that they name.
func (c *comparison) changed() []*subject {
	var out []*subject
	for _, d := range c.base.sorted(funcDecl) {
		now := c.cand.decls[d.key]
		if now == nil || now.kind != funcDecl {
			continue
		}
		same := alike(d, now)
		rerouted := same && !slices.Equal(c.base.methods(d.fn), c.cand.methods(now.fn))
		if !same || rerouted || c.usesChangedValue(d) {
			s := &subject{c: c, base: d, cand: now}
			if s.skipped = s.whyNot(); s.skipped == "" && rerouted {
				s.skipped = "it calls another method by the same name than in the base"
			}
			if s.skipped == "" {
				s.branches = c.branchesOf(s)
			}
			out = append(out, s)
		}
	}
	return out
}

// methods returns the full names of the methods that a function names, in
// order: a new one hides one that was promoted, and the text stays the same.
func (s *side) methods(fn *ast.FuncDecl) (out []string) {
	for id := range code.All[*ast.Ident](fn) {
		if f, ok := s.info.Uses[id].(*types.Func); ok && f.Signature().Recv() != nil {
			out = append(out, f.FullName())
		}
	}
	return out
}

// usesChangedValue reports whether a function names a variable or constant
// that both sides have and that differs.
func (c *comparison) usesChangedValue(d *decl) bool {
	found := false
	c.base.refs(d.fn, func(_ *ast.Ident, to *decl) {
		found = found || (to.kind == varDecl || to.kind == constDecl) && c.dirty[to] && c.cand.decls[to.key] != nil
	})
	return found
}

// whyNot says why a function cannot be driven, as far as its declaration
// shows, or returns "".
func (s *subject) whyNot() string {
	b, c := s.base, s.cand
	sig := c.obj.Type().(*types.Signature)
	switch {
	case b.fn.Body == nil || c.fn.Body == nil:
		return "it has no Go body"
	case b.file.cgo || c.file.cgo:
		return "it stands in a file that uses cgo"
	case s.retypes() != "":
		s.retyped = true
		return s.retypes()
	case recovers(b.fn) || recovers(c.fn):
		return "it recovers from a panic of its caller"
	case pragma(c.doc):
		return "a compiler directive forbids a hook in it"
	}
	for _, p := range typeParamsOf(sig) {
		if p.Obj().Name() == "_" {
			return "it has a type parameter without a name"
		}
	}
	for i := range sig.Params().Len() {
		switch t := sig.Params().At(i).Type().Underlying().(type) {
		case *types.Chan:
			s.redirect = true
			return fmt.Sprintf("it takes a channel (%s)", sig.Params().At(i).Name())
		case *types.Basic:
			if t.Kind() == types.UnsafePointer {
				s.redirect = true
				return fmt.Sprintf("it takes an unsafe pointer (%s)", sig.Params().At(i).Name())
			}
		}
	}
	return ""
}

// retypes says how the type of a function changed, as far as that is in the way of
// calling both versions with the same, or returns "".
func (s *subject) retypes() string {
	switch recv, in := s.c.foreignReceiver(s.base), s.c.foreignIn(s.base.obj.Type()); {
	case signature(s.base) != signature(s.cand):
		return "its signature changed"
	case recv != "":
		return "it is a method of " + recv
	case in != "":
		return "it takes or returns " + in
	}
	return ""
}

// signature returns a function's type without the names of its parameters.
func signature(d *decl) string {
	sig := d.obj.Type().(*types.Signature)
	var b strings.Builder
	if r := sig.Recv(); r != nil {
		fmt.Fprintf(&b, "(%s).", types.TypeString(r.Type(), nil))
	}
	for _, p := range typeParamsOf(sig) {
		fmt.Fprintf(&b, "[%s %s]", p.Obj().Name(), types.TypeString(p.Constraint(), nil))
	}
	for _, t := range []*types.Tuple{sig.Params(), sig.Results()} {
		b.WriteByte('(')
		for i := range t.Len() {
			b.WriteString(types.TypeString(t.At(i).Type(), nil) + ",")
		}
		b.WriteByte(')')
	}
	fmt.Fprint(&b, sig.Variadic())
	return b.String()
}

// typeParamsOf returns the type parameters that stand for types in a
// function's body: its own, or those of its receiver.
func typeParamsOf(sig *types.Signature) []*types.TypeParam {
	var out []*types.TypeParam
	for _, l := range []*types.TypeParamList{sig.RecvTypeParams(), sig.TypeParams()} {
		for i := range l.Len() {
			out = append(out, l.At(i))
		}
	}
	return out
}

// recovers reports whether a function itself calls recover: it is meant to be
// deferred.
func recovers(fn *ast.FuncDecl) bool {
	return code.Here(fn.Body, func(call *ast.CallExpr) bool {
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "recover"
	}) != nil
}

func pragma(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	t := text(doc)
	return slices.ContainsFunc([]string{"//go:nosplit", "//go:systemstack", "//go:nowritebarrier", "//export "}, func(p string) bool {
		return strings.Contains(t, p)
	})
}

// closure adds to set what has to be copied for d to run as the base had it,
// and returns why that cannot be done, or "".
func (c *comparison) closure(d *decl, set map[*decl]bool) string {
	if set[d] {
		return ""
	}
	set[d] = true
	if why := c.banned[d]; why != "" {
		return why
	}
	var why string
	c.base.refs(d.node(), func(_ *ast.Ident, to *decl) {
		if why == "" && c.dirty[to] {
			why = c.closure(to, set)
		}
	})
	if d.kind == typeDecl && why == "" {
		for _, m := range c.base.sorted(funcDecl) {
			if m.fn.Recv != nil && words.Receiver(m.fn) == d.key && why == "" {
				why = c.closure(m, set)
			}
		}
	}
	return why
}
