package experiment

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/model"
)

// A command runs in the group of its side, and the groups are gone at the end, with
// what was left in them.
func TestQuota(t *testing.T) {
	t.Parallel()
	q, err := newQuota(t.Context(), cgroup.Limits{CPUs: 0.5, Memory: 64 << 20})
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.CommandContext(t.Context(), shell, "-c", q.in(1, "cat /proc/self/cgroup")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "-candidate") {
		t.Errorf("%s, %v", out, err)
	}
	left := exec.CommandContext(t.Context(), shell, "-c", q.in(0, "sleep 600"))
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	if c := q.count(); c.killed != [2]int64{} {
		t.Errorf("killed: %v", c.killed)
	}
	if err := q.close(); err != nil {
		t.Error(err)
	}
	_ = left.Wait() // ended by the keeper, or before it was in the group
	for _, dir := range q.said().Groups {
		if _, err := os.Stat(dir); err == nil {
			t.Error(dir, "is left")
		}
	}
}

func TestSurvivor(t *testing.T) {
	t.Parallel()
	sub := model.TuningSubject{Choice: -1, Trials: []model.Tried{
		{Setting: "GOMEMLIMIT=1MiB", Standing: model.OneSided}, {Setting: "GOMEMLIMIT=2MiB", Standing: model.OneSided},
		{Setting: "GOMAXPROCS=1", Kind: gomaxprocs, Standing: model.OneSided}, {Setting: "GOMEMLIMIT=3MiB", Standing: model.Failed},
	}}
	if survivor(&sub); sub.Choice != 1 || !strings.HasPrefix(sub.Advice, "Set GOMEMLIMIT=2MiB: ") {
		t.Errorf("%d: %s", sub.Choice, sub.Advice)
	}
	sub = model.TuningSubject{Choice: -1, Trials: sub.Trials[2:]}
	if survivor(&sub); sub.Choice != -1 || !strings.Contains(sub.Advice, "no setting of the collector that was tried") {
		t.Errorf("%d: %s", sub.Choice, sub.Advice)
	}
}
