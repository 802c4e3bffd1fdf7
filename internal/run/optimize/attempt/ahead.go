package attempt

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// mostAhead is how many changes are built before it is their turn.
const mostAhead = 3

// An ahead is the changes that come next, on the same version. While the duets of the one
// before them run, they are built on the cores that these leave alone, through an overlay:
// the tree holds the change that is measured. The first that the compiler's notes and its
// code do not refuse is the last that is built then.
//
// What is built is the program that the tree would give, and each change goes through all
// checks when it is its turn.
type ahead struct {
	base *state.State
	next []*early
	work *state.Begun
	n    int // of changes that were ever built early, for their names
}

// An early is a change that may be built before it is its turn.
type early struct {
	change model.Change
	after  map[string][]byte // contents of the files that it touches
	state  *state.State      // with the change; nil before it was begun
	begun  chan struct{}     // closed when it is
	built  chan struct{}     // closed when there is no more to build of it
	lives  bool              // nothing has refused it
	err    error
}

// plan notes which changes come next on base, which the tree holds, the one whose turn it
// is first. What was built of others goes.
func (a *ahead) plan(m *state.Module, base *state.State, now model.Change, then []model.Change) {
	old := a.next
	a.next = nil
	for _, c := range append([]model.Change{now}, then[:min(len(then), mostAhead)]...) {
		i := slices.IndexFunc(old, func(e *early) bool { return e.change.ID == c.ID })
		if i >= 0 && a.base == base && old[i].err == nil {
			a.next = append(a.next, old[i])
			old = slices.Delete(old, i, i+1)
			continue
		}
		after, err := m.Snap.Edited(c.Edits)
		if err != nil {
			break // whose turn it is says why
		}
		a.next = append(a.next, &early{change: c, after: after, begun: make(chan struct{}), built: make(chan struct{})})
	}
	a.base = base
	drop(old)
}

// begin begins to build beside the duets of a change, unless another's proof has the
// cores: it waits for that.
func (a *ahead) begin(ctx context.Context, t *subject, proof *Proof) {
	if len(a.next) == 0 {
		return
	}
	a.work = t.m.BeginAside(ctx, func(ctx context.Context) error {
		if proof != nil {
			select {
			case <-proof.done:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		for _, e := range a.next {
			if e.state == nil {
				a.build(ctx, t, e)
			}
			if e.lives || ctx.Err() != nil {
				break
			}
		}
		return ctx.Err()
	})
}

// build builds one change. What does not build is left to its turn.
func (a *ahead) build(ctx context.Context, t *subject, e *early) {
	a.n++
	e.state = t.m.New(fmt.Sprintf("e%d", a.n))
	close(e.begun)
	defer close(e.built)
	dir, err := os.MkdirTemp(t.m.Scratch, "ahead-")
	if err != nil {
		e.err = fmt.Errorf("making room for an overlay: %w", err)
		return
	}
	defer os.RemoveAll(dir)
	layer, err := t.layer(dir, e.after)
	if err != nil {
		e.err = err
		return
	}
	e.lives, e.err = t.early(gocmd.OnLayer(ctx, layer), e.change, e.state)
}

// layer is the tree without the change that it holds, and with other contents.
func (e *edited) layer(dir string, after map[string][]byte) (*gocmd.Layer, error) {
	files := maps.Clone(e.before)
	maps.Copy(files, after)
	l := &gocmd.Layer{Dir: dir, Replace: make(map[string]string)}
	for file, text := range files {
		at := e.m.Snap.Path(file)
		if text == nil {
			l.Replace[at] = "" // made by the change that the tree holds
			continue
		}
		if err := l.Put(at, text); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// early takes the compiler's notes of another change, and links it if these do not refuse it.
// It reports whether that gave another program.
func (t *subject) early(ctx context.Context, c model.Change, v *state.State) (lives bool, err error) {
	if err := v.TakeNotes(ctx, t.Base); err != nil {
		return false, err
	}
	if slices.ContainsFunc(t.noted(c, v), func(c model.Check) bool { return !c.OK }) {
		return false, nil
	}
	if err := v.Link(ctx, t.Base); err != nil {
		return false, err
	}
	return !v.Same(t.Base), nil
}

// take returns what was built of the change of t, or nil where it would not be what the
// tree gives now.
func (a *ahead) take(t *subject) *state.State {
	i := slices.IndexFunc(a.next, func(e *early) bool { return e.change.ID == t.Change.ID })
	if i < 0 {
		return nil
	}
	e := a.next[i]
	a.next = slices.Delete(a.next, i, i+1)
	same := maps.EqualFunc(e.after, t.After, func(a, b []byte) bool { return string(a) == string(b) })
	if e.state == nil || e.err != nil || a.base != t.Base || !same || !t.m.Beside() {
		drop([]*early{e})
		return nil
	}
	return e.state
}

// settle ends what is under way, so that the tree may change. The change that comes next
// is built to its end: it would be built now in any case.
func (a *ahead) settle() {
	if a.work == nil {
		return
	}
	if len(a.next) > 0 {
		select {
		case <-a.next[0].begun:
			<-a.next[0].built
		default:
		}
	}
	a.work.Stop()
	a.work = nil
}

// clear ends what is under way, and removes what was built.
func (a *ahead) clear() {
	a.work.Stop()
	drop(a.next)
	a.work, a.next = nil, nil
}

func drop(list []*early) {
	for _, e := range list {
		e.state.Drop()
	}
}
