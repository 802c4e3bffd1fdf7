// Package evidence ranks players.
package evidence

import (
	"cmp"
	"slices"
	"strings"
)

// A Player has points, and a name that tells players with as many apart.
type Player struct {
	Name   string
	Points int
	Seat   int
}

// Rank sorts players by their points, the best first, and then by their names.
func Rank(all []Player) {
	slices.SortFunc(all, func(a, b Player) int { // target
		if c := cmp.Compare(b.Points, a.Points); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
}
