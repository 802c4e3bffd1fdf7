package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// runsPerSide is the number of runs that benchstat's documentation asks for at
// least.
const runsPerSide = 10

// equalIterations returns the -benchtime with which two blocks of runs use so
// many CPU seconds in all. testing runs each benchmark once more for one
// iteration and collects garbage, which is little.
func equalIterations(cpu, perOpNs float64) string {
	n := max(1, int(cpu*1e9/(2*runsPerSide)/perOpNs))
	return strconv.Itoa(n) + "x"
}

// statRun runs the block of old, then the block of new, and asks benchstat.
// The binaries run unpinned in the package's directory, as go test would run them.
func (s *settings) statRun(ctx context.Context, n *neighbour, m module, bm model.Benchmark, old, cand, benchtime string) (*StatRun, error) {
	r := &StatRun{Benchtime: benchtime, P: 1}
	w := n.watch()
	var files []string
	for i, bin := range []string{old, cand} {
		f, err := start(ctx, m.directory(), nil, nil, bin, "-test.run=^$", "-test.bench="+bm.Regexp(),
			"-test.count="+strconv.Itoa(runsPerSide), "-test.benchtime="+benchtime)
		if err != nil {
			return nil, err
		}
		r.CPU, r.Wall = r.CPU+f.cpu, r.Wall+f.wall
		name := filepath.Join(s.work, "stat", []string{"old", "new"}[i])
		if err := writeFile(name, f.stdout, 0o666); err != nil {
			return nil, err
		}
		files = append(files, name)
	}
	r.CPU, r.Wall, r.Conditions = round(r.CPU, 3), round(r.Wall, 3), w.end()
	tool, err := s.benchstat(ctx)
	if err != nil {
		return nil, err
	}
	f, err := start(ctx, s.work, nil, nil, tool, append([]string{"-format", "csv"}, files...)...)
	if err != nil {
		return nil, err
	}
	if r.P, r.Delta, err = parseBenchstat(string(f.stdout)); err != nil {
		return nil, fmt.Errorf("reading what benchstat printed: %w\n%s", err, tail(string(f.stdout), 12))
	}
	return r, nil
}

// parseBenchstat reads the first row of the table of sec/op: the p-value, and
// the change of the medians, which benchstat itself prints only where it is
// significant.
func parseBenchstat(text string) (p, delta float64, err error) {
	in := csv.NewReader(strings.NewReader(text))
	in.FieldsPerRecord = -1
	in.LazyQuotes = true
	rows, err := in.ReadAll()
	if err != nil {
		return 0, 0, err
	}
	inTime := false
	for _, row := range rows {
		switch {
		case len(row) >= 2 && row[0] == "":
			inTime = row[1] == "sec/op"
		case inTime && len(row) >= 7:
			return parseRow(row)
		}
	}
	return 0, 0, errors.New("there is no row of sec/op with two sides")
}

// parseRow reads name, old, CI, new, CI, vs base, p.
func parseRow(row []string) (p, delta float64, err error) {
	old, err1 := strconv.ParseFloat(row[1], 64)
	cand, err2 := strconv.ParseFloat(row[3], 64)
	text, _, _ := strings.Cut(strings.TrimPrefix(row[6], "p="), " ")
	p, err3 := strconv.ParseFloat(text, 64)
	if err := errors.Join(err1, err2, err3); err != nil {
		return 0, 0, err
	}
	if !(old > 0) || !(cand > 0) || p < 0 || p > 1 {
		return 0, 0, fmt.Errorf("figures that make no sense: %q", row)
	}
	return p, round(cand/old-1, 6), nil
}

// binaries builds the stock test binaries of two tags, the base once.
func (s *settings) binaries(ctx context.Context, m module, tag string) (base, cand string, err error) {
	base = filepath.Join(s.work, "binaries", m.name+"-base.test")
	cand = filepath.Join(s.work, "binaries", m.name+"-cand.test")
	if _, err := os.Stat(base); err != nil {
		if err := m.checkout(ctx, "base"); err != nil {
			return "", "", err
		}
		if err := s.testBinary(ctx, m, base); err != nil {
			return "", "", err
		}
	}
	if err := m.checkout(ctx, tag); err != nil {
		return "", "", err
	}
	if err := s.testBinary(ctx, m, cand); err != nil {
		return "", "", err
	}
	return base, cand, m.checkout(ctx, "base")
}
