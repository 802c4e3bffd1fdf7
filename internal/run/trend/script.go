package trend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A script is what github-action-benchmark keeps: a list of runs for each suite.
type script struct {
	Entries map[string][]entry `json:"entries"`
}

type entry struct {
	Commit struct {
		ID        string `json:"id"`
		Timestamp string `json:"timestamp"`
	} `json:"commit"`
	Date    int64   `json:"date"` // of the run, in milliseconds
	Tool    string  `json:"tool"`
	Benches []bench `json:"benches"`
}

type bench struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// cutScript returns the JSON of a data.js, or of a file that holds it alone.
func cutScript(data []byte) ([]byte, bool) {
	text := bytes.TrimSpace(data)
	if rest, ok := bytes.CutPrefix(text, []byte("window.BENCHMARK_DATA")); ok {
		return bytes.TrimRight(bytes.TrimLeft(rest, " ="), "; \n"), true
	}
	return text, bytes.HasPrefix(text, []byte("{")) && bytes.Contains(text, []byte(`"entries"`))
}

func (c *Collection) script(name string, data []byte) error {
	var s script
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	for suite, entries := range s.Entries {
		for _, e := range entries {
			point := model.TrendPoint{Time: when(e.Commit.Timestamp), Of: words.Commit(e.Commit.ID)}
			if point.Time.IsZero() && e.Date > 0 {
				point.Time = time.UnixMilli(e.Date).UTC()
			}
			for _, b := range e.single() {
				// A metric that is not the first of its benchmark has its unit in its name.
				bm := model.Benchmark{Pkg: suite, Name: strings.TrimSuffix(b.Name, " - "+b.Unit)}
				metric, scale := e.metric(b.Unit)
				point.Value = b.Value * scale
				c.add(key{benchmark: bm, metric: metric}, e.better(metric), point)
			}
		}
	}
	return nil
}

// single returns the benches with one metric each. A Go benchmark that reports several has all of them in the unit, behind
// the value of the first: "ns/op\t  7600 B/op\t  66 allocs/op". Versions of the tool differ in whether it has each once more,
// with its unit in its name; what is there twice is left out.
func (e entry) single() []bench {
	var all []bench
	there := make(map[string]bool)
	for _, b := range e.Benches {
		there[b.Name] = true
	}
	for _, b := range e.Benches {
		for i, metric := range strings.Split(b.Unit, "\t") {
			one := bench{Name: b.Name, Value: b.Value, Unit: metric}
			if i > 0 {
				if n, err := fmt.Sscan(metric, &one.Value, &one.Unit); n != 2 || err != nil {
					continue
				}
			}
			if metric == b.Unit || !there[b.Name+" - "+one.Unit] {
				all = append(all, one)
			}
		}
	}
	return all
}

// metric returns what pawl calls a unit of the tool, and how many of pawl's it is.
func (e entry) metric(unit string) (string, float64) {
	switch {
	case e.Tool == "go" && unit == "ns/op":
		return wall, 1
	case e.Tool == "go" && unit == "MB/s":
		return speed, 1e6
	}
	return unit, 1
}

func (e entry) better(metric string) int {
	switch {
	case e.Tool == "customBiggerIsBetter" || metric == speed:
		return 1
	case e.Tool == "customSmallerIsBetter" || metric == wall || metric == allocs || metric == bytesPerOp:
		return -1
	}
	return 0
}
