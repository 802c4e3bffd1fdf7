package loadtest

import (
	"regexp"
	"strings"
)

// ab, of the Apache HTTP server, prints latencies in whole milliseconds. It
// counts an answer whose length differs from that of the first as failed, which
// is no error of a program whose answers vary.

var (
	abRequests = regexp.MustCompile(`(?m)^Complete requests:\s+(\d+)`)
	abFailed   = regexp.MustCompile(`(?m)^Failed requests:\s+(\d+)`)
	abLength   = regexp.MustCompile(`(?m)^\s*\(Connect: \d+, Receive: \d+, Length: (\d+)`)
	abWrite    = regexp.MustCompile(`(?m)^Write errors:\s+(\d+)`)
	abStatuses = regexp.MustCompile(`(?m)^Non-2xx responses:\s+(\d+)`)
	abQuantile = regexp.MustCompile(`(?m)^\s+(\d+)%\s+(\d+)`)
)

func readAB(text string) (Report, bool) {
	requests, ok := field(abRequests, text)
	if !ok {
		return Report{}, false
	}
	r := Report{Requests: requests, LatencyNs: make(map[string]float64), StepNs: 1e6}
	failed, _ := field(abFailed, text)
	length, _ := field(abLength, text)
	writes, _ := field(abWrite, text)
	statuses, _ := field(abStatuses, text)
	r.Errors = max(0, failed-length) + writes + statuses
	if _, table, ok := strings.Cut(text, "Percentage of the requests served"); ok {
		for _, m := range abQuantile.FindAllStringSubmatch(table, -1) {
			if ns, ok := duration(m[2] + "ms"); ok && quantile(m[1]) != "" {
				r.LatencyNs[quantile(m[1])] = ns
			}
		}
	}
	return r, true
}
