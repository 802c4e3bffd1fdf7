package loadtest

import (
	"regexp"
	"strings"
)

// k6 prints a summary of metrics. Its median is called "med", and it shows the
// quantiles that --summary-trend-stats asks for, by default p(90) and p(95).
// The second line of durations, of expected responses only, is not read.

var (
	k6Requests = regexp.MustCompile(`(?m)^\s*http_reqs\.*:\s+(\d+)\s`)
	k6Duration = regexp.MustCompile(`(?m)^\s*http_req_duration\.*:\s+(.*)$`)
	k6Failed   = regexp.MustCompile(`(?m)^\s*http_req_failed\.*:\s+([\d.]+)%(?:\s+(\d+) out of|\s+[✓✔]\s*(\d+))?`)
	k6Stat     = regexp.MustCompile(`(med|p\(([\d.]+)\))\s*=\s*(\S+)`)
)

func readK6(text string) (Report, bool) {
	requests, ok := field(k6Requests, text)
	if !ok {
		return Report{}, false
	}
	r := Report{Requests: requests, LatencyNs: make(map[string]float64)}
	if m := k6Duration.FindStringSubmatch(text); m != nil {
		for _, stat := range k6Stat.FindAllStringSubmatch(m[1], -1) {
			q := "p50"
			if stat[1] != "med" {
				q = quantile(stat[2])
			}
			if ns, ok := duration(strings.TrimSuffix(stat[3], ",")); ok && q != "" {
				r.LatencyNs[q] = ns
			}
		}
	}
	if m := k6Failed.FindStringSubmatch(text); m != nil {
		switch count := m[2] + m[3]; count {
		case "":
			share, _ := number(m[1])
			r.Errors = share / 100 * r.Requests
		default:
			r.Errors, _ = number(count)
		}
	}
	return r, true
}
