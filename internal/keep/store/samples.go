package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Samples writes the samples of one arm of one comparison as benchfmt text,
// the format that go test prints and benchstat reads:
//
//	goos: linux
//	goarch: amd64
//	cpu: AMD EPYC 9B14
//	go: go1.26.8
//	pawl-run: 20260102T150405-optimize
//	pkg: example.com/wire
//	clock: process-cpu
//
//	BenchmarkPack 2400 51210 ns/op 50498.5 cpu-ns/op 73790.2 B/op 5.0004 allocs/op
//	# arm=base duet=0 gcs=70 stops=0 all-cpu-ns=131400000
//
// Each arm has its own file, so that
//
//	benchstat pack.base.txt pack.candidate.txt
//
// compares them. The number of the duet and the arm stand in a comment below
// each sample and not, as one would like, in configuration lines above it:
// benchstat makes one table for each configuration that it meets, so a line
// "duet: 7" would leave every sample alone in a table of its own, and "arm:"
// would put the two arms in tables that are never compared. It passes over
// comments.
//
// allocs/op and B/op have their fraction, for testing rounds down and 0.97 is
// not 0.
//
// A Samples belongs to one goroutine.
type Samples struct {
	w      io.Writer
	buf    bytes.Buffer
	fmt    *benchfmt.Writer
	arm    model.Arm
	common []benchfmt.Config
	file   *os.File // nil when w is not ours to close
}

// NewSamples returns a writer of one arm's samples to w. Each sample is one
// call of w.Write. The environment and the run's ID go into the header.
func NewSamples(w io.Writer, env model.Environment, run string, arm model.Arm) *Samples {
	s := &Samples{w: w, arm: arm}
	s.fmt = benchfmt.NewWriter(&s.buf)
	for _, kv := range [][2]string{
		{"goos", env.GOOS}, {"goarch", env.GOARCH}, {"cpu", env.CPU}, {"go", env.GoVersion}, {"pawl-run", run},
	} {
		s.common = appendConfig(s.common, kv[0], kv[1])
	}
	return s
}

// Samples opens samples/SET.ARM.txt of the run for appending and makes it when
// it is not there. The set names the comparison: SetName of a benchmark, or
// "final". What a kill left of a half-written last line is cut off. The caller
// closes it.
func (r *Run) Samples(set string, arm model.Arm, env model.Environment) (*Samples, error) {
	dir, err := r.directory("samples")
	if err != nil {
		return nil, err
	}
	return OpenSamples(filepath.Join(dir, plain(set)+"."+string(arm)+".txt"), env, r.ID, arm)
}

// SavePairs appends pairs of samples, base and candidate, to the files of a set.
func (r *Run) SavePairs(set string, pairs [][2]model.Sample, env model.Environment) error {
	return AppendPairs(pairs, func(arm model.Arm) (*Samples, error) { return r.Samples(set, arm, env) })
}

// AppendPairs appends pairs of samples, base and candidate, to the files that open
// opens for each, and closes these.
func AppendPairs(pairs [][2]model.Sample, open func(model.Arm) (*Samples, error)) error {
	for i, arm := range []model.Arm{model.Base, model.Candidate} {
		out, err := open(arm)
		if err != nil {
			return err
		}
		for _, p := range pairs {
			sample := p[i]
			sample.Arm = arm
			err = errors.Join(err, out.Write(sample))
		}
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
	return nil
}

// OpenSamples opens a file for samples of a comparison that keeps no run, as
// Run.Samples does for those of one. The name stands for that of the run: base
// and candidate that have the same one can be paired again.
func OpenSamples(path string, env model.Environment, name string, arm model.Arm) (*Samples, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the samples: %w", err)
	}
	if err := cutTorn(f); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the samples in %s: %w", path, err), f.Close())
	}
	s := NewSamples(f, env, name, arm)
	s.file = f
	return s, nil
}

// Path returns where the samples are, or "" when they go to a caller's writer.
func (s *Samples) Path() string {
	if s.file == nil {
		return ""
	}
	return s.file.Name()
}

// Write writes one sample. It refuses samples of the other arm and samples
// that benchfmt cannot hold.
func (s *Samples) Write(m model.Sample) error {
	if err := s.check(m); err != nil {
		return fmt.Errorf("writing a sample of %s: %w", m.Benchmark, err)
	}
	cfg := append([]benchfmt.Config(nil), s.common...)
	cfg = appendConfig(cfg, "pkg", m.Benchmark.Pkg)
	cfg = appendConfig(cfg, "clock", string(m.Clock))
	s.buf.Reset()
	values := []benchfmt.Value{
		{Value: m.WallNs, Unit: "ns/op"},
		{Value: m.CPUNs, Unit: "cpu-ns/op"},
		{Value: m.BytesPerOp(), Unit: "B/op"},
		{Value: m.AllocsPerOp(), Unit: "allocs/op"},
	}
	for _, unit := range slices.Sorted(maps.Keys(m.Metrics)) {
		if unit != "ns/op" { // the time in its place is the one that pawl took
			values = append(values, benchfmt.Value{Value: m.Metrics[unit], Unit: unit})
		}
	}
	err := s.fmt.Write(&benchfmt.Result{
		Config: cfg,
		Name:   benchfmt.Name(strings.TrimPrefix(m.Benchmark.Name, "Benchmark")),
		Iters:  int(m.N),
		Values: values,
	})
	if err == nil {
		fmt.Fprintf(&s.buf, "# arm=%s duet=%d gcs=%d stops=%d all-cpu-ns=%s",
			s.arm, m.Unit, m.GCs, m.Stops, strconv.FormatFloat(m.AllCPUNs, 'f', -1, 64))
		if m.Link > 0 {
			fmt.Fprintf(&s.buf, " link=%d", m.Link)
		}
		if m.Ordered {
			s.buf.WriteString(" ordered=1")
		}
		s.buf.WriteByte('\n')
		_, err = s.w.Write(s.buf.Bytes())
	}
	if err != nil {
		return fmt.Errorf("writing a sample of %s: %w", m.Benchmark, err)
	}
	return nil
}

func (s *Samples) check(m model.Sample) error {
	switch {
	case m.Arm != s.arm:
		return fmt.Errorf("it is of arm %q, and this file of arm %q", m.Arm, s.arm)
	case m.N <= 0:
		return fmt.Errorf("it has %d iterations", m.N)
	case m.Benchmark.Name == "" || strings.ContainsAny(m.Benchmark.Name, " \t\r\n"):
		return fmt.Errorf("the name %q is not one that go test prints", m.Benchmark.Name)
	}
	for _, x := range []float64{m.WallNs, m.CPUNs, m.AllCPUNs} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("a time is %v", x)
		}
	}
	return nil
}

// Close syncs and closes the file. It does nothing for a caller's writer.
func (s *Samples) Close() error {
	if s.file == nil {
		return nil
	}
	if err := errors.Join(s.file.Sync(), s.file.Close()); err != nil {
		return fmt.Errorf("closing %s: %w", s.file.Name(), err)
	}
	return nil
}

func appendConfig(cfg []benchfmt.Config, key, value string) []benchfmt.Config {
	value = strings.Join(strings.Fields(value), " ")
	if value == "" {
		return cfg
	}
	return append(cfg, benchfmt.Config{Key: key, Value: []byte(value), File: true})
}

// cutTorn removes an unfinished last line. Unlike the journal's, it cannot be
// left standing: cut in the middle of a figure, it still reads as a sample.
func cutTorn(f *os.File) error {
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	if end == len(data) {
		return nil
	}
	return f.Truncate(int64(end))
}
