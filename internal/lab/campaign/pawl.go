package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
)

// pawlCodes are the exit codes with which pawl has compared: clean, a
// regression proven, undecided.
var pawlCodes = []int{0, 1, 4}

// callPawl runs pawl, reads what it printed and its samples, and removes the
// directory of the run.
func (s *settings) callPawl(ctx context.Context, n *neighbour, dir string, args ...string) (*PawlRun, []Judged, error) {
	w := n.watch()
	// Pawl's copies of the tree stay in the work directory.
	env := []string{"XDG_CACHE_HOME=" + filepath.Join(s.work, "cache"), "GOCACHE=" + s.gocache(ctx), "GOFLAGS=", "GOTOOLCHAIN=local"}
	f, err := start(ctx, dir, env, pawlCodes, s.pawl, args...)
	if err != nil {
		return nil, nil, err
	}
	var c model.Comparison
	if err := json.Unmarshal(f.stdout, &c); err != nil {
		return nil, nil, fmt.Errorf("reading what pawl %s printed: %w\n%s", strings.Join(args, " "), err, tail(string(f.stdout), 5))
	}
	run := &PawlRun{
		Code: f.code, Wall: round(f.wall, 3), CPU: round(f.cpu, 3),
		Measure: round(c.Split.Measure, 3), Build: round(c.Split.Build, 3), Total: round(c.Split.Total, 3), Conditions: w.end(),
	}
	judged, err := judgedOf(&c)
	if c.Dir != "" && err == nil {
		err = os.RemoveAll(c.Dir)
	}
	return run, judged, err
}

// gocache returns the build cache, which would otherwise follow
// XDG_CACHE_HOME.
func (s *settings) gocache(ctx context.Context) string {
	out, err := start(ctx, "", nil, nil, s.gotool, "env", "GOCACHE")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out.stdout))
}

// judgedOf takes the verdicts and the log ratios out of a comparison.
func judgedOf(c *model.Comparison) ([]Judged, error) {
	pairs, err := readPairs(c.Samples)
	if err != nil {
		return nil, err
	}
	judged := 0
	for _, b := range c.Benchmarks {
		if b.Verdict != nil {
			judged++
		}
	}
	var out []Judged
	for _, b := range c.Benchmarks {
		j := Judged{
			Bench: b.Benchmark.Name, Standing: string(b.Standing), Why: b.Why, Alpha: c.Alpha / float64(max(1, judged)),
			Least: c.MinEffect, Seconds: round(b.Seconds, 3), CPU: round(b.CPU, 3),
		}
		if v := b.Verdict; v != nil {
			j.Answer, j.Change, j.Lo, j.Hi = string(v.Answer), round(v.Change, 6), round(v.Lo, 6), round(v.Hi, 6)
			j.SD, j.Wall = round(v.NoiseSD, 6), v.Metric == "wall/op"
		}
		if b.Screen != nil {
			j.Screen = string(b.Screen.Answer)
		}
		if b.Before != nil {
			j.PerOp = round(b.Before.CPUNs, 3)
		}
		if j.Duets, j.Links, err = ratios(pairs[b.Benchmark], j.Wall); err != nil {
			return nil, fmt.Errorf("%s: %w", b.Benchmark.Name, err)
		}
		out = append(out, j)
	}
	return out, nil
}

// readPairs reads sample files and pairs the arms of each benchmark, in order.
func readPairs(files []string) (map[model.Benchmark][][2]model.Sample, error) {
	arms := make(map[model.Benchmark][2][]model.Sample)
	for _, name := range files {
		samples, _, err := store.ReadSamplesFile(name)
		if err != nil {
			return nil, err
		}
		for _, s := range samples {
			a := arms[s.Benchmark]
			switch s.Arm {
			case model.Base:
				a[0] = append(a[0], s)
			case model.Candidate:
				a[1] = append(a[1], s)
			default:
				return nil, fmt.Errorf("%s: a sample of arm %q", name, s.Arm)
			}
			arms[s.Benchmark] = a
		}
	}
	pairs := make(map[model.Benchmark][][2]model.Sample)
	for bm, a := range arms {
		if len(a[0]) != len(a[1]) {
			return nil, fmt.Errorf("%s has %d samples of the base and %d of the candidate", bm.Name, len(a[0]), len(a[1]))
		}
		for i := range a[0] {
			b, c := a[0][i], a[1][i]
			if b.Unit != c.Unit || b.Link != c.Link {
				return nil, fmt.Errorf("%s: duet %d of link %d is paired with %d of link %d", bm.Name, b.Unit, b.Link, c.Unit, c.Link)
			}
			pairs[bm] = append(pairs[bm], [2]model.Sample{b, c})
		}
	}
	return pairs, nil
}

// digits is to how many decimal places log ratios are kept: a millionth of
// the time of an operation.
const digits = 6

// ratios returns ln(candidate ÷ base) of the duets on one link of each side, and
// the means of those of each pair of fresh links.
func ratios(pairs [][2]model.Sample, wall bool) (duets, links []float64, err error) {
	var sum float64
	n, link := 0, 0
	flush := func() {
		if n > 0 {
			links = append(links, round(sum/float64(n), digits))
		}
		sum, n = 0, 0
	}
	for _, p := range pairs {
		b, c := p[0].CPUNs, p[1].CPUNs
		if wall {
			b, c = p[0].WallNs, p[1].WallNs
		}
		if !(b > 0) || !(c > 0) {
			return nil, nil, fmt.Errorf("duet %d has no time", p[0].Unit)
		}
		d := math.Log(c / b)
		if p[0].Link == 0 {
			duets = append(duets, round(d, digits))
			continue
		}
		if p[0].Link != link {
			flush()
			link = p[0].Link
		}
		sum, n = sum+d, n+1
	}
	flush()
	return duets, links, nil
}
