package loadtest

import (
	"encoding/json"
	"regexp"
	"strings"
)

// vegeta report prints a line that names its columns and then has their values;
// with -type=json the latencies are nanoseconds. It counts what got a status
// outside 200 to 399 as failed, and what got none as status 0.

var (
	vegetaRequests = regexp.MustCompile(`(?m)^Requests\s+\[total[^\]]*\]\s+(\d+)`)
	vegetaLatency  = regexp.MustCompile(`(?m)^Latencies\s+\[([^\]]*)\]\s+(.*)$`)
	vegetaStatus   = regexp.MustCompile(`(?m)^Status Codes\s+\[code:count\]\s+(.*)$`)
)

func readVegeta(text string) (Report, bool) {
	requests, ok := field(vegetaRequests, text)
	if !ok {
		return Report{}, false
	}
	r := Report{Requests: requests, LatencyNs: make(map[string]float64)}
	if m := vegetaLatency.FindStringSubmatch(text); m != nil {
		names, values := strings.Split(m[1], ","), strings.Split(m[2], ",")
		for i, name := range names {
			q := quantile(strings.TrimSpace(name))
			if q == "" || i >= len(values) {
				continue
			}
			if ns, ok := duration(values[i]); ok {
				r.LatencyNs[q] = ns
			}
		}
	}
	if m := vegetaStatus.FindStringSubmatch(text); m != nil {
		for _, pair := range strings.Fields(m[1]) {
			code, count, _ := strings.Cut(pair, ":")
			n, _ := number(count)
			r.Errors += vegetaFailed(code, n)
		}
	}
	return r, true
}

func readVegetaJSON(text string) (Report, bool) {
	object, ok := jsonObject(text)
	if !ok {
		return Report{}, false
	}
	var v struct {
		Requests  *float64           `json:"requests"`
		Latencies map[string]float64 `json:"latencies"`
		Statuses  map[string]float64 `json:"status_codes"`
	}
	if err := json.NewDecoder(strings.NewReader(object)).Decode(&v); err != nil || v.Requests == nil || v.Latencies == nil {
		return Report{}, false
	}
	r := Report{Requests: *v.Requests, LatencyNs: make(map[string]float64)}
	for name, ns := range v.Latencies {
		if q := quantile(name); q != "" {
			r.LatencyNs[q] = ns
		}
	}
	for code, n := range v.Statuses {
		r.Errors += vegetaFailed(code, n)
	}
	return r, true
}

func vegetaFailed(code string, n float64) float64 {
	if len(code) == 3 && code >= "200" && code < "400" {
		return 0
	}
	return n
}
