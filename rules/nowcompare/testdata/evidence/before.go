// Package evidence counts what has not run out.
package evidence

import "time"

// Live returns how many of some times lie ahead.
func Live(expires []time.Time) (n int) {
	for _, t := range expires {
		if !time.Now().After(t) {
			n++
		}
	}
	return n
}
