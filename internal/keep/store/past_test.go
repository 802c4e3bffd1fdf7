package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// A journalled is a store with a journal that a test writes.
type journalled struct {
	*Store
	t   *testing.T
	now time.Time
}

func newJournalled(t *testing.T) *journalled {
	t.Helper()
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &journalled{s, t, time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)}
}

// run makes the directory of a run, which nobody is at work on.
func (j *journalled) run(verb string) string {
	j.t.Helper()
	r, err := j.NewRun(verb, j.now)
	if err != nil {
		j.t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		j.t.Fatal(err)
	}
	return r.ID
}

// add appends an event that happens a second after the one before.
func (j *journalled) add(e Event) {
	j.t.Helper()
	j.now = j.now.Add(time.Second)
	e.Time = j.now
	if err := j.Append(j.t.Context(), e); err != nil {
		j.t.Fatal(err)
	}
}

func attempt(id string, o model.Outcome, commit string) *model.Attempt {
	return &model.Attempt{Change: model.Change{ID: id}, Outcome: o, Reason: "allocs/op 1 → 0", Commit: commit}
}

func TestUnfinished(t *testing.T) {
	j := newJournalled(t)
	if _, err := j.Unfinished(t.Context(), "optimize", ""); !errors.Is(err, ErrNoRun) {
		t.Errorf("an empty journal: %v", err)
	}
	killed := j.run("optimize")
	j.add(Event{Run: killed, Kind: Start, Verb: "optimize", Args: []string{"-budget", "1m"}, Head: "abc", Dir: "sub", Patterns: []string{"./..."}})
	j.add(Event{Run: killed, Kind: Attempt, GoVersion: "go1.26.8", Attempt: attempt("a", model.Kept, "c1"), Files: []FileSum{{Path: "m.go", Before: "1", After: "2"}}})
	j.add(Event{Run: killed, Kind: Attempt, GoVersion: "go1.26.8", Attempt: attempt("b", model.RolledBack, "")})
	j.now = j.now.Add(time.Hour) // nobody was at work
	done := j.run("optimize")
	j.add(Event{Run: done, Kind: Start, Verb: "optimize"})
	j.add(Event{Run: done, Kind: Stop})
	found := j.run("find")
	j.add(Event{Run: found, Kind: Start, Verb: "find"})

	p, err := j.Unfinished(t.Context(), "optimize", "")
	if err != nil {
		t.Fatal(err)
	}
	if p.ID != killed || p.Head != "abc" || p.GoVersion != "go1.26.8" || p.Dir != "sub" || p.Spent != 2*time.Second || len(p.Tried) != 2 || len(p.Kept()) != 1 {
		t.Errorf("got %+v", p)
	}
	if diff := cmp.Diff([]FileSum{{Path: "m.go", Before: "1", After: "2"}}, p.Tried[0].Files); diff != "" {
		t.Error(diff)
	}

	// It goes on, and is stopped for want of time: it can go on once more.
	j.add(Event{Run: killed, Kind: Resume})
	j.add(Event{Run: killed, Kind: Stop, Text: "budget of 1m spent"})
	if p, err = j.Unfinished(t.Context(), "optimize", killed[:15]); err != nil || p.Stopped == "" || p.Spent != 3*time.Second {
		t.Errorf("after its budget was spent: %+v, %v", p, err)
	}
	for _, id := range []string{done, found, "2026", "nothing"} {
		if _, err := j.Unfinished(t.Context(), "optimize", id); !errors.Is(err, ErrNoRun) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if err := os.RemoveAll(filepath.Join(j.Dir(), "runs", killed)); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Unfinished(t.Context(), "optimize", ""); !errors.Is(err, ErrNoRun) {
		t.Errorf("without its directory: %v", err)
	}
}

// What the user has undone is not kept any more, is not tried again whatever
// the Go version, and moves the commits after it.
func TestUndone(t *testing.T) {
	j := newJournalled(t)
	id := j.run("optimize")
	j.add(Event{Run: id, Kind: Start, Verb: "optimize"})
	j.add(Event{Run: id, Kind: Attempt, GoVersion: "go1", Attempt: attempt("a", model.Kept, "c1")})
	j.add(Event{Run: id, Kind: Attempt, GoVersion: "go1", Attempt: attempt("b", model.Kept, "c2")})
	if _, ok := j.Refuted("a", "go1"); ok {
		t.Error("kept, and refuted")
	}
	j.add(Event{Run: id, Kind: Undo, Change: "a", Commit: "c1", Moved: map[string]string{"c2": "d2"}})
	pasts, err := j.Pasts(t.Context())
	if err != nil || len(pasts) != 1 {
		t.Fatal(pasts, err)
	}
	kept := pasts[0].Kept()
	if len(kept) != 1 || kept[0].Change.ID != "b" || kept[0].Commit != "d2" || !pasts[0].Undone {
		t.Errorf("kept: %+v", kept)
	}
	if a, ok := j.Refuted("a", "go2"); !ok || a.Reason != UndoneReason {
		t.Errorf("refuted: %+v, %v", a, ok)
	}
	j.add(Event{Run: id, Kind: Attempt, GoVersion: "go2", Attempt: attempt("a", model.Kept, "c3")})
	if _, ok := j.Refuted("a", "go2"); ok {
		t.Error("kept once more, and refuted")
	}
}

func TestOneProcessForEachRun(t *testing.T) {
	j := newJournalled(t)
	r, err := j.NewRun("optimize", j.now)
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := j.OpenRun(r.ID); !errors.As(err, &busy) || busy.Holder.PID != os.Getpid() || busy.Holder.Since.IsZero() {
		t.Errorf("opened twice: %v", err)
	}
	if h, ok := j.busy(r.ID); !ok || h.PID != os.Getpid() {
		t.Errorf("busy: %v, %v", h, ok)
	}
	for _, name := range []string{".tmp-1", "patches/.pawl-1.tmp", "index-7/index"} {
		write0(t, filepath.Join(r.Dir, name))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := j.OpenRun(r.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	left, err := temporary(r.Dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func write0(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPending(t *testing.T) {
	j := newJournalled(t)
	r, err := j.NewRun("optimize", j.now)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, ok := r.Pending(); ok {
		t.Error("something is pending in a new run")
	}
	want := Pending{Attempt: *attempt("a", model.Kept, ""), Files: []FileSum{{Path: "m.go"}}}
	if err := r.SavePending(want); err != nil {
		t.Fatal(err)
	}
	if got, ok := r.Pending(); !ok || got.Attempt.Change.ID != "a" || len(got.Files) != 1 {
		t.Errorf("got %+v, %v", got, ok)
	}
	for range 2 {
		if err := r.ClearPending(); err != nil {
			t.Error(err)
		}
	}
	if _, ok := r.Pending(); ok {
		t.Error("still pending")
	}
}

func TestLeftovers(t *testing.T) {
	j := newJournalled(t)
	done := j.run("optimize")
	j.add(Event{Run: done, Kind: Start, Verb: "optimize"})
	j.add(Event{Run: done, Kind: Stop})
	write0(t, filepath.Join(j.Dir(), "runs", done, "patches", "0001-a.patch"))
	write0(t, filepath.Join(j.Dir(), "runs", done, ".tmp-3"))
	write0(t, filepath.Join(j.Dir(), ".gitignore"))
	j.now = j.now.Add(-time.Hour)
	empty := j.run("find") // killed before it began
	write0(t, filepath.Join(j.Dir(), "cache", "x", "y"))
	live, err := j.NewRun("try", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	list := func(w Sweep) map[string]bool {
		t.Helper()
		left, err := j.Leftovers(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		out := make(map[string]bool)
		for _, l := range left {
			rel, _ := filepath.Rel(j.Dir(), l.Path)
			out[filepath.ToSlash(rel)] = !l.Stays
		}
		return out
	}
	want := map[string]bool{"runs/" + empty: true, "runs/" + done + "/.tmp-3": true, "cache": false}
	if diff := cmp.Diff(want, list(Sweep{})); diff != "" {
		t.Error("while a run is going on:", diff)
	}
	begun := filepath.Join(j.Dir(), "runs", time.Now().Format("20060102T150405")+"-find")
	if err := os.Mkdir(begun, 0o777); err != nil {
		t.Fatal(err)
	}
	if gone, listed := list(Sweep{})["runs/"+filepath.Base(begun)]; gone || !listed {
		t.Error("a run that may be beginning goes, or is not spoken of")
	}
	if err := os.Remove(begun); err != nil {
		t.Fatal(err)
	}
	if !list(Sweep{Runs: true})["runs/"+done] || list(Sweep{Runs: true})["runs/"+live.ID] {
		t.Error("asked for runs:", list(Sweep{Runs: true}))
	}
	if err := live.Close(); err != nil {
		t.Fatal(err)
	}
	all, err := j.Leftovers(t.Context(), Sweep{Runs: true, Journal: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if err := j.Remove(l); err != nil {
			t.Error(err)
		}
	}
	if err := j.RemoveEmpty(); err != nil {
		t.Error(err)
	}
	if exists(j.Dir()) {
		entries, _ := os.ReadDir(j.Dir())
		t.Error("still there:", entries)
	}
}
