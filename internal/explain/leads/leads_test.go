package leads

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// at is a target on a.go:7 that calls functions, the outermost first.
func at(kind model.ReasonKind, calls ...string) model.Target {
	t := model.Target{At: model.Pos{File: "a.go", Line: 7}, Func: "example.com/a.(*T).F", Resource: model.CPU, Reason: model.Reason{Kind: kind}}
	t.Stack = []model.Frame{{Func: t.Func, File: "a.go", Line: 7, Module: true}, {Func: "example.com/a.BenchmarkF", File: "a_test.go", Line: 3}}
	for _, c := range calls {
		t.Stack = append([]model.Frame{{Func: c, File: "/go/x.go", Line: 1}}, t.Stack...)
	}
	return t
}

// Each lead says what to try, in words that fit two lines, and names a rule that
// there is.
func TestTables(t *testing.T) {
	known := map[string]bool{"": true}
	for _, e := range catalogue.All() {
		known[e.Rule.Name] = true
	}
	check := func(name string, p practice) {
		t.Helper()
		if try := p.try(); try == "" || len(try) > 170 {
			t.Errorf("%s: %d letters: %q", name, len(try), try)
		}
		if !known[p.entry] {
			t.Errorf("%s: no rule %s", name, p.entry)
		}
	}
	seen := map[string]bool{}
	for _, b := range byCall {
		check(b.call, b.practice)
		for before := range seen {
			if strings.HasPrefix(b.call, before) {
				t.Errorf("%s is never reached: %s stands before it", b.call, before)
			}
		}
		seen[b.call] = true
		if rule, ok := sign.OfCall(b.call); ok && b.entry != "" {
			t.Errorf("%s: package sign names %s", b.call, rule)
		}
	}
	for kind, p := range ofReason {
		check(string(kind), p)
	}
	for kind, rule := range ruleOfReason {
		if !implemented(rule) {
			t.Errorf("%s: no rule %s that looks at code", kind, rule)
		}
	}
	for _, w := range ways {
		if len(w.try) > 170 {
			t.Errorf("%s: %d letters", w.how, len(w.try))
		}
	}
}

