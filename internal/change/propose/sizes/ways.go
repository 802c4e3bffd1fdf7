package sizes

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Ways are where statements do not run on to what follows them, each with what they have added by then.
type ways struct {
	ends bool  // they never run on
	next *span // to the next iteration
	out  *span // out of a switch or select
	left *span // out of the function, or to a label
}

// A span says between which numbers of elements are added.
type span struct{ least, most int }

// or is the span of two alternatives; nil is none.
func (s *span) or(o *span) *span {
	if s == nil || o == nil {
		return cmp.Or(s, o)
	}
	return &span{min(s.least, o.least), max(s.most, o.most)}
}

// after is the span where other statements have run before.
func (s *span) after(t *total) *span {
	if s == nil {
		return nil
	}
	return &span{t.least + s.least, t.fixed + s.most}
}

// settled counts all ways as one. Those out of the function do not lower what is added at least, unless they matter.
func (t total) settled(leaving bool) total {
	all := t.next.or(t.out)
	if !t.ends {
		all = all.or(&span{t.least, t.fixed})
	}
	if leaving || all == nil {
		all = all.or(t.left)
	} else if t.left != nil {
		all = &span{all.least, max(all.most, t.left.most)}
	}
	if all = cmp.Or(all, &span{}); all.least < all.most {
		if skips := t.next != nil && t.next.most == 0; skips && t.fewer == "" {
			t.fewer = "an iteration may add nothing"
		}
		t.fewer = cmp.Or(t.fewer, "a condition decides what is added")
	}
	t.least, t.fixed, t.ways = all.least, all.most, ways{}
	return t
}

// stmt counts what a statement adds, whichever way it ends. The second result says why that is not known.
func (c counter) stmt(s ast.Stmt) (total, *prove.Reason) {
	t, why := c.run(s)
	return t.settled(true), why
}

// list counts what the body of a loop adds in an iteration that does not leave the function.
func (c counter) list(list []ast.Stmt) (total, *prove.Reason) {
	t, why := c.row(list)
	return t.settled(false), why
}

// row counts what statements in a row add on each way.
func (c counter) row(list []ast.Stmt) (sum total, unknown *prove.Reason) {
	for _, s := range list {
		t, why := c.run(s)
		if why != nil {
			return sum, why
		}
		sum.add(t)
	}
	return sum, nil
}

// run counts what a statement adds on each way.
func (c counter) run(s ast.Stmt) (t total, why *prove.Reason) {
	adds := len(c.adds(s)) > 0
	if a, ok := c.addition(s); ok && adds {
		return c.direct(s, a)
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		return c.row(s.List)
	case *ast.IfStmt:
		lists := [][]ast.Stmt{s.Body.List, nil}
		if s.Else != nil {
			lists[1] = []ast.Stmt{s.Else}
		}
		return c.choice(s.Init, lists, true, false)
	case *ast.SwitchStmt:
		lists, complete := clauses(s.Body)
		return c.choice(s.Init, lists, complete, true)
	case *ast.TypeSwitchStmt:
		lists, complete := clauses(s.Body)
		return c.choice(s.Init, lists, complete, true)
	case *ast.SelectStmt:
		lists, _ := clauses(s.Body)
		return c.choice(nil, lists, true, true)
	case *ast.RangeStmt:
		if adds {
			return c.loop(s, s.Body)
		}
	case *ast.ForStmt:
		if adds {
			return c.loop(s, s.Body)
		}
	}
	if adds {
		return t, prove.Refuse("it is added to in a way that pawl does not follow")
	}
	return c.leaving(s), nil
}

// leaving is the way that a statement which adds nothing takes.
func (c counter) leaving(s ast.Stmt) (t total) {
	switch s := s.(type) {
	case *ast.BranchStmt:
		switch t.ends = true; {
		case s.Label != nil:
			t.left = &span{}
		case s.Tok == token.CONTINUE:
			t.next = &span{}
		default:
			t.out = &span{}
		}
		return t
	case *ast.ReturnStmt:
		t.ends = true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		t.ends = ok && code.Builtin(c.fn.Info(), call) == "panic"
	}
	if t.ends || code.Any(s, func(*ast.ReturnStmt) bool { return true }) {
		t.left = &span{}
	}
	return t
}

// clauses returns the statements of each case, with those that it falls through to, and whether there is a default.
func clauses(b *ast.BlockStmt) (lists [][]ast.Stmt, complete bool) {
	var next []ast.Stmt
	for _, s := range slices.Backward(b.List) {
		var body []ast.Stmt
		switch cl := s.(type) {
		case *ast.CaseClause:
			body, complete = cl.Body, complete || cl.List == nil
		case *ast.CommClause:
			if body = cl.Body; cl.Comm != nil {
				body = slices.Concat([]ast.Stmt{cl.Comm}, body)
			}
		}
		if n := len(body) - 1; n >= 0 {
			if last, ok := body[n].(*ast.BranchStmt); ok && last.Tok == token.FALLTHROUGH {
				body = slices.Concat(body[:n], next)
			}
		}
		next = body
		lists = append(lists, body)
	}
	return lists, complete
}

// choice counts lists of statements where one is run, behind another statement. Without a complete list it may be
// none; breaks says that a break leads to what follows.
func (c counter) choice(init ast.Stmt, lists [][]ast.Stmt, complete, breaks bool) (sum total, why *prove.Reason) {
	if init != nil {
		if sum, why = c.run(init); why != nil {
			return sum, why
		}
	}
	var one total
	var on *span // where what follows is run
	if !complete {
		on = &span{}
	}
	for _, list := range lists {
		t, why := c.row(list)
		if why != nil {
			return t, why
		}
		if len(t.parts) > 0 {
			return t, prove.Refuse("a loop fills it only under a condition")
		}
		if !t.ends {
			on = on.or(&span{t.least, t.fixed})
		}
		one.next, one.out, one.left = one.next.or(t.next), one.out.or(t.out), one.left.or(t.left)
		one.fewer = cmp.Or(one.fewer, t.fewer)
	}
	if breaks {
		on, one.out = on.or(one.out), nil
	}
	if one.ends = on == nil; !one.ends {
		one.least, one.fixed = on.least, on.most
	}
	if one.least < one.fixed {
		one.fewer = "a condition decides what is added"
	}
	sum.add(one)
	return sum, nil
}
