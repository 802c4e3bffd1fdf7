package c38

// V2 method

type tile struct {
	heights [32][32]float32
	x, y    int
}

func (t tile) peak() float32 {
	top := t.heights[0][0]
	for i := range t.heights {
		for j := range t.heights[i] {
			top = max(top, t.heights[i][j])
		}
	}
	return top
}

func highest(tiles []tile) float32 {
	var top float32
	for i := range tiles {
		top = max(top, tiles[i].peak())
	}
	return top
}
