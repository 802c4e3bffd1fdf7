package x

// V1 other names
type voxel struct {
	grid  [48]float64
	label string
}

func weight(vs []voxel) float64 {
	var total float64
	for _, vx := range vs {
		total += vx.grid[0]
	}
	return total
}
