package loadtest

import (
	"math"
	"regexp"
	"strings"
)

// hey (github.com/rakyll/hey) prints a summary, the latencies with four
// decimals of a second, and how often each status came. Some versions print
// "50%% in", and a line "0%% in 0.0000 secs" for a quantile that too few
// requests leave without a value.

var (
	heyQuantile = regexp.MustCompile(`(?m)^\s+([\d.]+)%{1,2} in ([\d.]+ ?\S+)\s*$`)
	heyRate     = regexp.MustCompile(`(?m)^\s+Requests/sec:\s+([\d.]+)`)
	heyTotal    = regexp.MustCompile(`(?m)^\s+Total:\s+([\d.]+ ?\S+)`)
	heyStatus   = regexp.MustCompile(`(?m)^\s+\[(\d{3})\]\s+(\d+) responses`)
	heyError    = regexp.MustCompile(`(?m)^\s+\[(\d+)\]\s+(.*)$`)
)

func readHey(text string) (Report, bool) {
	if !strings.Contains(text, "Summary:") || !heyRate.MatchString(text) {
		return Report{}, false
	}
	r := Report{LatencyNs: heyLatencies(text), StepNs: 1e5}
	r.Requests, r.Errors = heyCounts(text)
	// It counts the statuses of the first million only; the rate knows all.
	rate, _ := field(heyRate, text)
	if m := heyTotal.FindStringSubmatch(text); m != nil {
		if ns, ok := duration(m[1]); ok && r.Requests >= 1e6 {
			r.Requests = max(r.Requests, math.Round(rate*ns/1e9))
		}
	}
	return r, true
}

func heyLatencies(text string) map[string]float64 {
	latencies := make(map[string]float64)
	for _, m := range heyQuantile.FindAllStringSubmatch(text, -1) {
		if ns, ok := duration(m[2]); ok && quantile(m[1]) != "" {
			latencies[quantile(m[1])] = ns
		}
	}
	return latencies
}

// heyCounts returns how many requests the distributions of statuses and of
// errors count, and how many of them failed. Requests that were under way when
// the time was up (oha says "aborted due to deadline") are neither.
func heyCounts(text string) (requests, failed float64) {
	body, failures, _ := strings.Cut(text, "Error distribution:")
	for _, m := range heyStatus.FindAllStringSubmatch(body, -1) {
		n, _ := number(m[2])
		requests += n
		if m[1] >= "400" {
			failed += n
		}
	}
	for _, m := range heyError.FindAllStringSubmatch(failures, -1) {
		if strings.Contains(m[2], "aborted due to deadline") {
			continue
		}
		n, _ := number(m[1])
		requests += n
		failed += n
	}
	return requests, failed
}
