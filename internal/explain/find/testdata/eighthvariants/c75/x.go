package c75

import "strings"

// V1 closure
func Tenants(hosts []string) map[string]int {
	tenant := func(host string) string {
		labels := strings.Split(host, ".")
		return labels[0]
	}
	seen := make(map[string]int, len(hosts))
	for _, h := range hosts {
		seen[tenant(h)]++
	}
	return seen
}
