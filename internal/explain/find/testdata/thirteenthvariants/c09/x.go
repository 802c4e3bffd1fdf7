package c09

// V1 closure

type sample struct {
	at    int64
	value float64
}

func windowMeans(series []sample, width int) []float64 {
	mean := func(window []sample) any {
		var sum float64
		for _, s := range window {
			sum += s.value
		}
		return sum / float64(len(window))
	}
	means := make([]float64, 0, len(series)/width+1)
	for len(series) >= width {
		means = append(means, mean(series[:width]).(float64))
		series = series[width:]
	}
	return means
}
