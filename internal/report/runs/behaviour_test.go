package runs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// guardedRun is a run of try whose patch was driven.
func guardedRun() *model.Run {
	r := specimen.Run()
	r.Verb = "try"
	a := r.Attempts[0]
	a.Change.Kind = "patch"
	a.Driven = []model.Driven{
		{Func: "m.(*Conn).Write", Inputs: 64, Pairs: 1204, Concurrent: true,
			Fresh: &model.Fresh{Inputs: 200, BaseAllocs: 5, CandAllocs: 5, RepeatBaseAllocs: 5, RepeatCandAllocs: 0}},
		{Func: "m.parse", Inputs: 3, Pairs: 1000, NoConcurrent: "the base has a race", Differences: []model.Difference{{
			Kind: model.DiffError, Where: "result 1", Base: `"parse: EOF" wrapping io.EOF`, Candidate: `"parse: EOF"`, Input: `parse([]byte{})`, Generated: true, Times: 17}}},
		{Func: "m.serve", Skipped: "its parameter ch is a channel"},
	}
	a.Uncompared = []string{"m.stamp is not deterministic: result 0"}
	a.States = []model.State{{At: model.Pos{File: "conn.go", Line: 12}, Name: "Conn.cache", Kind: "map", Retained: 70 << 10, Instances: 2, Grows: true}}
	a.Suspicions = []model.Suspicion{{Kind: model.SuspectDetect, At: model.Pos{File: "conn.go", Line: 20}, Detail: "asks whether a test is running", Code: "testing.Testing()"}}
	a.Checks = append(a.Checks, model.Check{Name: "refused", Detail: "conn.go:20: detect: asks whether a test is running"})
	a.Suspicions = append(a.Suspicions, model.Suspicion{Kind: model.SuspectState, At: model.Pos{File: "conn.go", Line: 12}, Detail: "a new field", Try: "-allow state"})
	r.Attempts = []model.Attempt{a}
	return r
}

func TestBehaviourIsShown(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		var b bytes.Buffer
		if err := Text(&b, guardedRun(), sheet.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, want := range []string{
			"2 of 3 changed functions driven side by side with the base, 2204 pairs of inputs: 1 behave",
			"✓ m.(*Conn).Write: equal in 1204 pairs from 64 recorded inputs, concurrent calls too",
			"for 200 new inputs it allocates 5 against the base's 5 objects a call, and 0 against 5 when they come again",
			`✗ m.parse: 1000 pairs from 3 recorded inputs, not concurrent: the base has a race`,
			`error, result 1: the base gives "parse: EOF" wrapping io.EOF, the candidate "parse: EOF", for the generated input parse([]byte{}) (17 pairs)`,
			"– m.serve: not driven: its parameter ch is a channel",
			"– not compared: m.stamp is not deterministic: result 0",
			"✗ conn.go:20, detect: asks whether a test is running: testing.Testing()",
			"! allowed: conn.go:12, state: a new field",
			"! new state: Conn.cache (map) at conn.go:12: 70.0 KiB each in 2 instances seen at once; it grew with every new input",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("width %d: no %q in\n%s", width, want, b.String())
			}
		}
		for line := range strings.Lines(b.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > width && !strings.Contains(line, "/") {
				t.Errorf("a line of %d columns at width %d: %q", n, width, line)
			}
		}
	}
}

// What could not be compared is in the commit, where it stays.
func TestBehaviourInTheCommit(t *testing.T) {
	r := guardedRun()
	m := CommitMessage(r.Attempts[0], r)
	for _, want := range []string{
		"\nPawl-Behaviour: 2 of 3 changed functions driven",
		"\nPawl-Uncompared: m.serve: its parameter ch is a channel\n",
		"\nPawl-Uncompared: m.stamp is not deterministic: result 0\n",
		"\nPawl-State: Conn.cache (map) at conn.go:12: 70.0 KiB each",
	} {
		if !strings.Contains(m, want) {
			t.Errorf("no %q in\n%s", want, m)
		}
	}
}

