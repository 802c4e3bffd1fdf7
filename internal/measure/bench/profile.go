package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// The kinds of profiles.
const (
	CPUProfile = "cpu" // samples of CPU time, a hundred per second
	MemProfile = "mem" // every allocation: objects and bytes, and their stacks
	// MutexProfile has each wait for a mutex, at the line that unlocked it.
	MutexProfile = "mutex"
)

const (
	cpuProfileGoal = time.Second // of CPU time in a CPU profile
	memProfileN    = 2000        // iterations of an allocation profile
	// memProfileCap is for how many ns of normal running time an allocation
	// profile is taken. Recording each allocation makes code that only
	// allocates some forty times slower (yaml.v3), so this comes to 2 s; the shares
	// of its lines are those of three times as many iterations.
	memProfileCap = 50e6
	// memProfileAllocs is how many allocations it records: each takes some 3.5 µs
	// on deep stacks (tablewriter), so that these take 1.4 s.
	memProfileAllocs = 400e3
	profileCap       = 3e9 // ns of CPU time of the whole process

	mutexProfileGoal = 200e6 // ns of wall time in a mutex profile
)

// A Profiled is a profile file and what it is of.
type Profiled struct {
	File string // absolute
	// N is how often the benchmark's loop body ran in the profiled process:
	// the process runs a b.N loop once more before the N that it is asked for.
	// Divide by N for costs per op; a site that is hit less often than that is
	// set-up.
	N      int64
	Sample model.Sample // of the same process; its times are those of profiled code
}

// Profile runs a benchmark under a profiler, apart from all timing, and writes
// a pprof file to out. n is the number of iterations, or 0 for as many as the
// kind needs: a second of CPU time, 2,000 iterations and fewer of long
// operations for allocations, a fifth of a second for mutexes.
//
// A profile is of the whole process, set-up included.
func (s *Suite) Profile(ctx context.Context, b *Binary, p model.Plan, kind, out string, n int64) (Profiled, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return Profiled{}, err
	}
	box, err := s.g.Meter.Outbox()
	if err != nil {
		return Profiled{}, err
	}
	defer box.Remove()
	const name = "profile"
	j := planned(b, p)
	perOp := opNs(p)
	switch kind {
	case CPUProfile:
		j.n = CPUProfileN(p, cpuProfileGoal)
		j.args = []string{"-test.cpuprofile=" + box.Path(name)}
	case MemProfile:
		j.n = MemProfileN(p, 0)
		j.args = []string{"-test.memprofile=" + box.Path(name), "-test.memprofilerate=1"}
	case MutexProfile:
		j.n = atMost(p, mutexProfileGoal/perOp, profileCap)
		j.args = []string{"-test.mutexprofile=" + box.Path(name), "-test.mutexprofilefraction=1"}
	default:
		return Profiled{}, fmt.Errorf("%q is no kind of profile", kind)
	}
	if n > 0 {
		j.n = n
	}
	j.timeout = probeTimeout + lateFactor*sliceTimeout/10
	j.cpu = gocmd.NoCPU
	j.quiet = true
	if b.Race { // nobody waits for what is left running when the benchmark has ended
		j.env = append(j.env, "GORACE="+strings.TrimSpace(gocmd.Getenv(s.g.Env(), "GORACE")+" atexit_sleep_ms=0"))
	}
	m, err := s.measure(ctx, j, p.SetupNs)
	if err != nil {
		return Profiled{}, fmt.Errorf("taking a %s profile: %w", kind, err)
	}
	if err := box.Keep(name, out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return Profiled{}, fmt.Errorf("taking a %s profile: %w", kind, err)
	}
	if fi, err := os.Stat(out); err != nil || fi.Size() == 0 {
		return Profiled{}, fmt.Errorf("%s left no %s profile at %s: %w", p.Benchmark.Name, kind, out, noProfile(filepath.Dir(out)))
	}
	return Profiled{File: out, N: m.iterations, Sample: m.sample(p, model.Base, 0, s.clockOf(b))}, nil
}

// noProfile says why a profile is missing from a directory: where nothing can be
// written there now, nothing could then.
func noProfile(dir string) error {
	probe, err := os.CreateTemp(dir, "probe-*")
	if err != nil {
		return err
	}
	_, err = probe.Write(make([]byte, probeSize))
	err = errors.Join(err, probe.Close())
	_ = os.Remove(probe.Name())
	if err != nil {
		return err
	}
	return errors.New("does its TestMain end the process by itself?")
}

// probeSize is what a profile of a small program may have.
const probeSize = 256 << 10

// CPUProfileN returns how many iterations make a CPU profile of goal of CPU time:
// a hundred samples a second. Set-up that is longer than the benchmark bounds it.
func CPUProfileN(p model.Plan, goal time.Duration) int64 {
	return atMost(p, float64(goal)/opNs(p), profileCap*max(1, goal.Seconds()))
}

// MemProfileN returns how many iterations make an allocation profile of a benchmark with
// that many allocations per operation, 0 where they are not known.
func MemProfileN(p model.Plan, allocs float64) int64 {
	return atMost(p, min(memProfileCap/opNs(p), memProfileN, memProfileAllocs/max(allocs, 1)), profileCap)
}

// opNs returns what one iteration takes by the plan.
func opNs(p model.Plan) float64 {
	return max((p.SliceNs-p.TimedNs)/float64(max(p.N, 1)), 0.01)
}

// atMost bounds a number of iterations so that the process takes no more than
// limit ns of CPU time, set-up included, or what a slice takes if that is more.
// How much of the set-up grows with the iterations the plan does not say; this
// takes it that all of it does.
func atMost(p model.Plan, n, limit float64) int64 {
	bound := float64(p.N) * max(1, limit/max(p.SetupNs+p.SliceNs, 1))
	return int64(min(max(min(n, bound), 2), maxN))
}
