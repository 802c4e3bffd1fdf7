package equal

import (
	"math/rand"
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// Players that the order does not tell apart have other seats: they have to end up in
// the same places, in slices of lengths that each part of the algorithm sees.
func TestRank(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for round := range 2000 {
		n := random.Intn(20 + round)
		was, is := make([]before.Player, n), make([]after.Player, n)
		for i := range n {
			points := random.Intn(1 + n/(1+round%7))
			switch round % 5 {
			case 0:
				points = i / 3
			case 1:
				points = n - i
			}
			was[i] = before.Player{Name: string(rune('a' + random.Intn(3))), Points: points, Seat: i}
			is[i] = after.Player(was[i])
		}
		before.Rank(was)
		after.Rank(is)
		if !slices.EqualFunc(was, is, func(a before.Player, b after.Player) bool { return after.Player(a) == b }) {
			t.Fatalf("%d players are ranked in another order", n)
		}
	}
}
