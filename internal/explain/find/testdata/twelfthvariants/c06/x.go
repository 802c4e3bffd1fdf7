package c06

import "fmt"

// V3 closure
func metricNamer(service string) func(route string, status int) string {
	return func(route string, status int) string {
		return fmt.Sprintf("%s_%s_%d", service, route, status)
	}
}

func counts(service string, seen map[string][]int) map[string]int {
	name, out := metricNamer(service), map[string]int{}
	for route, statuses := range seen {
		for _, status := range statuses {
			out[name(route, status)]++
		}
	}
	return out
}
