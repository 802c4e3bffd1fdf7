package loadtest

import (
	"encoding/json"
	"regexp"
	"strings"
)

// oha (github.com/hatoo/oha) prints what hey prints, with a success rate, with
// quantiles to two decimals, and in a unit that fits the slowest request
// ("0.2311 ms"). Its JSON has the latencies in seconds.

var ohaUnit = regexp.MustCompile(`(?m)^\s+Slowest:\s+[\d.]+ ?(\S+)`)

func readOha(text string) (Report, bool) {
	if !strings.Contains(text, "Success rate:") || !heyRate.MatchString(text) {
		return Report{}, false
	}
	r := Report{LatencyNs: heyLatencies(text)}
	r.Requests, r.Errors = heyCounts(text)
	if m := ohaUnit.FindStringSubmatch(text); m != nil {
		r.StepNs, _ = duration("0.0001" + m[1])
	}
	return r, true
}

func readOhaJSON(text string) (Report, bool) {
	object, ok := jsonObject(text)
	if !ok {
		return Report{}, false
	}
	var v struct {
		Summary  map[string]any      `json:"summary"`
		Latency  map[string]*float64 `json:"latencyPercentiles"`
		Statuses map[string]float64  `json:"statusCodeDistribution"`
		Errors   map[string]float64  `json:"errorDistribution"`
	}
	if err := json.NewDecoder(strings.NewReader(object)).Decode(&v); err != nil || v.Summary == nil || v.Statuses == nil {
		return Report{}, false
	}
	r := Report{LatencyNs: make(map[string]float64)}
	for name, seconds := range v.Latency {
		if q := quantile(strings.TrimPrefix(name, "p")); q != "" && seconds != nil {
			r.LatencyNs[q] = *seconds * 1e9
		}
	}
	for status, n := range v.Statuses {
		r.Requests += n
		if status >= "400" {
			r.Errors += n
		}
	}
	for what, n := range v.Errors {
		if !strings.Contains(what, "aborted due to deadline") {
			r.Requests += n
			r.Errors += n
		}
	}
	return r, true
}
