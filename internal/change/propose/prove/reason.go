package prove

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A Reason says why an obligation fails, in words for the user that can follow
// a colon. It is nil where nothing speaks against a change. What is refused, and
// where, is added by Offers.Add, which makes a Refusal of it.
type Reason struct{ words string }

// Refuse returns the reason with these words, nil if there are none.
//
//go:noinline
func Refuse(words string) *Reason {
	if words == "" {
		return nil
	}
	return &Reason{words}
}

// Refusef returns the reason whose words package fmt formats.
//
//go:noinline
func Refusef(format string, args ...any) *Reason { return Refuse(fmt.Sprintf(format, args...)) }

// Kept returns why memory that was followed outlives its function, nil if it does not.
func (p *Module) Kept(fl *flow.Flow) *Reason {
	switch {
	case len(fl.Leaks) > 0:
		return Refusef("it is %s (%s)", fl.Leaks[0].Why, p.Pos(fl.Leaks[0].At.Pos()))
	case fl.Results != 0:
		return Refuse("it is returned")
	}
	return nil
}

// Outlives says how memory that was followed outlives the statement at: the function, or the iteration of the loop around.
func (p *Module) Outlives(fl *flow.Flow, f *File, at ast.Node) *Reason {
	if why := p.Kept(fl); why != nil {
		return why
	}
	loop := f.Loop(at)
	for _, v := range fl.Vars {
		if def := fl.Definition(v); loop != nil && (!code.Within(loop, def) || f.Loop(def) != loop && def.Pos() < at.Pos()) {
			return Refuse(v.Name() + " keeps it from one iteration to the next")
		}
	}
	if loop != nil && code.Any(loop, func(*ast.DeferStmt) bool { return true }) && code.Any(loop, func(n ast.Node) bool { return deferring(fl, n) }) {
		return Refuse("a deferred call in a loop may use it")
	}
	return nil
}

// deferring reports whether a deferred call, or a literal that may be one, has memory that was followed.
func deferring(fl *flow.Flow, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.DeferStmt:
		return code.Any(n, fl.Tracks) || slices.ContainsFunc(fl.Calls, func(h flow.Handing) bool { return h.Call == n.Call })
	case *ast.FuncLit:
		return code.Any(n, fl.Tracks)
	}
	return false
}

// Assuming returns an obligation as it is where it rests on some promises, if any.
func Assuming(o model.Obligation, promises []string) model.Obligation {
	if len(promises) > 0 {
		o.How, o.Why = "assumed", strings.Join(promises, "; ")
	}
	return o
}

// String returns the words, "" for nil.
func (r *Reason) String() string {
	if r == nil {
		return ""
	}
	return r.words
}
