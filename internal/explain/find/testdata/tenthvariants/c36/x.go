package c36

import "slices"

type Customer struct {
	ID   int64
	Name string
}

type Order struct {
	Customer int64
	Cents    int64
}

// V1 method, slices.IndexFunc in an if with init
type Store struct {
	customers []Customer
}

func (s *Store) Totals(orders []Order) map[string]int64 {
	totals := map[string]int64{}
	for _, o := range orders {
		if i := slices.IndexFunc(s.customers, func(c Customer) bool { return c.ID == o.Customer }); i >= 0 {
			totals[s.customers[i].Name] += o.Cents
		}
	}
	return totals
}
