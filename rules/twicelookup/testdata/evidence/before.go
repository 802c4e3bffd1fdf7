// Package evidence adds prices.
package evidence

// Total returns the sum of the prices of what is sold here.
func Total(prices map[string]int, names []string) (sum int) {
	for _, name := range names {
		if _, ok := prices[name]; ok {
			sum += prices[name]
		}
	}
	return sum
}
