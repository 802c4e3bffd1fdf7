package trend

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// mostBytes is how large a file may be.
const mostBytes = 256 << 20

// An InputError is a file that is not there, or that has no results.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }

// File adds the results of a file: benchmark results as go test prints them, or the
// data.js of github-action-benchmark.
func (c *Collection) File(ctx context.Context, name string) error {
	data, err := foreign.ReadFile(ctx, name, mostBytes)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return &InputError{err}
	}
	short, before := filepath.Base(name), c.points()
	if entries, ok := cutScript(data); ok {
		err = c.script(short, entries)
	} else {
		err = c.results(short, data)
	}
	if err == nil && c.points() == before {
		err = fmt.Errorf("%s has no benchmark results: neither go test -bench nor github-action-benchmark wrote it", short)
	}
	if err != nil {
		return &InputError{err}
	}
	return nil
}

func (c *Collection) points() int {
	n := 0
	for _, s := range c.series {
		n += len(s.Points)
	}
	return n
}

// A place is where a point of a file belongs: one for each commit in the file.
type place struct {
	key
	of string
}

// A reading is the values of one point: the runs of -count.
type reading struct {
	point  model.TrendPoint
	better int
	values []float64
}

// results reads Go's benchmark format. Values of one benchmark under one commit are
// one point, their median.
func (c *Collection) results(name string, data []byte) error {
	readings := make(map[place]*reading)
	var order []place
	in := benchfmt.NewReader(bytes.NewReader(data), name)
	for in.Scan() {
		r, ok := in.Result().(*benchfmt.Result)
		if !ok {
			continue // a line that is no result
		}
		point := model.TrendPoint{Of: cmp.Or(words.Commit(r.GetConfig("commit")), r.GetConfig("run"), name)}
		for _, k := range []string{"commit-time", "date", "upload-time"} {
			if point.Time = when(r.GetConfig(k)); !point.Time.IsZero() {
				break
			}
		}
		for _, v := range r.Values {
			metric, value := tidied(v.Unit, v.Value)
			at := place{keyOf(r, metric), point.Of}
			if readings[at] == nil {
				readings[at] = &reading{point: point, better: betterOf(v.Unit, in.Units())}
				order = append(order, at)
			}
			readings[at].values = append(readings[at].values, value)
		}
	}
	for _, at := range order {
		r := readings[at]
		r.point.Value = median(r.values)
		c.add(at.key, r.better, r.point)
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

func keyOf(r *benchfmt.Result, metric string) key {
	system := r.GetConfig("goos") + "/" + r.GetConfig("goarch")
	if system == "/" {
		system = ""
	}
	k := key{model.Benchmark{Pkg: r.GetConfig("pkg"), Name: "Benchmark" + string(r.Name)}, metric, system}
	if !slices.Contains([]string{allocs, bytesPerOp}, metric) {
		k.machine = machine(system, r.GetConfig("cpu"))
	}
	return k
}

// tidied returns what pawl calls a unit of benchfmt, and the value in pawl's own.
func tidied(unit string, value float64) (string, float64) {
	switch unit {
	case "sec/op":
		return wall, value * 1e9
	case "cpu-sec/op":
		return cpu, value * 1e9
	}
	return unit, value
}

func betterOf(unit string, known benchfmt.UnitMetadataMap) int {
	if unit == "cpu-sec/op" {
		return -1
	}
	return known.GetBetter(unit)
}
