package guard

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// losses asks which safeguards of the base are gone or hold less.
type losses struct{ *pair }

// safeguards names what kept secrets or kept goroutines apart and is gone or
// weaker: no test shows it, and no comparison of results.
func (p losses) safeguards(u *unit) {
	old := p.base.units[u.key]
	if old == nil || len(u.nodes) == 0 {
		return
	}
	was, now := p.base.leadsTo(old), p.cand.leadsTo(u)
	p.secrets(u, was, now)
	p.orders(u, old, was, now)
	if u.fn != nil && old.fn != nil {
		p.looser(u, old)
		p.later(u, old)
		p.ends(u, old)
		p.asks(u, old)
	}
	if u.fn == nil || old.fn == nil || !old.has(isLock) {
		return
	}
	if u.has(isLock) {
		p.narrowerLock(u, old)
	} else if !u.has(isAtomic) && p.lost(isLock) && !p.goesOn(u, old) {
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" took a lock in the base and takes none now")
	}
}

// goesOn reports whether a function does what it did before it took a lock, and the rest in a new function that takes one.
func (p losses) goesOn(u, old *unit) bool {
	if u.fn.Body == nil || old.fn.Body == nil {
		return false
	}
	list, was := u.fn.Body.List, old.fn.Body.List
	last := len(list) - 1
	if last < 0 || last > len(was) {
		return false
	}
	for i, s := range list[:last] {
		locks := func(call *ast.CallExpr) bool { return isLock(calleeName(old.info(), call)) }
		if p.cand.text(s) != p.base.text(was[i]) || code.Any(was[i], locks) {
			return false
		}
	}
	var call ast.Expr
	switch s := list[last].(type) {
	case *ast.ExprStmt:
		call = s.X
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			call = s.Results[0]
		}
	}
	c, ok := call.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := code.Callee(u.info(), c)
	if fn == nil {
		return false
	}
	to := p.cand.decls[objectName(fn)]
	return to != nil && p.base.units[to.key] == nil && to.has(isLock)
}

// A secret is a use by which a program keeps one. What results show is left to
// the comparison of results.
type secret struct {
	what  string
	names []string // beginnings of objects' names
}

var secretUses = []secret{
	{"random numbers of crypto/rand", []string{"crypto/rand."}},
	{"a comparison in constant time", []string{"crypto/subtle.", "crypto/hmac.Equal", "golang.org/x/crypto/bcrypt.Compare"}},
}

// secrets names what a unit of the base led to, and leads to no more.
func (p losses) secrets(u *unit, was, now map[string]bool) {
	var at ast.Node = u.nodes[0]
	if u.fn != nil {
		at = u.fn.Name
	}
	for _, s := range secretUses {
		if oneIs(was, s.is) && !oneIs(now, s.is) {
			p.add(model.SuspectSafeguard, at, u.name+" used "+s.what+" in the base, and does not now")
			return
		}
	}
	isCrypto := func(name string) bool { return strings.HasPrefix(name, "crypto/") }
	isWeak := func(name string) bool { return hasAnyPrefix(name, "math/rand", "hash/", "crypto/md5", "crypto/sha1") }
	strong := func(name string) bool { return isCrypto(name) && !isWeak(name) }
	if oneIs(was, strong) && !oneIs(now, strong) && oneIs(now, isWeak) && !oneIs(was, isWeak) {
		p.add(model.SuspectSafeguard, at, u.name+" used package crypto in the base, and what is no match for it now")
	}
}

func (s secret) is(name string) bool { return hasAnyPrefix(name, s.names...) }

// oneIs reports whether a key of a map is as asked.
func oneIs[V any](names map[string]V, is func(string) bool) bool {
	for name := range names {
		if is(name) {
			return true
		}
	}
	return false
}

// leadsTo returns the names of what a unit uses, by itself and through units of
// the module: functions, methods, variables.
func (p *program) leadsTo(u *unit) map[string]bool {
	names, seen := make(map[string]bool), map[*unit]bool{u: true}
	for todo := []*unit{u}; len(todo) > 0; todo = todo[1:] {
		idle := todo[0].blank()
		for key, facts := range todo[0].facts {
			name, ok := strings.CutPrefix(key, "use ")
			named := func(f fact) bool {
				return slices.ContainsFunc(idle, func(n ast.Node) bool { return n.Pos() <= f.at && f.at < n.End() })
			}
			if !ok || !slices.ContainsFunc(facts, func(f fact) bool { return !named(f) }) {
				continue
			}
			names[strings.TrimLeft(name, "(*")] = true
			if v := p.decls[name]; v != nil && !seen[v] {
				seen[v] = true
				todo = append(todo, v)
			}
		}
	}
	return names
}

// blank returns the assignments to nothing: a name in one is not used.
func (u *unit) blank() (out []ast.Node) {
	for a := range all[*ast.AssignStmt](u) {
		if !slices.ContainsFunc(a.Lhs, func(l ast.Expr) bool { id, ok := l.(*ast.Ident); return !ok || id.Name != "_" }) &&
			!slices.ContainsFunc(a.Rhs, func(r ast.Expr) bool { _, ok := ast.Unparen(r).(*ast.CallExpr); return ok }) {
			out = append(out, a)
		}
	}
	return out
}

func isLock(name string) bool {
	return name == "(*sync.Mutex).Lock" || name == "(*sync.RWMutex).Lock" || name == "(*sync.RWMutex).RLock" || name == "(sync.Locker).Lock"
}

func isAtomic(name string) bool {
	return strings.HasPrefix(strings.TrimLeft(name, "(*"), "sync/atomic") || strings.HasPrefix(name, "(*sync.Map)")
}

// lost reports whether a use of a kind has become rarer in the whole change.
func (p losses) lost(kind func(string) bool) bool {
	for key, n := range p.spare {
		if name, ok := strings.CutPrefix(key, "use "); ok && kind(name) && n > 0 {
			return true
		}
	}
	return false
}

func (u *unit) has(kind func(name string) bool) bool {
	return oneIs(u.facts, func(key string) bool {
		name, ok := strings.CutPrefix(key, "use ")
		return ok && kind(name)
	})
}
