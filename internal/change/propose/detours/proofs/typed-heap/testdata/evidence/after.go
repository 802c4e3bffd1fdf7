// Package evidence finds ways.
package evidence

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

// pushStops is heap.Push of a *stops.
func pushStops(h *stops, x any) {
	h.Push(x)
	upStops(h, h.Len()-1)
}

// popStops is heap.Pop of a *stops.
func popStops(h *stops) stop {
	n := h.Len() - 1
	h.Swap(0, n)
	downStops(h, 0, n)
	return h.Pop().(stop)
}

// upStops moves an element of a *stops up to its place, as package heap does.
func upStops(h *stops, j int) {
	for {
		i := (j - 1) / 2
		if i == j || !h.Less(j, i) {
			break
		}
		h.Swap(i, j)
		j = i
	}
}

// downStops moves an element of a *stops down to its place, as package heap does, and reports whether it was moved.
func downStops(h *stops, i0, n int) bool {
	i := i0
	for {
		j1 := 2*i + 1
		if j1 >= n || j1 < 0 {
			break
		}
		j := j1
		if j2 := j1 + 1; j2 < n && h.Less(j2, j1) {
			j = j2
		}
		if !h.Less(j, i) {
			break
		}
		h.Swap(i, j)
		i = j
	}
	return i > i0
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
	pushStops(&reached, stop{})
	for len(reached) > 0 {
		next := popStops(&reached)
		if costs[next.at] >= 0 {
			continue
		}
		costs[next.at] = next.cost
		for _, e := range edges[next.at] {
			if costs[e.To] < 0 {
				pushStops(&reached, stop{e.To, next.cost + e.Cost}) // target
			}
		}
	}
	return costs
}
