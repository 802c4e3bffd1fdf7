package bench

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRunDelay(t *testing.T) {
	t.Parallel()
	for stat, want := range map[string]time.Duration{
		"12 34 5\n": 34, "0 0 0": 0, "": -1, "1 2": -1, "a b c": -1, "1 -2 3": -1, "1 99999999999999999999 3": -1,
	} {
		got, ok := runDelay(stat)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, want %d", stat, got, want)
		}
	}
}

// A thread that has ended, or whose figures cannot be read, keeps what it had.
func TestWaitingLongest(t *testing.T) {
	t.Parallel()
	tasks := t.TempDir()
	w := &waiting{stop: make(chan struct{}), done: make(chan struct{}), delays: make(map[string]time.Duration)}
	files(t, tasks, map[string]string{"1/schedstat": "9 100 1\n", "2/schedstat": "9 20 1\n"})
	w.look(tasks)
	if err := os.RemoveAll(filepath.Join(tasks, "2")); err != nil {
		t.Fatal(err)
	}
	files(t, tasks, map[string]string{"1/schedstat": "9 300 2\n", "3/schedstat": "9 4 1\n", "4/schedstat": "?"})
	w.look(tasks)
	w.look(filepath.Join(tasks, "gone"))
	close(w.done)
	if got := w.longest(); got != 300 {
		t.Errorf("%d", got)
	}
	var none *waiting
	if none.longest() != 0 {
		t.Error("nobody waited")
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	w := watch(os.Getpid())
	time.Sleep(3 * waitStep)
	if d := w.longest(); d < 0 {
		t.Error(d)
	}
}