func TestOf(t *testing.T) {
	escapes := at(model.ReasonEscape)
	escapes.Resource = model.Allocs
	escapes.Notes = []model.Note{{
		Kind: model.NoteEscape, Message: "nonce escapes to heap", Chain: []model.Pos{{File: "a.go", Line: 7}},
		Flow: []model.FlowStep{{Text: "flow: {heap} = &nonce:"}, {At: model.Pos{File: "a.go", Line: 7}, Text: "from c.aead.Seal(nonce[:]) (call parameter)"}},
	}}
	within := escapes
	within.Notes = []model.Note{{
		Kind: model.NoteEscape, Message: "append(b.buf, c) escapes to heap", Chain: []model.Pos{{File: "/go/strings/builder.go", Line: 7}},
		Flow: []model.FlowStep{{At: model.Pos{File: "/go/strings/builder.go", Line: 7}, Text: "from b.buf = append(b.buf, c) (assign)"}},
	}}
	looped := at(model.ReasonHot)
	looped.Reason.Also = []model.ReasonKind{model.ReasonLoop}
	hint := model.Finding{
		Rule: "bounds-check", At: model.Pos{File: "a.go", Line: 7}, First: 7, Last: 7, Message: "bounds are checked each time round",
		Notes: []string{"Found IsInBounds"}, Try: "write _ = b[7]", Resource: "cpu",
	}
	large := model.Finding{Rule: inlineBudget, Func: "(*T).F", At: model.Pos{File: "a.go", Line: 3}, Notes: []string{"cannot inline (*T).F: cost 96 exceeds budget 80"}, Try: "move the panic out", Resource: "cpu"}
	rule := model.Finding{Rule: "nestedscan", At: model.Pos{File: "a.go", Line: 5}, First: 5, Last: 8, Message: "searched in each iteration", Fix: &model.Fix{Title: "build a set"}}

	for name, c := range map[string]struct {
		known Known
		of    model.Target
		want  []string // the kind, and a piece of what is seen or tried
	}{
		"own time":        {of: at(model.ReasonHot), want: []string{"practice: a table"}},
		"in a loop":       {of: looped, want: []string{"practice: a table", "practice: fewer rounds"}},
		"escape":          {of: escapes, want: []string{"compiler: nonce escapes to heap", "practice: use memory again"}},
		"in a library":    {of: within, want: []string{"practice: use memory again"}},
		"call":            {of: at(model.ReasonLibrary, "regexp.(*Regexp).MatchString", "regexp.(*machine).step"), want: []string{"practice: it calls regexp.(*Regexp).MatchString"}},
		"unknown library": {of: at(model.ReasonLibrary, "example.com/z.F"), want: []string{"practice: call it for many"}},
		"growth":          {of: at(model.ReasonAppend, "runtime.growslice", "runtime.memmove"), want: []string{"practice: it calls runtime.growslice"}},
		"lock":            {of: at(model.ReasonLock, "sync.(*Mutex).Lock"), want: []string{"practice: it calls sync.(*Mutex).Lock"}},
		"bounds":          {of: at(model.ReasonBounds), want: []string{"practice: slice to the length"}},
		"hint":            {known: Known{Hints: []model.Finding{hint, large}}, of: at(model.ReasonHot), want: []string{"compiler: Found IsInBounds", "compiler: cannot inline", "practice: a table"}},
		"hint elsewhere":  {known: Known{Hints: []model.Finding{{At: model.Pos{File: "b.go", Line: 7}}}}, of: at(model.ReasonHot), want: []string{"practice: a table"}},
		"other resource":  {known: Known{Hints: []model.Finding{hint}}, of: escapes, want: []string{"compiler: nonce", "practice: use"}},
		"rule":            {known: Known{Rules: []model.Finding{rule}}, of: looped, want: []string{"rule: searched in each iteration", "practice: a table", "practice: fewer rounds"}},
		"through a wrapper": {of: at(model.ReasonOutside, "example.com/z.F", "encoding/json.Unmarshal", "reflect.Value.Set"),
			want: []string{"practice: it calls json.Unmarshal"}},
		"nearest": {of: at(model.ReasonHot, "runtime.GC", "runtime.gcStart"), want: []string{"practice: a table", "rule: the nearest rule is gcrequest"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.known.Of(c.of)
			if len(got) != len(c.want) {
				t.Fatalf("%d leads: %+v", len(got), got)
			}
			for i, l := range got {
				kind, text, _ := strings.Cut(c.want[i], ": ")
				if string(l.Kind) != kind || !strings.HasPrefix(l.Seen, text) && !strings.HasPrefix(l.Try, text) {
					t.Errorf("number %d: %+v, not %s", i+1, l, c.want[i])
				}
				if l.Try == "" {
					t.Errorf("number %d says nothing to try: %+v", i+1, l)
				}
			}
		})
	}
}

// Whatever the reason for a cost, there is a lead; never more than three.
func TestEveryReason(t *testing.T) {
	for _, kind := range []model.ReasonKind{
		model.ReasonEscape, model.ReasonAppend, model.ReasonMap, model.ReasonConversion, model.ReasonConcat, model.ReasonMake, model.ReasonNew,
		model.ReasonClosure, model.ReasonGo, model.ReasonOutside, model.ReasonUnknown, model.ReasonHot, model.ReasonLibrary, model.ReasonBoxing,
		model.ReasonLoop, model.ReasonLock, model.ReasonChannel, model.ReasonBounds, model.ReasonRune, model.ReasonBytewise,
	} {
		target := at(kind, "runtime.mapaccess1")
		target.Reason.Also = []model.ReasonKind{model.ReasonLibrary, model.ReasonLoop}
		if n := len(Known{}.Of(target)); n == 0 || n > most {
			t.Errorf("%s: %d leads", kind, n)
		}
	}
}
