package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A record is one line that a measured process wrote about one benchmark.
//
//	start NAME                        runN begins
//	run NAME n= cpu= …                runN has returned
//	end NAME returned= failed= …      runN is left, by whatever way
//	result NAME failed=               a benchmark without sub-benchmarks is through
//	retain NAME base= live= peak= …   the live heap during runN
//	metric NAME BITS UNIT             a figure of b.ReportMetric, after its run
//
// Values are integers: times in ns, sizes in bytes, truth as 0 and 1. That of a
// metric is the bits of a float64 in hexadecimal digits.
type record struct {
	word, name string
	values     map[string]int64
	unit       string // of a metric
	metric     float64
}

func (r record) bit(key string) bool { return r.values[key] != 0 }

// parseRecord reads one line without its newline. Keys that it does not know
// are kept: they do no harm.
func parseRecord(line string) (record, error) {
	f := strings.Fields(line)
	if len(f) < 2 {
		return record{}, fmt.Errorf("record %q has no name", line)
	}
	if f[0] == "metric" {
		return parseMetric(line, f)
	}
	r := record{word: f[0], name: f[1], values: make(map[string]int64, len(f)-2)}
	for _, kv := range f[2:] {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return record{}, fmt.Errorf("record %q: %q is no key=value", line, kv)
		}
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return record{}, fmt.Errorf("record %q: %w", line, err)
		}
		r.values[k] = n
	}
	return r, nil
}

func parseMetric(line string, f []string) (record, error) {
	if len(f) != 4 {
		return record{}, fmt.Errorf("record %q is no metric with its bits and its unit", line)
	}
	bits, err := strconv.ParseUint(f[2], 16, 64)
	if err != nil {
		return record{}, fmt.Errorf("record %q: %w", line, err)
	}
	return record{word: f[0], name: f[1], unit: f[3], metric: math.Float64frombits(bits)}, nil
}

// parseRecords reads all that a process wrote. A last line without newline is
// of a process that was killed while writing, and is dropped.
func parseRecords(data string) ([]record, error) {
	var out []record
	for line := range strings.Lines(data) {
		whole, ok := strings.CutSuffix(line, "\n")
		if !ok {
			break
		}
		r, err := parseRecord(whole)
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

// A measure is what one process says about the benchmark it was run for. Times
// are ns and totals over n iterations.
type measure struct {
	n             int64
	cpu, wall     float64 // of the timed region
	rusage        float64 // of the whole process
	allocs, bytes uint64
	gcs, stops    int64
	charge        float64            // CPU time that a pair of StopTimer and StartTimer is charged
	wait          float64            // ready to run and not running: the thread that was so for longest
	waits         float64            // likewise, of all threads together
	procs         float64            // processors that it could use
	bg            float64            // for how long the collector's own workers marked, by the wall clock
	assist        float64            // for how long allocations helped them, likewise
	pause         float64            // for how long the collector stopped the world, times GOMAXPROCS
	metrics       map[string]float64 // that the benchmark reported, by unit
	loop, par     bool
	iterations    int64 // of all calls of the benchmark function in the process
}

// clockPair is subtracted for each pair of StopTimer and StartTimer: the
// timed region is charged for its own clock readings.
func (m measure) ownCPU() float64 { return math.Max(0, m.cpu-m.charge*float64(m.stops)) }

// untimed returns the CPU time outside the timed region.
func (m measure) untimed() float64 { return math.Max(0, m.rusage-m.cpu) }

// last returns the figures of the last run of a benchmark, and whether it came
// to its result.
func last(records []record, name string) (measure, bool) {
	var m measure
	var ran, result bool
	for _, r := range records {
		if r.name != name {
			continue
		}
		switch r.word {
		case "run":
			total := m.iterations + r.values["n"]
			m, ran = fromRun(r), true
			m.iterations = total
		case "metric":
			m.report(r.unit, r.metric)
		case "result":
			result = !r.bit("failed")
		}
	}
	return m, ran && result && m.n > 0
}

// report takes in a figure of b.ReportMetric. What is no number says nothing; of
// pawl's own counts the benchmark cannot say more than they do, and 0 ns/op is how
// a benchmark keeps testing from printing a time.
func (m *measure) report(unit string, x float64) {
	own := unit == "allocs/op" || unit == "B/op" || unit == "ns/op" && x == 0
	if own || math.IsNaN(x) || math.IsInf(x, 0) {
		return
	}
	if m.metrics == nil {
		m.metrics = make(map[string]float64)
	}
	m.metrics[unit] = x
}

func fromRun(r record) measure {
	return measure{
		n:      r.values["n"],
		cpu:    float64(r.values["cpu"]),
		wall:   float64(r.values["wall"]),
		allocs: uint64(max(0, r.values["allocs"])),
		bytes:  uint64(max(0, r.values["bytes"])),
		gcs:    r.values["gc"],
		stops:  r.values["stops"],
		charge: float64(r.values["clock"]),
		wait:   float64(r.values["wait"]),
		waits:  float64(r.values["waits"]),
		procs:  float64(r.values["procs"]),
		bg:     float64(r.values["bg"]),
		assist: float64(r.values["assist"]),
		pause:  float64(r.values["pause"]),
		loop:   r.bit("loop"),
		par:    r.bit("par"),
	}
}

// collector returns the CPU time that the collector took, in a plan of the
// given mode: marking, by its own workers and by allocations that had to help
// them, since how the two share it is a matter of pacing (on one processor
// nearly all of it can be help), and in duets, which run on one processor, the
// pauses of a cycle. Sweeping is not in it.
//
// The runtime takes the wall clock for that. In a duet another process has the
// core for half of the time, and takes it from the collector as from all else:
// so the figure is multiplied by the region's ratio of CPU time to wall time.
//
// Accuracy, in four benchmarks of 7 to 28 % collector on a noisy machine: slices
// that had a core to themselves repeated to 2 to 15 %; a single sample of a duet
// varies by 16 to 24 %, as the kernel deals out the core in pieces longer than
// a cycle, and the mean of twenty was within 7 % of that of slices. So compare
// means of many duets. Beside a CPU profile, which counts all that a cycle
// takes, it was right for cycles of a millisecond and a third too low for
// hundreds of cycles that mark nearly nothing. The runtime adds up at the end of
// a cycle, so the one that is under way when the region ends is missing, in both
// arms alike: one in 25 in a slice of what calibration aims at. What the
// collector does while the timer is stopped is counted too. The result is at
// most the region's CPU time.
func (m measure) collector(mode model.Mode) float64 {
	ns := m.bg + m.assist
	switch {
	case mode == model.Duet && m.wall > 0:
		ns = (ns + m.pause) * math.Min(1, m.cpu/m.wall)
	case mode == model.Parallel && m.wall > 0 && m.procs > 0:
		ns *= math.Min(1, m.cpu/(m.wall*m.procs))
	}
	return math.Min(math.Max(0, ns), m.ownCPU())
}

// sample converts totals into a sample.
func (m measure) sample(p model.Plan, arm model.Arm, unit int, clock model.Clock) model.Sample {
	n := float64(m.n)
	return model.Sample{
		Benchmark: p.Benchmark,
		Arm:       arm,
		N:         m.n,
		CPUNs:     m.ownCPU() / n,
		WallNs:    m.wall / n,
		Allocs:    m.allocs,
		Bytes:     m.bytes,
		GCs:       m.gcs,
		Stops:     m.stops,
		AllCPUNs:  m.rusage,
		Clock:     clock,
		Unit:      unit,
		GCCPUNs:   m.collector(p.Mode) / n,
		Metrics:   m.metrics,
	}
}
