package store

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// TestMain turns the test binary into a writer of the journal when it is
// started as one.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PAWL_TEST_APPEND"); dir != "" {
		appendMany(dir, os.Getenv("PAWL_TEST_NAME"))
		return
	}
	os.Exit(m.Run())
}

// appendMany appends 40 events, or until it is killed when the name is
// "forever".
func appendMany(dir, name string) {
	s, err := Open(dir)
	if err != nil {
		panic(err)
	}
	for i := 0; name == "forever" || i < 40; i++ {
		e := Event{Run: name, Kind: Base, Text: strings.Repeat("x", i%5000)}
		if err := s.Append(context.Background(), e); err != nil {
			panic(err)
		}
	}
}

func writer(t *testing.T, dir, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "PAWL_TEST_APPEND="+dir, "PAWL_TEST_NAME="+name)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, s *Store) ([]Event, []model.Warning) {
	t.Helper()
	events := s.events(t.Context())
	all := slices.Collect(events.All())
	if err := events.Err(); err != nil {
		t.Fatal(err)
	}
	return all, events.warnings
}

func mustAppend(t *testing.T, s *Store, e Event) {
	t.Helper()
	if err := s.Append(t.Context(), e); err != nil {
		t.Fatal(err)
	}
}

func TestAppendAndRead(t *testing.T) {
	s := open(t)
	if got, warnings := read(t, s); len(got) != 0 || len(warnings) != 0 {
		t.Fatalf("a journal that does not exist: %v, %v", got, warnings)
	}
	now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	want := []Event{
		{Schema: 1, Time: now, Run: "r", Kind: Start, Verb: "optimize", Args: []string{"./..."}, GoVersion: "go1.26.8"},
		{Schema: 1, Time: now, Run: "r", Kind: Attempt, GoVersion: "go1.26.8", Attempt: &model.Attempt{
			Change: model.Change{ID: "c1", Title: "a\nline"}, Diff: "--- a\n+++ b\n", Outcome: model.RolledBack,
		}},
		{Schema: 1, Time: now, Run: "r", Kind: Stop, Text: "interrupted"},
	}
	for _, e := range want {
		mustAppend(t, s, e)
	}
	got, warnings := read(t, s)
	if diff := cmp.Diff(want, got); diff != "" || len(warnings) != 0 {
		t.Errorf("events differ (-want +got):\n%s\nwarnings %v", diff, warnings)
	}
	for line := range strings.Lines(content(t, s)) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("line %q: %v", line, err)
		}
		for _, key := range []string{"schema", "time", "run", "event"} {
			if _, ok := m[key]; !ok {
				t.Errorf("line without %q: %s", key, line)
			}
		}
	}
}

