package optimize

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// A stopwatch is a Watcher that adds up how long each stage took.
type stopwatch struct {
	testbed.Watcher
	mu    sync.Mutex
	name  string    // of the stage under way
	since time.Time // when it began
	steps []model.Step
}

func newStopwatch(w testbed.Watcher) *stopwatch {
	return &stopwatch{Watcher: testbed.Watched(w), name: "looking for the module", since: time.Now()}
}

// Stage ends the stage before it. All attempts are one stage.
func (w *stopwatch) Stage(name, detail string) {
	w.Watcher.Stage(name, detail)
	if strings.HasPrefix(name, tryingStage) {
		name = tryingStage
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lap()
	w.name = name
}

// lap adds the time since the last one to the stage under way.
func (w *stopwatch) lap() {
	now := time.Now()
	w.steps = model.AddStep(w.steps, model.Step{Name: w.name, Seconds: now.Sub(w.since).Seconds()})
	w.since = now
}

// taken returns the stages until now, in the order in which they began first.
func (w *stopwatch) taken() []model.Step {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lap()
	return w.steps
}

// last names the stage under way and how long it has taken in all.
func (w *stopwatch) last() (stage string, seconds float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lap()
	i := slices.IndexFunc(w.steps, func(s model.Step) bool { return s.Name == w.name })
	if i < 0 {
		return "", 0
	}
	return w.name, w.steps[i].Seconds
}

// tryingStage begins the name of each attempt's stage.
const tryingStage = "trying"
