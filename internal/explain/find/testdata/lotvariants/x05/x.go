package x

import (
	"time"
)

// V1 other names
type lease struct {
	until  time.Time
	holder string
}

func live(ls []lease) int {
	alive := 0
	for _, l := range ls {
		if time.Now().Before(l.until) {
			alive++
		}
	}
	return alive
}
