package store

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/pawl-dev/pawl/internal/model"
)

// ReadSamples reads what a Samples wrote. Text that go test itself printed is
// read too; such samples have no CPU time, no arm and Unit -1. Lines that are
// not benchmark results are passed over, broken ones with a warning. The name
// is for messages.
func ReadSamples(r io.Reader, name string) ([]model.Sample, []model.Warning, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("reading samples: %w", err)
	}
	var warnings []model.Warning
	end := bytes.LastIndexByte(data, '\n') + 1
	if end < len(data) {
		warnings = append(warnings, model.Warning{
			Seen:  fmt.Sprintf("the last line of %s has no end and is not counted", name),
			Cause: "pawl was killed, or the disk was full, while it was being written",
		})
	}
	data = data[:end]

	comments := bytes.Split(data, []byte{'\n'}) // comments[i] is line i+1
	var samples []model.Sample
	in := benchfmt.NewReader(bytes.NewReader(data), name)
	for in.Scan() {
		switch rec := in.Result().(type) {
		case *benchfmt.SyntaxError:
			warnings = append(warnings, model.Warning{Seen: rec.Error() + "; the line is passed over"})
		case *benchfmt.Result:
			s, ok := sampleOf(rec)
			if !ok {
				_, line := rec.Pos()
				warnings = append(warnings, model.Warning{Seen: fmt.Sprintf("%s:%d: figures that no benchmark has; the line is passed over", name, line)})
				continue
			}
			if _, line := rec.Pos(); line < len(comments) {
				remark(&s, string(comments[line]))
			}
			samples = append(samples, s)
		}
	}
	if err := in.Err(); err != nil {
		return samples, warnings, fmt.Errorf("reading samples: %w", err)
	}
	return samples, warnings, nil
}

// ReadSamplesFile is ReadSamples of a file.
func ReadSamplesFile(path string) ([]model.Sample, []model.Warning, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("reading samples: %w", err)
	}
	defer f.Close()
	return ReadSamples(f, path)
}

func sampleOf(r *benchfmt.Result) (model.Sample, bool) {
	s := model.Sample{
		Benchmark: model.Benchmark{Pkg: r.GetConfig("pkg"), Name: "Benchmark" + string(r.Name)},
		N:         int64(r.Iters),
		Clock:     model.Clock(r.GetConfig("clock")),
		Unit:      -1,
	}
	if s.N <= 0 {
		return s, false
	}
	ok := true
	for _, v := range r.Values {
		// Reader turns ns into sec and keeps what was written beside it; it
		// turns a zero into nothing, and zero is zero in any unit.
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			value, unit = v.OrigValue, v.OrigUnit
		}
		switch unit {
		case "ns/op":
			s.WallNs = value
		case "cpu-ns/op":
			s.CPUNs = value
		case "B/op":
			s.Bytes, ok = total(value, s.N, ok)
		case "allocs/op":
			s.Allocs, ok = total(value, s.N, ok)
		default:
			if s.Metrics == nil {
				s.Metrics = make(map[string]float64)
			}
			s.Metrics[unit] = value
		}
	}
	return s, ok
}

// total undoes the division by N. Rounding gives back the very integer that
// was divided as long as it is below 2^52.
func total(perOp float64, n int64, ok bool) (uint64, bool) {
	x := math.Round(perOp * float64(n))
	if !(0 <= x && x < 1<<63) {
		return 0, false
	}
	return uint64(x), ok
}

// remark takes what a comment says about the sample above it. What it does not
// say or says wrongly stays as it is.
func remark(s *model.Sample, line string) {
	rest, ok := strings.CutPrefix(line, "# arm=")
	if !ok {
		return
	}
	arm, rest, _ := strings.Cut(rest, " ")
	s.Arm = model.Arm(arm)
	for _, field := range strings.Fields(rest) {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "duet":
			if n, err := strconv.Atoi(value); err == nil {
				s.Unit = n
			}
		case "link":
			s.Link, _ = strconv.Atoi(value)
		case "ordered":
			s.Ordered = value == "1"
		case "gcs":
			s.GCs, _ = strconv.ParseInt(value, 10, 64)
		case "stops":
			s.Stops, _ = strconv.ParseInt(value, 10, 64)
		case "all-cpu-ns":
			s.AllCPUNs, _ = strconv.ParseFloat(value, 64)
		}
	}
}
