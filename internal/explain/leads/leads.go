package leads

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// most is how many leads a target gets.
const most = 3

// Known is what is known of the code besides the targets. Files are named as in
// targets.
type Known struct {
	Hints []model.Finding // of package hints; nil where the compiler was not asked
	Rules []model.Finding // of the rules, of all tiers
}

// Of returns the leads for a target, the nearest first.
func (k Known) Of(t model.Target) []model.Lead {
	called := calledFrom(t)
	var out []model.Lead
	out = append(out, k.hints(t)...)
	if l, ok := escaped(t); ok && len(out) == 0 {
		out = append(out, l)
	}
	out = append(out, k.reported(t)...)
	out = append(out, practices(t, called)...)
	if !slices.ContainsFunc(out, func(l model.Lead) bool { return l.Rule != "" }) {
		// What is known of such calls stands first, and the rule before a second of it.
		out = slices.Insert(out, min(len(out), most-1), nearest(t, called)...)
	}
	return out[:min(len(out), most)]
}

// calledFrom returns the frames of a target between its line and where the cost
// arises, innermost first.
func calledFrom(t model.Target) []model.Frame {
	i := max(slices.IndexFunc(t.Stack, func(f model.Frame) bool { return f.Pos() == t.At && f.Func == t.Func }), 0)
	return t.Stack[:i]
}

// hints are those on the target's line, and the one about its function.
func (k Known) hints(t model.Target) []model.Lead {
	var out []model.Lead
	for _, f := range k.Hints {
		if f.At.File != t.At.File || f.At.Line != t.At.Line && !(f.Rule == inlineBudget && f.Func == declared(t.Func)) || !about(f, t) {
			continue
		}
		seen := f.Message
		if len(f.Notes) > 0 {
			seen = f.Notes[0]
		}
		out = append(out, model.Lead{Kind: model.LeadCompiler, Seen: seen, Try: f.Try})
	}
	return out[:min(len(out), most-1)]
}

// inlineBudget is the kind of hint that stands at the declaration of a function
// and is about all of it.
const inlineBudget = "inline-budget"

// about reports whether a hint is about the resource of a target.
func about(f model.Finding, t model.Target) bool {
	return f.Resource == "" || f.Resource == string(t.Resource)
}

// declared is the name of a function as its declaration has it.
func declared(symbol string) string {
	_, name, _ := strings.Cut(words.Symbol(symbol), ".")
	return name
}

// reported are findings of rules on the target's line.
func (k Known) reported(t model.Target) []model.Lead {
	for _, f := range k.Rules {
		if f.At.File != t.At.File || t.At.Line < f.First || t.At.Line > f.Last {
			continue
		}
		try := f.Try
		if f.Fix != nil {
			try = cmp.Or(try, f.Fix.Title)
		}
		return []model.Lead{{Kind: model.LeadRule, Seen: f.Message, Try: cmp.Or(try, explain(f.Rule)), Rule: f.Rule}}
	}
	return nil
}

func explain(rule string) string { return "pawl rules " + rule + " shows the pattern and its fix" }

// nearest is the rule that is about what the line calls, and else about the
// reason for its cost. None where neither has one.
func nearest(t model.Target, called []model.Frame) []model.Lead {
	if n := len(called); n > 0 { // what that calls in its turn is another story
		if name, ok := sign.OfCall(called[n-1].Func); ok && implemented(name) {
			return near(name)
		}
	}
	for _, kind := range kinds(t.Reason) {
		if name := ruleOfReason[kind]; name != "" {
			return near(name)
		}
	}
	return nil
}

func near(rule string) []model.Lead {
	title := sign.Rules([]string{rule})[0].Title
	return []model.Lead{{Kind: model.LeadRule, Seen: fmt.Sprintf("the nearest rule is %s (%s)", rule, title), Try: explain(rule), Rule: rule}}
}

// implemented reports whether an entry of the catalogue is a rule that looks at code.
func implemented(rule string) bool {
	return slices.ContainsFunc(catalogue.All(), func(e catalogue.Entry) bool { return e.Rule.Name == rule && e.Analyzer != nil })
}

// kinds are all that a reason says about a line, the most telling first.
func kinds(r model.Reason) []model.ReasonKind { return append([]model.ReasonKind{r.Kind}, r.Also...) }

// ruleOfReason are the rules about a reason for a cost.
var ruleOfReason = map[model.ReasonKind]string{
	model.ReasonAppend:  "slicesize",
	model.ReasonMake:    "scratch",
	model.ReasonNew:     "scratchfield",
	model.ReasonBoxing:  "boxing",
	model.ReasonGo:      "goroutineperitem",
	model.ReasonChannel: "timeafter",
}

// practices are what helps where the line calls what it calls, and then what helps
// for such a reason.
func practices(t model.Target, inner []model.Frame) []model.Lead {
	var out []model.Lead
	add := func(p practice, seen, rule string) {
		l := model.Lead{Kind: model.LeadPractice, Seen: seen, Try: p.try(), Rule: cmp.Or(p.entry, rule)}
		if !slices.ContainsFunc(out, func(x model.Lead) bool { return x.Try == l.Try }) {
			out = append(out, l)
		}
	}
	for _, f := range slices.Backward(inner) {
		if p, ok := ofCall(f.Func); ok {
			rule, _ := sign.OfCall(f.Func)
			add(p, "it calls "+words.Symbol(f.Func), rule)
			break
		}
	}
	special := len(out) > 0
	for _, kind := range kinds(t.Reason) {
		p, ok := ofReason[kind]
		if kind == model.ReasonMap && t.Resource == model.Allocs {
			p = called("runtime.mapassign")
		}
		// Of a call with a line of its own in the table, nothing general is said.
		if ok && (!special || !general[kind]) {
			add(p, "", ruleOfReason[kind])
		}
	}
	return out
}

// general are the reasons with little to say.
var general = map[model.ReasonKind]bool{
	model.ReasonLibrary: true, model.ReasonOutside: true, model.ReasonHot: true, model.ReasonLoop: true, model.ReasonUnknown: true,
}
