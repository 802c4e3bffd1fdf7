package bench

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// resultLine is a line of results as testing prints it. With -test.v the name
// and the figures are printed in one go; what the benchmark itself printed
// without a newline can stand before the name. ns/op is missing where the
// benchmark reports it as zero.
var resultLine = regexp.MustCompile(`(Benchmark\S*)[ \t]+(\d+)((?:\t[ \t]*[-+0-9.eEInfNa]+ \S+)+)\s*$`)

// elapsed finds the time in the figures of that line.
var elapsed = regexp.MustCompile(`\t[ \t]*([0-9.]+) ns/op(?:\t|$)`)

// memory finds the figures of -test.benchmem in the rest of that line.
var memory = regexp.MustCompile(`\t[ \t]*(\d+) B/op\t[ \t]*(\d+) allocs/op`)

// figureOf finds each figure of that line with its unit.
var figureOf = regexp.MustCompile(`\t[ \t]*([-+0-9.eE]+) (\S+)`)

// metrics finds the figures that the benchmark reported itself. MB/s may be
// testing's own, made of the time, and ns/op is.
func metrics(name, figures string) []record {
	var out []record
	for _, m := range figureOf.FindAllStringSubmatch(figures, -1) {
		x, err := strconv.ParseFloat(m[1], 64)
		if unit := m[2]; err == nil && unit != "ns/op" && unit != "MB/s" {
			out = append(out, record{word: "metric", name: name, unit: unit, metric: x})
		}
	}
	return out
}

// scanVerbose reads the output of -test.v -test.benchmem and returns what it
// says in the form of records. It is made for binaries without hooks; figures
// of CPU time are not in it. Totals of allocations are multiples of what is
// printed per op, which is rounded down: an allocation in every other op is
// lost, and so is a slice's own one among thousands. See RoundedAway.
func scanVerbose(stdout string) []record {
	var out []record
	add := func(word, name string, kv ...any) {
		r := record{word: word, name: name, values: make(map[string]int64)}
		for i := 0; i+1 < len(kv); i += 2 {
			r.values[kv[i].(string)] = kv[i+1].(int64)
		}
		out = append(out, r)
	}
	for line := range strings.Lines(stdout) {
		line = strings.TrimRight(line, "\r\n")
		if m := resultLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseInt(m[2], 10, 64)
			var ns float64
			if t := elapsed.FindStringSubmatch(m[3]); t != nil {
				ns, _ = strconv.ParseFloat(t[1], 64)
			}
			var perBytes, perAllocs int64
			if mem := memory.FindStringSubmatch(m[3]); mem != nil {
				perBytes, _ = strconv.ParseInt(mem[1], 10, 64)
				perAllocs, _ = strconv.ParseInt(mem[2], 10, 64)
			}
			add("run", m[1], "n", n, "wall", int64(ns*float64(n)), "bytes", perBytes*n, "allocs", perAllocs*n)
			out = append(out, metrics(m[1], m[3])...)
			add("end", m[1], "returned", int64(1))
			add("result", m[1])
			continue
		}
		head, rest, marked := strings.Cut(strings.TrimLeft(line, " "), ": ")
		switch {
		case !marked && strings.HasPrefix(line, "Benchmark") && !strings.ContainsAny(line, " \t"):
			add("start", line)
		case head == "--- FAIL" && strings.HasPrefix(rest, "Benchmark"):
			add("end", rest, "returned", int64(1), "failed", int64(1))
		case head == "--- SKIP" && strings.HasPrefix(rest, "Benchmark"):
			add("end", rest, "skipped", int64(1))
		}
	}
	return returned(out)
}

// RoundedAway reports whether a sample of a binary without hooks has
// allocations that its Allocs does not show: testing prints whole numbers per
// op, rounded down, so "64 B/op 0 allocs/op" is an op that allocates less than
// once on average, and has Allocs 0 and Bytes above 0. Of such a sample
// AllocsPerOp and BytesPerOp are too low by less than one each. Equal counts of
// two such samples do not say that nothing changed; BytesPerOp then says more.
func RoundedAway(s model.Sample) bool { return s.Allocs == 0 && s.Bytes > 0 }

// returned marks benchmarks as returned that began, ran sub-benchmarks, and
// were followed by others: testing prints nothing when a parent ends well.
func returned(records []record) []record {
	for i, r := range records {
		if r.word != "start" || i == len(records)-1 {
			continue
		}
		sub := false
		for _, later := range records[i+1:] {
			sub = sub || strings.HasPrefix(later.name, r.name+"/")
		}
		if sub {
			records = append(records, record{word: "end", name: r.name, values: map[string]int64{"returned": 1}})
		}
	}
	return records
}

// Solo runs a benchmark of a binary built without the overlay under the
// user's own conditions: the stock testing package, not pinned, and with procs
// as GOMAXPROCS, where 0 leaves it to the environment. It returns ns per
// iteration: wall time as testing prints it, and CPU time of the whole process
// divided by n, start-up and set-up included, so that n should be large.
func (s *Suite) Solo(ctx context.Context, stock *Binary, bm model.Benchmark, n int64, procs int) (wallNs, cpuNs float64, err error) {
	if !stock.Stock {
		return 0, 0, fmt.Errorf("a solo run needs a binary built without the overlay, and %s has it", stock.Path)
	}
	j := exactly(stock, bm, n)
	j.procs, j.timeout = procs, soloTimeout
	o, err := s.run(ctx, j)
	if err != nil {
		return 0, 0, err
	}
	m, err := j.figures(o, 0)
	if err != nil {
		return 0, 0, err
	}
	return m.wall / float64(n), m.rusage / float64(n), nil
}

// stripProcs takes the number of processors off a benchmark's name. A name
// may end in such a number by itself; only what follows the full name is cut.
func stripProcs(records []record, name string) {
	for i, r := range records {
		if rest, ok := strings.CutPrefix(r.name, name); ok && isProcs(rest) {
			records[i].name = name
		}
	}
}
