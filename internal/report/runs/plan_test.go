package runs

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// What is not known, since the time was too short, is not said to be 100 %.
func TestSeesNothing(t *testing.T) {
	blind := model.Noise{Benchmark: model.Benchmark{Name: "BenchmarkA"}, Sees: 1}
	r := &model.Run{Noise: []model.Noise{blind}}
	if got := sees(r); got != "" {
		t.Errorf("a blind warm-up says %q", got)
	}
	r.Noise = append(r.Noise, model.Noise{Benchmark: model.Benchmark{Name: "BenchmarkB"}, Sees: 0.03})
	if got := sees(r); got != "3.0 % or more" {
		t.Errorf("beside a blind one, %q", got)
	}
}
