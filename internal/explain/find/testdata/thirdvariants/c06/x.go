package c06

import "fmt"

// V3 closure
func labeler(prefix string) func(string, int) string {
	return func(zone string, shard int) string {
		return fmt.Sprintf("%s/%s-%d", prefix, zone, shard)
	}
}

// V4 generic
type pair[V any] struct {
	name  string
	count int
	val   V
}

func (p pair[V]) key() string { return fmt.Sprintf("%s#%d", p.name, p.count) }
