// Package evidence adds up the prices of an order.
package evidence

// Sum adds up the prices of the names that have one.
func Sum(names []string, prices map[string]int) int {
	sum := 0
	for _, name := range names {
		if _, ok := prices[name]; ok {
			sum += prices[name] // hot
		}
	}
	return sum
}
