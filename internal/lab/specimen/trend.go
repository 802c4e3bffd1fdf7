package specimen

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// Trend is figures over time of all kinds: worse, better, of unknown direction,
// steady, without times, and with names that would be elements.
func Trend() *model.Trend {
	day := time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)
	series := func(name, metric string, better int, levels ...float64) model.TrendSeries {
		s := model.TrendSeries{Benchmark: model.Benchmark{Pkg: "example.com/wire", Name: name}, Metric: metric, Machine: "linux/amd64, AMD EPYC 9B14 (2 CPUs)", Better: better}
		for i, level := range levels {
			if i > 0 {
				s.Shifts = append(s.Shifts, model.TrendShift{At: len(s.Points), Before: levels[i-1], After: level, P: 0.001})
			}
			for j := range 12 {
				n := len(s.Points)
				s.Points = append(s.Points, model.TrendPoint{Time: day.AddDate(0, 0, n), Of: fmt.Sprintf("%012x", 7*n), Value: level * (1 + 0.01*float64(j%3))})
			}
		}
		return s
	}
	untimed := series("BenchmarkSend", "hits/op", 0, 0, 0.9)
	for i := range untimed.Points {
		untimed.Points[i].Time = time.Time{}
	}
	long := "Benchmark" + strings.Repeat("averylongnamewithoutaplacetobreak", 5) + `<script>alert(1)</script>" onload="x`
	return &model.Trend{
		Schema: model.SchemaVersion, Tool: "pawl", Of: []string{"example.com/wire"}, Rate: 0.01,
		Series: []model.TrendSeries{
			series("BenchmarkSend", "cpu/op", -1, 25000, 27100), series("BenchmarkSend", "allocs/op", -1, 5, 6, 4), series("BenchmarkSend", "B/s", 1, 4e8, 3e8),
			untimed, series(long, "wall/op", -1, 812), series("BenchmarkIdle", "B/op", -1, 0),
		},
	}
}
