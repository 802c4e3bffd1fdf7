// Package evidence names what a cache holds.
package evidence

import "fmt"

// A Key is what an entry of the cache is found by.
type Key struct {
	Table string
	Shard uint8
	Row   int64
	Score float64
}

// Text returns the key as a text.
func Text(k Key) string {
	return fmt.Sprintf("%s/%02x/%d@%.3f", k.Table, k.Shard, k.Row, k.Score) // target
}
