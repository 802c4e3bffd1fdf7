package c09

// V3 closure

func monthlyReport(sales [][]float64) []float64 {
	mean := func(xs []float64) any {
		if len(xs) == 0 {
			return 0.0
		}
		var sum float64
		for _, x := range xs {
			sum += x
		}
		return sum / float64(len(xs))
	}
	report := make([]float64, len(sales))
	for i, month := range sales {
		report[i] = mean(month).(float64)
	}
	return report
}
