package trend

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Comparison adds the candidate's figures: those of the tree as it was. A patch was
// only tried, and files and programs are of others.
func (c *Collection) Comparison(m *model.Comparison) {
	if m.Candidate.Kind != model.SideRef && m.Candidate.Kind != model.SideWorktree {
		return
	}
	of := words.Commit(m.Candidate.Commit)
	if of == "" || m.Candidate.Kind == model.SideWorktree {
		of = m.ID
	}
	for _, b := range m.Benchmarks {
		if b.After != nil {
			c.stats(b.Benchmark, m.Env, *b.After, model.TrendPoint{Time: m.Started, Of: of})
		}
		for _, r := range b.Metrics {
			k := key{b.Benchmark, r.Unit, machineOf(m.Env)}
			c.add(k, map[string]int{"lower": -1, "higher": 1}[r.Better], model.TrendPoint{Time: m.Started, Of: of, Value: r.After})
		}
	}
}

// Run adds the figures that the tree had before a run changed anything.
func (c *Collection) Run(r *model.Run) {
	of := r.ID
	if r.Head != "" && !r.Dirty {
		of = words.Commit(r.Head)
	}
	for _, res := range r.Results {
		c.stats(res.Benchmark, r.Env, res.Before, model.TrendPoint{Time: r.Started, Of: of})
	}
}

func (c *Collection) stats(b model.Benchmark, env model.Environment, s model.Stats, p model.TrendPoint) {
	if s.CPUNs == 0 && s.WallNs == 0 { // not measured
		return
	}
	system, machine := env.GOOS+"/"+env.GOARCH, machineOf(env)
	for _, f := range []struct {
		metric, machine string
		value           float64
	}{{cpu, machine, s.CPUNs}, {wall, machine, s.WallNs}, {allocs, system, s.Allocs}, {bytesPerOp, system, s.Bytes}} {
		if f.value > 0 || f.metric == allocs || f.metric == bytesPerOp {
			p.Value = f.value
			c.add(key{b, f.metric, f.machine}, -1, p)
		}
	}
}

// Record adds the figures of a record.
func (c *Collection) Record(r hotpath.Record) {
	_, system, _ := strings.Cut(r.Measured.Go, " ")
	of := cmp.Or(r.Measured.Commit, r.Name)
	for _, figures := range r.Measured.Figures {
		for _, f := range figures.Values {
			k := key{model.Benchmark{Pkg: r.Pkg, Name: figures.Benchmark}, f.Metric, system}
			if f.Metric == cpu || f.Metric == wall {
				k.machine = machine(system, r.Measured.CPU)
			}
			c.add(k, -1, model.TrendPoint{Time: r.Measured.Date, Of: of, Value: f.Value})
		}
	}
}

func machineOf(env model.Environment) string {
	return machine(env.GOOS+"/"+env.GOARCH, fmt.Sprintf("%s (%s)", strings.Join(strings.Fields(env.CPU), " "), words.Plural(env.CPUs, "CPU")))
}

func machine(system, cpu string) string { return strings.Trim(system+", "+cpu, ", ") }
