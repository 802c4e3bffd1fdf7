package loadtest

import (
	"regexp"
	"strings"
)

// wrk and wrk2 print their quantiles with --latency only; without it there are
// requests and no latencies. Requests are those that were answered.

var (
	wrkQuantile = regexp.MustCompile(`(?m)^\s*([\d.]+)%\s+([\d.]+\s?[a-zµμ]+)\s*$`)
	wrkRequests = regexp.MustCompile(`(?m)^\s*(\d+) requests in [\d.]+\s?[a-z]+,`)
	wrkSockets  = regexp.MustCompile(`(?m)^\s*Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)`)
	wrkStatuses = regexp.MustCompile(`(?m)^\s*Non-2xx or 3xx responses: (\d+)`)
)

func readWrk(text string) (Report, bool) {
	requests, ok := field(wrkRequests, text)
	if !ok {
		return Report{}, false
	}
	r := Report{Requests: requests, LatencyNs: make(map[string]float64)}
	head, _, _ := strings.Cut(text, "Detailed Percentile spectrum")
	if _, table, ok := strings.Cut(head, "Latency Distribution"); ok {
		for _, m := range wrkQuantile.FindAllStringSubmatch(table, -1) {
			if ns, ok := duration(m[2]); ok && quantile(m[1]) != "" {
				r.LatencyNs[quantile(m[1])] = ns
			}
		}
	}
	if m := wrkSockets.FindStringSubmatch(text); m != nil {
		for _, s := range m[1:] {
			n, _ := number(s)
			r.Errors += n
		}
	}
	statuses, _ := field(wrkStatuses, text)
	r.Errors += statuses
	return r, true
}
