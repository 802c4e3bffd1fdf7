package c30

// V1 generic, fields
type extent struct{ from, to int64 }

type extents[K comparable] struct{ byKey map[K]*extent }

func newExtents[K comparable]() *extents[K] {
	return &extents[K]{byKey: make(map[K]*extent)}
}

func (e *extents[K]) put(k K, from, to int64) {
	e.byKey[k] = &extent{from: from, to: to}
}

func (e *extents[K]) size(k K) int64 {
	x, ok := e.byKey[k]
	if !ok {
		return 0
	}
	return x.to - x.from
}

func Sizes(names []string) (n int64) {
	e := newExtents[string]()
	for i, name := range names {
		e.put(name, int64(i), int64(2*i))
	}
	for _, name := range names {
		n += e.size(name)
	}
	return n
}

// V2 two functions
type item struct {
	price  float64
	amount int
}

func newItem(price float64, amount int) *item {
	return &item{price: price, amount: amount}
}

func Value(names []string, prices []float64) (sum float64) {
	stock := make(map[string]*item, len(names))
	for i, name := range names {
		stock[name] = newItem(prices[i], i)
	}
	for _, it := range stock {
		sum += it.price * float64(it.amount)
	}
	return sum
}
