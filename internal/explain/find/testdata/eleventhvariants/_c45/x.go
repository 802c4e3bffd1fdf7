package c45

/*
static double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }
*/
import "C"

// V1 renamed

type sample struct{ x, weight float64 }

func smooth(samples []sample) []float64 {
	curve := make([]float64, 0, len(samples))
	for _, s := range samples {
		curve = append(curve, s.weight*float64(C.fade(C.double(s.x))))
	}
	return curve
}
