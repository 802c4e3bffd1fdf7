package attempt

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestUnjudged(t *testing.T) {
	judge := model.Benchmark{Pkg: "m", Name: "BenchmarkF"}
	seen := func(calls, inputs int) model.Driven {
		return model.Driven{Func: "m.F", Pairs: 9, Judged: []model.Judged{{Benchmark: judge.Name, Calls: calls, Inputs: inputs, Why: "holds an open file"}}}
	}
	for _, tt := range []struct {
		name   string
		judges []model.Benchmark
		driven []model.Driven
		want   string // a part; "" where the change may be kept
	}{
		{"some of its inputs", []model.Benchmark{judge}, []model.Driven{seen(100, 1)}, ""},
		{"none of them", []model.Benchmark{judge}, []model.Driven{seen(100, 0)}, "none of the 100 calls of m.F that BenchmarkF makes: holds an open file"},
		{"none of one function's", []model.Benchmark{judge}, []model.Driven{seen(3, 3), seen(7, 0)}, "none of the 7 calls"},
		{"it calls nothing that was driven", []model.Benchmark{judge}, []model.Driven{{Func: "m.F", Pairs: 9}}, "BenchmarkF was not seen to call"},
		{"nobody can tell", nil, []model.Driven{{Func: "m.F", Pairs: 9}}, ""},
	} {
		if got := unjudged(tt.driven, tt.judges); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q", tt.name, got)
		}
	}
}
