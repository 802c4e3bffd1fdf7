package a

import "math/big"

func sums(amounts []string) bool {
	total := new(big.Rat)
	for _, a := range amounts {
		var part big.Rat // want `a fresh big.Rat in each iteration`
		if _, ok := part.SetString(a); !ok {
			return false
		}
		total.Add(total, &part)
	}
	return total.Sign() == 0
}

func positive(text string) bool {
	r := new(big.Rat) // want `a fresh big.Rat for each text that is read`
	_, ok := r.SetString(text)
	return ok && r.Sign() > 0
}

// What follows is left alone.

func collected(texts []string) (all []*big.Rat) {
	for _, t := range texts {
		r := new(big.Rat)
		if _, ok := r.SetString(t); ok {
			all = append(all, r)
		}
	}
	return all
}

func difference(a, b string) string {
	var x, y big.Int
	x.SetString(a, 10)
	var z big.Int
	z.SetString(b, 10)
	return y.Sub(&x, &z).String()
}
