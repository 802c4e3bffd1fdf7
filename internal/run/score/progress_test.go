package score

import (
	"context"
	"errors"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// A stopper ends a run when it comes to a stage.
type stopper struct {
	at     string
	stages []string
	stop   context.CancelFunc
}

func (s *stopper) Stage(name, _ string) {
	s.stages = append(s.stages, name)
	if name == s.at {
		s.stop()
	}
}

func (s *stopper) Detail(string) {}
func (s *stopper) Line(string)   {}

func TestResume(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures")
	}
	sample.Rest(t, "optimizes a module")
	s, row := reals()["words"].session(t)
	opt := s.opt
	none := row
	none.ID, none.Bench, none.named = "none", "", naming{}
	lost := none
	lost.ID, lost.Repo = "lost", "example.com/o/nowhere"
	rows := []Row{none, lost, row}
	run := func(at string, resume bool) (*model.Score, *stopper) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := &stopper{at: at, stop: cancel}
		opt.Watch, opt.Resume = w, resume
		sc, err := Run(ctx, rows, opt)
		if err != nil && !errors.Is(err, ErrNothing) {
			t.Fatal(err)
		}
		return sc, w
	}
	first, _ := run("pawl's own", false)
	if len(first.Rows) != 3 || first.Rows[2].Verdict == "" || first.Rows[2].Stopped == "" || first.Stopped == "" {
		t.Fatalf("the verdict is forgotten: %+v", first.Rows)
	}
	second, w := run("", true)
	if len(second.Rows) != 3 || second.Rows[2].Stopped != "" || second.Rows[2].Verdict != first.Rows[2].Verdict || second.Rows[2].Targets == 0 {
		t.Errorf("resumed: %+v", second.Rows)
	}
	prepared, tried := 0, 0
	for _, name := range w.stages {
		switch name {
		case "preparing":
			prepared++
		case "upstream's fix":
			tried++
		}
	}
	if prepared != 2 || tried != 0 { // the row that failed, and the one that was interrupted
		t.Errorf("prepared %d rows, tried %d fixes", prepared, tried)
	}
	if _, w := run("", true); len(w.stages) != 1 {
		t.Errorf("nothing was left to do, and it did %v", w.stages)
	}
	opt.Alpha = 0.01
	rows = rows[:1]
	if _, w := run("", true); len(w.stages) == 0 {
		t.Error("the row was scored with other flags, and not again")
	}
	if _, w := run("", false); len(w.stages) == 0 {
		t.Error("without -resume nothing was scored")
	}
}
