// Package evidence lists the totals of orders.
package evidence

// An Order has a price and a count.
type Order struct {
	ID    int
	Cents int64
	Count int64
}

// Totals returns what each order comes to.
func Totals(orders []Order) []int64 {
	out := make([]int64, 0, len(orders))
	for _, o := range orders {
		out = append(out, o.Cents*o.Count)
	}
	return out
}

// Largest returns the largest total, 0 if there is none.
func Largest(orders []Order) int64 {
	totals := make([]int64, 0, len(orders))
	for _, o := range orders {
		totals = append(totals, o.Cents*o.Count)
	}
	var largest int64
	for _, t := range totals {
		largest = max(largest, t)
	}
	return largest
}
