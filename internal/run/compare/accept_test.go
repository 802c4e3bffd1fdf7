package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/accepted"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// A baseline file accepts a benchmark only when it accepts all that regressed.
func TestAccept(t *testing.T) {
	file, err := accepted.Parse(strings.NewReader("m BenchmarkX cpu/op +8%: checksums (#12)\nm BenchmarkY *  any: rewritten\n"), "b")
	if err != nil {
		t.Fatal(err)
	}
	s := &session{opt: Options{Baseline: file}, clock: clock{start: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}}
	tests := []struct {
		bm   string
		bad  []verdict.Regression
		want model.Standing
	}{
		{"BenchmarkX", []verdict.Regression{{Metric: "cpu/op", Change: 0.05}}, model.Accepted},
		{"BenchmarkX", []verdict.Regression{{Metric: "cpu/op", Change: 0.09}}, model.Regressed},
		{"BenchmarkX", []verdict.Regression{{Metric: "cpu/op", Change: 0.05}, {Metric: "allocs/op", Change: 1}}, model.Regressed},
		{"BenchmarkY", []verdict.Regression{{Metric: "cpu/op", Change: 2}, {Metric: "allocs/op", Change: 1}}, model.Accepted},
		{"BenchmarkZ", []verdict.Regression{{Metric: "cpu/op", Change: 0.05}}, model.Regressed},
	}
	for _, tt := range tests {
		c := model.Compared{Benchmark: model.Benchmark{Pkg: "m", Name: tt.bm}, Standing: model.Regressed}
		if s.accept(&c, tt.bad); c.Standing != tt.want || (c.Accepted == "") == (tt.want == model.Accepted) {
			t.Errorf("%s %v: %s (%s), want %s", tt.bm, tt.bad, c.Standing, c.Accepted, tt.want)
		}
	}
}
