// Package evidence ranks players.
package evidence

import "sort"

// A Player has points, and a name that tells players with as many apart.
type Player struct {
	Name   string
	Points int
	Seat   int
}

// Rank sorts players by their points, the best first, and then by their names.
func Rank(all []Player) {
	sort.Slice(all, func(i, j int) bool { // target
		if all[i].Points != all[j].Points {
			return all[i].Points > all[j].Points
		}
		return all[i].Name < all[j].Name
	})
}
