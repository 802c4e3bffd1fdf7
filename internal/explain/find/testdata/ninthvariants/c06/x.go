package c06

import "fmt"

// V1 closure
func Labels(hosts []string, port int) map[string]string {
	label := func(host string, shard int) string {
		return fmt.Sprintf("%s:%d/%d", host, port, shard)
	}
	out := make(map[string]string, len(hosts))
	for i, h := range hosts {
		out[h] = label(h, i)
	}
	return out
}