func TestBehaviourSaysHowMuch(t *testing.T) {
	one := model.Driven{Func: "m.f", Inputs: 2, Pairs: 10}
	tests := []struct {
		name string
		a    model.Attempt
		want string
	}{
		{"nothing known", model.Attempt{}, ""},
		{"all", model.Attempt{Driven: []model.Driven{one}}, "1 of 1 changed function driven side by side with the base, 10 pairs of inputs: equal"},
		{"with others", model.Attempt{Driven: []model.Driven{one}, Together: 3}, "1 of 1 changed function driven side by side with the base, 3 changes at once, 10 pairs of inputs: equal"},
		{"not all", model.Attempt{Driven: []model.Driven{one, {Func: "m.g", Skipped: "x"}}}, "as far as could be compared"},
		{"in part", model.Attempt{Driven: []model.Driven{one}, Uncompared: []string{"x"}}, "as far as could be compared"},
		{"no function", model.Attempt{Outcome: model.KeptUncompared, Checks: []model.Check{{Name: "behaviour", Skipped: "x"}}}, "the tests alone speak for it"},
		{"none", model.Attempt{Outcome: model.KeptUncompared, Driven: []model.Driven{{Func: "m.g", Skipped: "x"}}}, "the tests alone speak for it"},
		{"none, and not kept", model.Attempt{Driven: []model.Driven{{Func: "m.g", Skipped: "x"}}}, "not compared: no changed function could be driven"},
	}
	for _, tt := range tests {
		if got := behaviour(tt.a); got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A tick stands only where both versions were compared: of one of pawl's own
// changes that was not driven the terminal and the page say why.
func TestNotDrivenIsNoTick(t *testing.T) {
	const late = "the time did not suffice to drive it in example.com/m"
	const none = "no changed function could be driven: "
	tests := []struct {
		name, why string
		driven    []model.Driven
		want      []string
	}{
		{"no time", none + late, []model.Driven{{Func: "m.f", Skipped: late}, {Func: "m.g", Skipped: late}},
			[]string{"– THE CHANGE; not compared: no changed function could be driven: " + late + "; the tests alone speak for it"}},
		{"impossible", none + "takes a channel", []model.Driven{{Func: "m.f", Skipped: "takes a channel"}},
			[]string{"– THE CHANGE; not compared: no changed function could be driven: takes a channel; the tests alone speak for it"}},
		{"no function", none + "x", nil, []string{"– THE CHANGE; not compared: no changed function could be driven: x; the tests alone speak for it"}},
		{"in part", "", []model.Driven{{Func: "m.f", Inputs: 2, Pairs: 10}, {Func: "m.g", Skipped: late}},
			[]string{"✓ THE CHANGE; 10 pairs of inputs: equal in what could be compared", "– m.g: not driven: " + late, "is named in the report"}},
		{"whole", "", []model.Driven{{Func: "m.f", Inputs: 2, Pairs: 10}}, []string{"✓ THE CHANGE; 10 pairs of inputs: equal"}},
	}
	for _, tt := range tests {
		r := specimen.Run()
		a := model.Attempt{Change: model.Change{Title: "THE CHANGE"}, Outcome: model.KeptUncompared, Driven: tt.driven, Checks: []model.Check{{Name: "behaviour", Skipped: tt.why}}}
		if a.Compared() {
			a.Outcome = model.Kept
		}
		r.Attempts = []model.Attempt{a}
		var b bytes.Buffer
		if err := Text(&b, r, sheet.Options{Width: 400}); err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(b.String(), "Behaviour:\n")
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", tt.name, want, got)
			}
		}
		compared := strings.Contains(tt.want[0], "✓")
		if sign := drivenLines(a)[0].Sign; (sign == "–") == compared {
			t.Errorf("%s: the page's sign is %q", tt.name, sign)
		}
	}
}
