package loadtest

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

var (
	fullFlag  = flag.Bool("load.full", false, "measure how precise each mode is, for the table in the package comment; takes minutes")
	unitsFlag = flag.Int("load.units", 40, "with -load.full, how many units of each kind")
	loadFlag  = flag.Duration("load.d", 500*time.Millisecond, "with -load.full, how long a load run takes")
)

// TestTablePrecision prints the table of the package comment: how much the log
// ratios of a unit scatter in each mode, on an HTTP server and the same with
// extra work, in turns, so that all see the same machine.
func TestTablePrecision(t *testing.T) {
	t.Parallel()
	if !*fullFlag {
		t.Skip("run with -load.full")
	}
	cells := []*cell{
		{name: "duet", work: 0}, {name: "alternate", alternate: true, work: 0},
		{name: "duet", work: 800}, {name: "alternate", alternate: true, work: 800},
	}
	for range *unitsFlag {
		for _, c := range cells {
			c.unit(t)
		}
	}
	fmt.Printf("%-10s %5s %-12s %10s %10s %10s %10s\n", "mode", "work", "metric", "change", "sd", "robust sd", "s a unit")
	for _, c := range cells {
		c.print()
	}
}

// A cell is one mode on one pair of programs.
type cell struct {
	name      string
	alternate bool
	work      int
	runner    *runner
	sides     [2]command
	pairs     []model.LoadRunPair
	spent     time.Duration
}

// unit runs one unit of the cell.
func (c *cell) unit(t *testing.T) {
	t.Helper()
	if c.runner == nil {
		c.open(t)
	}
	start := time.Now()
	pair, err := c.runner.unit(t.Context(), c.sides)
	if err != nil {
		t.Fatal(err)
	}
	c.pairs, c.spent = append(c.pairs, pair), c.spent+time.Since(start)
}

func (c *cell) open(t *testing.T) {
	t.Helper()
	c.runner = &runner{
		starter: starter{meter: gocmd.NewMeter(time.Now()), env: os.Environ()},
		ready:   10 * time.Second, timeout: time.Minute, alternate: c.alternate, coin: rand.New(rand.NewPCG(1, 2)),
	}
	var err error
	for i, work := range []int{2000, 2000 + c.work} {
		if c.sides[i], err = newCommand("program", self(t, fmt.Sprintf("server -work %d", work)), ""); err != nil {
			t.Fatal(err)
		}
	}
	if c.runner.load, err = newCommand("load", self(t, fmt.Sprintf("load -d %v", *loadFlag)), ""); err != nil {
		t.Fatal(err)
	}
}

func (c *cell) print() {
	metrics := []struct {
		name string
		of   func(model.LoadRun) float64
	}{
		{"cpu/request", perRequest},
		{"latency-p50", func(r model.LoadRun) float64 { return r.LatencyNs["p50"] }},
		{"latency-p99", func(r model.LoadRun) float64 { return r.LatencyNs["p99"] }},
	}
	for _, m := range metrics {
		ds := make([]float64, len(c.pairs))
		for i, p := range c.pairs {
			ds[i] = math.Log(m.of(p.Candidate) / m.of(p.Base))
		}
		fmt.Printf("%-10s %5d %-12s %+8.1f %% %8.1f %% %8.1f %% %10.2f\n", c.name, c.work, m.name,
			100*math.Expm1(verdict.Median(ds)), 100*sd(ds), 100*mad(ds), c.spent.Seconds()/float64(len(ds)))
	}
}

func sd(xs []float64) float64 {
	var sum, sq float64
	for _, x := range xs {
		sum += x
	}
	mean := sum / float64(len(xs))
	for _, x := range xs {
		sq += (x - mean) * (x - mean)
	}
	return math.Sqrt(sq / float64(len(xs)-1))
}

func mad(xs []float64) float64 {
	mid := verdict.Median(xs)
	dev := make([]float64, len(xs))
	for i, x := range xs {
		dev[i] = math.Abs(x - mid)
	}
	slices.Sort(dev)
	return 1.4826 * verdict.Median(dev)
}
