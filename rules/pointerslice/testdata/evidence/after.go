// Package evidence adds up points.
package evidence

type point struct{ X, Y int }

// Sum returns the sum of the first n points of a line.
func Sum(n int) (x, y int) {
	points := make([]point, 0, n)
	for i := range n {
		points = append(points, point{X: i, Y: -i})
	}
	for _, p := range points {
		x, y = x+p.X, y+p.Y
	}
	return x, y
}
