package loadtest

import (
	"encoding/json"
	"strings"
)

// The plain forms are for scripts of one's own. Lines of a name and a value,
// anywhere in the output; only the first is needed:
//
//	requests 1234
//	errors 0
//	p50 1.2ms
//	p99.9 9ms
//
// A colon or an equals sign after the name is fine. The last line of a name
// counts. Or one JSON object, in which a latency without a unit is nanoseconds:
//
//	{"requests": 1234, "errors": 0, "latency": {"p50": "1.2ms", "p99": 9000000}}

func readPlain(text string) (Report, bool) {
	r := Report{LatencyNs: make(map[string]float64)}
	found := false
	for line := range strings.Lines(text) {
		name, value := plainPair(line)
		switch {
		case name == "requests":
			if n, ok := number(value); ok {
				r.Requests, found = n, true
			}
		case name == "errors":
			if n, ok := number(value); ok {
				r.Errors = n
			}
		case strings.HasPrefix(name, "p"):
			if ns, ok := duration(value); ok && quantile(name[1:]) != "" {
				r.LatencyNs[quantile(name[1:])] = ns
			}
		}
	}
	return r, found
}

// plainPair returns the two words of a line, or nothing for a line that has
// more or fewer.
func plainPair(line string) (name, value string) {
	line = strings.ToLower(strings.TrimSpace(line))
	at := strings.IndexAny(line, ":= \t")
	if at < 0 {
		return "", ""
	}
	words := strings.Fields(strings.TrimLeft(line[at:], ":= \t"))
	if len(words) == 2 { // "1.2 ms"
		if _, ok := units[words[1]]; ok {
			words = []string{words[0] + words[1]}
		}
	}
	if len(words) != 1 {
		return "", ""
	}
	return line[:at], words[0]
}

func readPlainJSON(text string) (Report, bool) {
	object, ok := jsonObject(text)
	if !ok {
		return Report{}, false
	}
	var v struct {
		Requests *float64       `json:"requests"`
		Errors   float64        `json:"errors"`
		Latency  map[string]any `json:"latency"`
	}
	if err := json.NewDecoder(strings.NewReader(object)).Decode(&v); err != nil || v.Requests == nil {
		return Report{}, false
	}
	r := Report{Requests: *v.Requests, Errors: v.Errors, LatencyNs: make(map[string]float64)}
	for name, value := range v.Latency {
		q := quantile(strings.TrimPrefix(name, "p"))
		if q == "" {
			continue
		}
		switch x := value.(type) {
		case float64:
			r.LatencyNs[q] = x
		case string:
			if ns, ok := duration(x); ok {
				r.LatencyNs[q] = ns
			}
		}
	}
	return r, true
}
