// Package evidence names what a cache holds.
package evidence

import "strconv"

// A Key is what an entry of the cache is found by.
type Key struct {
	Table string
	Shard uint8
	Row   int64
	Score float64
}

// Text returns the key as a text.
func Text(k Key) string {
	buf := make([]byte, 0, 64)
	buf = append(buf, k.Table...)
	buf = append(buf, '/')
	if k.Shard < 16 {
		buf = append(buf, '0')
	}
	buf = strconv.AppendUint(buf, uint64(k.Shard), 16)
	buf = append(buf, '/')
	buf = strconv.AppendInt(buf, k.Row, 10)
	buf = append(buf, '@')
	buf = strconv.AppendFloat(buf, k.Score, 'f', 3, 64)
	return string(buf) // target
}