func content(t *testing.T, s *Store) string {
	t.Helper()
	data, err := os.ReadFile(s.journal())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Cut the journal at every byte of its last line, as a kill might, and go on.
func TestTornLine(t *testing.T) {
	s := open(t)
	mustAppend(t, s, Event{Run: "one", Kind: Start})
	first := content(t, s)
	mustAppend(t, s, Event{Run: "two", Kind: Stop, Text: "budget"})
	whole := content(t, s)
	for cut := len(first); cut < len(whole); cut++ {
		if err := os.WriteFile(s.journal(), []byte(whole[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		mustAppend(t, s, Event{Run: "three", Kind: Start})
		got, warnings := read(t, s)
		var runs []string
		for _, e := range got {
			runs = append(runs, e.Run)
		}
		want, torn := []string{"one", "three"}, 1
		switch cut {
		case len(first): // nothing of the second line
			torn = 0
		case len(whole) - 1: // only the newline is missing
			want, torn = []string{"one", "two", "three"}, 0
		}
		if !slices.Equal(runs, want) || len(warnings) != torn {
			t.Fatalf("cut at %d: runs %v, want %v; %d warnings, want %d", cut, runs, want, len(warnings), torn)
		}
		if !strings.HasPrefix(content(t, s), whole[:cut]) {
			t.Fatalf("cut at %d: what was there is no longer there", cut)
		}
	}
}

func TestNewerSchemaIsPassedOver(t *testing.T) {
	s := open(t)
	line := fmt.Sprintf(`{"schema":%d,"run":"r","event":"attempt"}`+"\n", model.SchemaVersion+1)
	if err := os.WriteFile(s.journal(), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	got, warnings := read(t, s)
	if len(got) != 0 || len(warnings) != 1 {
		t.Errorf("events %v, warnings %v", got, warnings)
	}
}

func TestConcurrentAppends(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	s := open(t)
	cmds := []*exec.Cmd{writer(t, s.Dir(), "p0"), writer(t, s.Dir(), "p1")}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { appendMany(s.Dir(), fmt.Sprintf("g%d", i)) })
	}
	wg.Wait()
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	got, warnings := read(t, s)
	count := map[string]int{}
	for _, e := range got {
		count[e.Run]++
	}
	want := map[string]int{"p0": 40, "p1": 40, "g0": 40, "g1": 40}
	if diff := cmp.Diff(want, count); diff != "" || len(warnings) != 0 {
		t.Errorf("events differ (-want +got):\n%s\nwarnings %v", diff, warnings)
	}
}

func TestKillWhileAppending(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	s := open(t)
	cmd := writer(t, s.Dir(), "forever")
	for len(lines(s)) < 20 {
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed, as it should be
	// The lock went with the process, and at most its last line is torn.
	mustAppend(t, s, Event{Run: "after", Kind: Start})
	got, warnings := read(t, s)
	if len(got) < 20 || got[len(got)-1].Run != "after" || len(warnings) > 1 {
		t.Errorf("%d events, the last of run %q, warnings %v", len(got), got[len(got)-1].Run, warnings)
	}
}

func lines(s *Store) []string {
	f, err := os.Open(s.journal())
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []string
	for in := bufio.NewScanner(f); in.Scan(); {
		out = append(out, in.Text())
	}
	return out
}

func TestAppendWaitsForTheLock(t *testing.T) {
	s := open(t)
	mustAppend(t, s, Event{Run: "r", Kind: Start})
	f, err := os.OpenFile(s.journal(), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if free, err := tryLock(f); err != nil || !free {
		t.Skipf("no lock to be had here: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = s.Append(ctx, Event{Run: "r", Kind: Stop})
	if err == nil || !strings.Contains(err.Error(), "another pawl") {
		t.Errorf("with the journal held and no time left: %v", err)
	}
	f.Close()
	if err := s.Append(ctx, Event{Run: "r", Kind: Stop, Text: "interrupted"}); err != nil {
		t.Errorf("with the journal free and the context done: %v", err)
	}
}

func TestRefuted(t *testing.T) {
	s := open(t)
	try := func(id, goVersion string, o model.Outcome, answers ...model.Answer) {
		a := model.Attempt{Change: model.Change{ID: id}, Outcome: o, Reason: "the reason"}
		for _, answer := range answers {
			a.Verdicts = append(a.Verdicts, model.Verdict{Answer: answer})
		}
		mustAppend(t, s, Event{Run: "r", Kind: Attempt, GoVersion: goVersion, Attempt: &a})
	}
	try("slow", "go1.26.8", model.RolledBack, model.Slower)
	try("refused", "go1.26.8", model.RolledBack) // by the guard: never measured
	try("open", "go1.26.8", model.RolledBack, model.Undecided)
	try("unsettled", "go1.26.8", model.Unsettled, model.Faster) // and not compared
	try("good", "go1.26.8", model.Kept, model.Faster)
	try("turned", "go1.26.8", model.RolledBack, model.NoEffect)
	flaky := model.Attempt{
		Change: model.Change{ID: "flaky"}, Outcome: model.RolledBack, Reason: "the reason",
		Checks: []model.Check{{Name: "types", OK: true}, {Name: "race", Detail: "--- FAIL: TestF", Chance: []string{"p.TestF"}}},
	}
	mustAppend(t, s, Event{Run: "r", Kind: Attempt, GoVersion: "go1.26.8", Attempt: &flaky})
	for _, c := range []struct {
		id, goVersion string
		want          bool
	}{
		{"flaky", "go1.26.8", false}, // by a test that fails without it, too
		{"slow", "go1.26.8", true},
		{"slow", "go1.27.0", false}, // the next compiler may decide otherwise
		{"refused", "go1.26.8", true},
		{"open", "go1.26.8", false}, // of an older pawl
		{"unsettled", "go1.26.8", false},
		{"good", "go1.26.8", false},
		{"turned", "go1.26.8", true},
		{"never", "go1.26.8", false},
	} {
		a, ok := s.Refuted(c.id, c.goVersion)
		if ok != c.want || ok && a.Reason != "the reason" {
			t.Errorf("Refuted(%q, %q) = %v, %v, want %v", c.id, c.goVersion, a, ok, c.want)
		}
	}
	try("turned", "go1.26.8", model.RolledBack, model.NoEffect)
	if a, _ := s.Refuted("turned", "go1.26.8"); len(a.Verdicts) != 2 {
		t.Errorf("of two refutations, %d verdicts are known", len(a.Verdicts))
	}
	try("turned", "go1.26.8", model.Kept, model.Faster)
	if _, ok := s.Refuted("turned", "go1.26.8"); ok {
		t.Error("a change that was kept later is still refuted")
	}
}

func TestInfinityDoesNotLoseAnEvent(t *testing.T) {
	s := open(t)
	a := model.Attempt{Verdicts: []model.Verdict{{Answer: model.Undecided, Lo: math.Inf(-1), Hi: math.Inf(1), NoiseSD: math.NaN()}}}
	mustAppend(t, s, Event{Run: "r", Kind: Attempt, Attempt: &a})
	got, _ := read(t, s)
	v := got[0].Attempt.Verdicts[0]
	if v.Lo != -math.MaxFloat64 || v.Hi != math.MaxFloat64 || v.NoiseSD != 0 {
		t.Errorf("read back as %v", v)
	}
	if !math.IsInf(a.Verdicts[0].Hi, 1) {
		t.Error("the caller's value was changed")
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte(`{"schema":1,"time":"2026-01-02T15:04:05Z","run":"r","event":"start"}` + "\n"))
	f.Add([]byte("{\"schema\":1\n\n\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := read(t, s)
		mustAppend(t, s, Event{Run: "mine", Kind: Stop})
		after, _ := read(t, s)
		if len(after) != len(before)+1 || after[len(after)-1].Run != "mine" {
			t.Errorf("%d events before an append and %d after it", len(before), len(after))
		}
	})
}
