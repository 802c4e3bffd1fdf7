package a

func halves(all []float64) []float64 {
	var out []float64
	for i := 0; i < len(all); i++ {
		out = append(out, all[i]/2) // want `append grows out step by step although the loop adds len\(all\) elements`
	}
	return out
}

// What follows is left alone.

func steps(all []float64) []float64 {
	var out []float64
	for i := 0; i < len(all); i += 2 {
		out = append(out, all[i])
	}
	return out
}

type halver struct{ out []float64 }

func (h *halver) halve(all []float64) {
	h.out = nil
	for _, x := range all {
		h.out = append(h.out, x/2)
	}
}
