// Package evidence finds ways.
package evidence

import "container/heap"

// A stop is a place that can be reached, and what it takes to get there.
type stop struct{ at, cost int }

// stops has the nearest first.
type stops []stop

func (s stops) Len() int           { return len(s) }
func (s stops) Less(i, j int) bool { return s[i].cost < s[j].cost }
func (s stops) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push adds a stop.
func (s *stops) Push(x any) { *s = append(*s, x.(stop)) }

// Pop takes the last stop.
func (s *stops) Pop() any {
	old := *s
	last := old[len(old)-1]
	*s = old[:len(old)-1]
	return last
}

// An Edge leads to a place.
type Edge struct{ To, Cost int }

// Nearest returns what it takes to get to each place from the first; -1 where no way leads.
func Nearest(edges [][]Edge) []int {
	costs := make([]int, len(edges))
	for i := range costs {
		costs[i] = -1
	}
	reached := make(stops, 0, 2*len(edges))
	heap.Push(&reached, stop{})
	for len(reached) > 0 {
		next := heap.Pop(&reached).(stop)
		if costs[next.at] >= 0 {
			continue
		}
		costs[next.at] = next.cost
		for _, e := range edges[next.at] {
			if costs[e.To] < 0 {
				heap.Push(&reached, stop{e.To, next.cost + e.Cost}) // target
			}
		}
	}
	return costs
}
