package c10

import "sync"

// V3 closure

type tally struct {
	label string
	value any
}

func newTallies() (add func(label string, delta int64)) {
	tallies := map[string]*tally{}
	var mu sync.Mutex
	return func(label string, delta int64) {
		mu.Lock()
		defer mu.Unlock()
		old, ok := tallies[label]
		if !ok {
			tallies[label] = &tally{label: label, value: delta}
			return
		}
		n, _ := old.value.(int64)
		tallies[label] = &tally{label: label, value: n + delta}
	}
}
