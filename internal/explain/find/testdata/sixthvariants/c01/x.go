package c01

// V1 generic
func Index[K comparable, V any](items []V, key func(V) K) map[K]V {
	m := make(map[K]V)
	for _, it := range items {
		m[key(it)] = it
	}
	return m
}

// V2 field, method, counting loop
type row struct {
	id   uint64
	text string
}

type table struct {
	rows []row
	byID map[uint64]*row
}

func (t *table) Load(rows []row) {
	t.rows = rows
	t.byID = make(map[uint64]*row)
	for i := 0; i < len(rows); i++ {
		t.byID[rows[i].id] = &rows[i]
	}
}
