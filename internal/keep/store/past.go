package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// ErrNoRun is wrapped by errors that say that no run is as was asked for.
var ErrNoRun = errors.New("no such run")

// A Past is what the journal tells of one run.
type Past struct {
	ID        string
	Verb      string
	Args      []string // the command line
	Dir       string   // that Patterns hold in, relative to the module
	Patterns  []string
	Head      string // the commit that it began on
	GoVersion string // empty when it ended before that was known
	Started   time.Time
	Spent     time.Duration // from its events: a kill's last minutes are not in it
	Tried     []Tried       // in order
	Asked     []Asked       // in order
	Undone    bool          // the user has dropped changes of it
	// Stopped is why it ended early; Finished says that it did not. Neither is
	// set for a run that was killed.
	Stopped  string
	Finished bool

	last time.Time // of the events so far
}

// A Tried is one attempt of a run.
type Tried struct {
	model.Attempt
	Files []FileSum // of a kept change
}

// An Asked is one call of an outside proposer.
type Asked struct {
	model.Call
	Answers []model.Proposal
}

// UndoneReason begins the reason of an attempt that was kept, and that the user
// has dropped since.
const UndoneReason = "undone by the user"

// Kept returns the attempts that are kept still.
func (p *Past) Kept() []Tried {
	return slices.DeleteFunc(slices.Clone(p.Tried), func(t Tried) bool { return !t.Outcome.Kept() })
}

// Pasts reads the journal and returns its runs, newest first.
func (s *Store) Pasts(ctx context.Context) ([]*Past, error) {
	runs := make(map[string]*Past)
	events := s.events(ctx)
	for e := range events.All() {
		p := runs[e.Run]
		if p == nil {
			p = &Past{ID: e.Run}
			runs[e.Run] = p
		}
		p.add(e)
	}
	if err := events.Err(); err != nil {
		return nil, err
	}
	all := slices.Collect(maps.Values(runs))
	slices.SortFunc(all, func(a, b *Past) int { return newestFirst(a.ID, b.ID) })
	return all, nil
}

func (p *Past) add(e Event) {
	if e.Kind == Undo { // the run was over
		p.undo(e)
		return
	}
	p.GoVersion = cmp.Or(p.GoVersion, e.GoVersion)
	switch e.Kind {
	case Start:
		p.Verb, p.Args, p.Head, p.Started = e.Verb, e.Args, e.Head, e.Time
		p.Dir, p.Patterns = e.Dir, e.Patterns
	case Attempt:
		if e.Attempt != nil {
			p.Tried = append(p.Tried, Tried{*e.Attempt, e.Files})
		}
	case Ask:
		if e.Call != nil {
			p.Asked = append(p.Asked, Asked{*e.Call, e.Proposals})
		}
	}
	p.Stopped, p.Finished = "", false
	if e.Kind == Stop {
		p.Stopped, p.Finished = e.Text, e.Text == ""
	}
	if e.Kind != Start && e.Kind != Resume && e.Time.After(p.last) {
		p.Spent += e.Time.Sub(p.last)
	}
	p.last = e.Time
}

// undo marks a kept change as dropped, and follows the commits of later ones,
// which have new names since.
func (p *Past) undo(e Event) {
	p.Undone = true
	for i := range p.Tried {
		t := &p.Tried[i]
		if moved, ok := e.Moved[t.Commit]; ok {
			t.Commit = moved
		}
		if t.Change.ID == e.Change && t.Outcome.Kept() {
			t.Outcome, t.Reason, t.Commit = model.RolledBack, UndoneReason+"; it was kept for: "+t.Reason, ""
		}
	}
}

// Unfinished returns the newest run of a verb that has not come to its end: it
// was killed or interrupted, or its budget was spent. With an id, which may be
// shortened to any beginning that only one run has, it returns that run. What
// cannot be gone on with is an error that wraps ErrNoRun.
func (s *Store) Unfinished(ctx context.Context, verb, id string) (*Past, error) {
	all, err := s.Pasts(ctx)
	if err != nil {
		return nil, err
	}
	var found []*Past
	for _, p := range all {
		switch {
		case id != "" && strings.HasPrefix(p.ID, id):
			found = append(found, p)
		case id == "" && p.Verb == verb && !p.Finished && s.hasRun(p.ID):
			return p, nil
		}
	}
	switch {
	case id == "":
		return nil, fmt.Errorf("%w: every run of %s has come to its end, or there is none; pawl log lists the runs", ErrNoRun, verb)
	case len(found) == 0:
		return nil, fmt.Errorf("%w: none begins with %q; pawl log lists the runs", ErrNoRun, id)
	case len(found) > 1:
		return nil, fmt.Errorf("%w: %d runs begin with %q; give more of the ID, as pawl log prints it", ErrNoRun, len(found), id)
	}
	p := found[0]
	switch {
	case p.Verb != verb:
		return nil, fmt.Errorf("%w: %s is a run of %s, and only one of %s can be gone on with", ErrNoRun, p.ID, p.Verb, verb)
	case !s.hasRun(p.ID):
		return nil, fmt.Errorf("%w: the directory of %s is gone; start another run", ErrNoRun, p.ID)
	case p.Finished:
		return nil, fmt.Errorf("%w: %s has come to its end; start another one", ErrNoRun, p.ID)
	}
	return p, nil
}

func (s *Store) hasRun(id string) bool {
	info, err := os.Stat(filepath.Join(s.runs(), id))
	return err == nil && info.IsDir()
}
