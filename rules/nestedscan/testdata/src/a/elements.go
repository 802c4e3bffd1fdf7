package a

import "slices"

type customer struct {
	id   int64
	name string
}

type store struct{ customers []customer }

func (s *store) totals(orders []purchase) map[string]int64 {
	sums := map[string]int64{}
	for _, o := range orders {
		if i := slices.IndexFunc(s.customers, func(c customer) bool { return c.id == o.customer }); i >= 0 { // want `slices.IndexFunc searches s.customers in each iteration`
			sums[s.customers[i].name] += o.cents
		}
	}
	return sums
}

type purchase struct{ customer, cents int64 }

func (s *store) known(orders []purchase) (n int) {
	for i := range orders {
		for j := 0; j < len(s.customers); j++ { // want `each iteration compares orders\[i\].customer with all of s.customers`
			if s.customers[j].id == orders[i].customer {
				n++
			}
		}
	}
	return n
}

func have(all []customer, id int64) bool {
	for i := range all {
		if all[i].id == id {
			return true
		}
	}
	return false
}

func unknown(all []customer, orders []purchase) (n int64) {
	for _, o := range orders {
		if !have(all, o.customer) { // want `have searches all in each iteration`
			n++
		}
	}
	return n
}

// What follows is left alone.

func (s *store) renumber(orders []purchase) {
	for _, o := range orders {
		if i := slices.IndexFunc(s.customers, func(c customer) bool { return c.id == o.customer }); i >= 0 {
			s.customers[i].id += o.cents // the key
		}
	}
}

func (s *store) shift(orders []purchase) {
	for i := range orders {
		for j := 1; j < len(s.customers); j++ { // begins behind the first
			if s.customers[j].id == orders[i].customer {
				s.customers[j-1].name = ""
			}
		}
	}
}

func skips(all []customer, orders []purchase) (n int) {
	for i := range orders {
		for j := 0; j < len(all); j++ {
			if all[j].id == orders[i].customer {
				j++
				n++
			}
		}
	}
	return n
}
