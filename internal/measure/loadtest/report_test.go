package loadtest

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// latencies makes the map of a Report from milliseconds.
func latencies(ms map[string]float64) map[string]float64 {
	for q := range ms {
		ms[q] *= 1e6
	}
	return ms
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file string
		want Report
	}{
		{"hey.txt", Report{Form: "hey", Requests: 7934, Errors: 11, StepNs: 1e5,
			LatencyNs: latencies(map[string]float64{"p10": 1.1, "p25": 1.7, "p50": 2.3, "p75": 3.1, "p90": 4.2, "p95": 5.1, "p99": 8.3})}},
		{"hey_small.txt", Report{Form: "hey", Requests: 20, StepNs: 1e5, LatencyNs: latencies(map[string]float64{"p50": .2, "p95": .6})}},
		{"oha.txt", Report{Form: "oha", Requests: 11757, Errors: 7, StepNs: 100,
			LatencyNs: latencies(map[string]float64{"p10": .3012, "p25": .5104, "p50": .7040, "p75": 1.1203, "p90": 1.6120, "p95": 2.1007, "p99": 4.3110, "p99.9": 8.0021, "p99.99": 10.7031})}},
		{"oha.json", Report{Form: "oha JSON", Requests: 11757, Errors: 7,
			LatencyNs: latencies(map[string]float64{"p10": .3012, "p25": .51, "p50": .704, "p75": 1.12, "p90": 1.612, "p95": 2.1, "p99": 4.311, "p99.9": 8})}},
		{"wrk.txt", Report{Form: "wrk", Requests: 22464657, Errors: 31,
			LatencyNs: latencies(map[string]float64{"p50": .25, "p75": .491, "p90": .7, "p99": 5.8})}},
		{"wrk_plain.txt", Report{Form: "wrk", Requests: 6000, LatencyNs: map[string]float64{}}},
		{"wrk2.txt", Report{Form: "wrk", Requests: 60018,
			LatencyNs: latencies(map[string]float64{"p50": 6.67, "p75": 7.78, "p90": 9.14, "p99": 11.22, "p99.9": 12.01, "p99.99": 12.34, "p99.999": 12.34})}},
		{"vegeta.txt", Report{Form: "vegeta", Requests: 1200, Errors: 535,
			LatencyNs: latencies(map[string]float64{"p50": 108.272568, "p90": 140.18235, "p95": 247.771566, "p99": 1264.815246})}},
		{"vegeta.json", Report{Form: "vegeta JSON", Requests: 100, Errors: 2,
			LatencyNs: latencies(map[string]float64{"p50": 2.854306, "p90": 3.228223, "p95": 3.478629, "p99": 3.53})}},
		{"ab.txt", Report{Form: "ab", Requests: 1000, Errors: 9, StepNs: 1e6,
			LatencyNs: latencies(map[string]float64{"p50": 2, "p66": 3, "p75": 3, "p80": 3, "p90": 4, "p95": 4, "p98": 5, "p99": 6})}},
		{"k6_old.txt", Report{Form: "k6", Requests: 1000, Errors: 4, LatencyNs: latencies(map[string]float64{"p50": 118.61, "p90": 127.1, "p95": 132.4})}},
		{"k6.txt", Report{Form: "k6", Requests: 12000, Errors: 120, LatencyNs: latencies(map[string]float64{"p50": .1043, "p90": .1271, "p95": .1419, "p99": 62500})}},
		{"plain.txt", Report{Form: "plain lines", Requests: 1234, Errors: 2, LatencyNs: latencies(map[string]float64{"p50": 1.2, "p95": 4, "p99.9": 9})}},
		{"plain.json", Report{Form: "plain JSON", Requests: 1234, Errors: 2, LatencyNs: latencies(map[string]float64{"p50": 1.2, "p99": 9})}},
	}
	close := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) })
	for _, tt := range tests {
		data, err := os.ReadFile(filepath.Join("testdata", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		for ending, text := range map[string]string{"": string(data), "CRLF": strings.ReplaceAll(string(data), "\n", "\r\n"), "colour": "\x1b[1;32m" + string(data) + "\x1b[0m"} {
			got, err := parse([]byte(text))
			if err != nil {
				t.Errorf("%s %s: %v", tt.file, ending, err)
			}
			if diff := cmp.Diff(tt.want, got, close); diff != "" {
				t.Errorf("%s %s: -want +got:\n%s", tt.file, ending, diff)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, out, want string }{
		{"nothing", " \n", "printed nothing"},
		{"unknown", "Hello\nworld\n", "\tHello\n\tworld"},
		{"unknown says what to print", "Hello", `"p50 1.2ms"`},
		{"other JSON", `{"ok": true}`, "no known form"},
		{"half of a JSON object", `{"requests": 12, "lat`, "no known form"},
		{"none were made", "requests 0\nerrors 0", "made no requests"},
		{"a negative count", `{"requests": 10, "errors": -1}`, "-1 errors"},
		{"hey that reached nobody", "Summary:\n  Total:\t0.0006 secs\n  Requests/sec:\t31606.9112\n", "made no requests"},
		{"a huge line", strings.Repeat("x", 1e6), "…"},
	}
	for _, tt := range tests {
		_, err := parse([]byte(tt.out))
		if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 3000 {
			t.Errorf("%s: got error %.3000v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	tests := map[string]float64{
		"1ns": 1, "1.5us": 1500, "1.5µs": 1500, "1.5μs": 1500, "2ms": 2e6, "1.25s": 1.25e9, "0.0035 secs": 3.5e6,
		"0.2 sec": 2e8, "1.00m": 60e9, "1h": 3600e9, "1m2.5s": 62.5e9, "0.25ns": 0.25, "0s": 0,
	}
	for s, want := range tests {
		if got, ok := duration(s); !ok || math.Abs(got-want) > 1e-6*want {
			t.Errorf("%q: got %v, %v; want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "ms", "12", "-1ms", "1 parsec", "1e400s", "NaNs", "."} {
		if got, ok := duration(s); ok {
			t.Errorf("%q is %v", s, got)
		}
	}
}

// Whatever a load command prints, what is read from it is fit to be judged, or
// an error.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds: ", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("requests 1e300\nerrors 1e300\np50 1e300h"))
	f.Fuzz(func(t *testing.T, out []byte) {
		r, err := parse(out)
		if err != nil {
			return
		}
		if r.Form == "" || !positive(r.Requests) || !(r.Errors >= 0) || math.IsInf(r.Errors, 0) || !(r.StepNs >= 0) {
			t.Errorf("counts of no use: %+v", r)
		}
		for q, ns := range r.LatencyNs {
			if !positive(ns) || quantile(strings.TrimPrefix(q, "p")) != q {
				t.Errorf("latency of no use: %q %v", q, ns)
			}
		}
	})
}
