// Package frontier weighs time against memory: of settings that were tried, it
// says which are not beaten in both, and which one to take.
//
// A setting is on the frontier when none that is proven, and not the present ones
// either, takes less time and less memory. Memory is a multiple of what is used at present. The present settings are a point
// as well, at no change and one.
//
// What is recommended is the point of the frontier with the least time that is
// proven, among those within the bound on memory. A gain that is not proven is none, and where
// two are equal the one with less memory is better.
package frontier

// A Point is what a setting does, beside the present ones.
type Point struct {
	// Change is the estimate of the change of time, and Hi the end of its interval
	// towards more time: −0.2 is a fifth less.
	Change, Hi float64
	Proven     bool    // it is proven to take less time, and nothing got worse
	Memory     float64 // as a multiple of the present; 0 where it is not known
}

// present is the point of the present settings.
var present = Point{Memory: 1}

// memory is what a point takes; where that is not known, as much as at present.
func (p Point) memory() float64 {
	if p.Memory <= 0 {
		return 1
	}
	return p.Memory
}

// sure reports whether a point takes less time for certain; an end of the interval
// that is not known is none.
func (p Point) sure() bool { return p.Proven && p.Hi < 0 }

// slack is how much memory is no difference: two runs of one program are as far
// apart.
const slack = 0.02

// beats reports whether p is better than q in one of time and memory, and not
// worse in the other.
func (p Point) beats(q Point) bool {
	less := p.memory() < q.memory()*(1-slack)
	more := p.memory() > q.memory()*(1+slack)
	return !more && p.Change < q.Change || less && p.Change <= q.Change
}

// On reports for each point whether it is on the frontier.
func On(points []Point) []bool {
	on := make([]bool, len(points))
	for i, p := range points {
		on[i] = !present.beats(p)
		for j, q := range points {
			if i != j && q.sure() && q.beats(p) && !(p.beats(q) && i < j) {
				on[i] = false
			}
		}
	}
	return on
}

// Best returns the point to take, within a bound on memory, or -1 for the present
// settings. The end of the interval counts, not the estimate: of two gains the
// one that is sure is worth more.
func Best(points []Point, most float64) int {
	best, least, on := -1, 0.0, On(points)
	for i, p := range points {
		if !on[i] || !p.sure() || p.memory() > most {
			continue
		}
		if p.Hi < least || p.Hi == least && p.memory() < points[best].memory() {
			best, least = i, p.Hi
		}
	}
	return best
}
