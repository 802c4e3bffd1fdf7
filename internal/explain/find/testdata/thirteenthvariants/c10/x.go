package c10

import "sync"

// V1 closure

type gauge struct {
	Name  string
	Value any
}

func recorder() (add func(name string, delta int64), read func(name string) int64) {
	var mu sync.Mutex
	gauges := map[string]*gauge{}
	add = func(name string, delta int64) {
		mu.Lock()
		defer mu.Unlock()
		var before int64
		if g, ok := gauges[name]; ok {
			before, _ = g.Value.(int64)
		}
		gauges[name] = &gauge{Name: name, Value: before + delta}
	}
	read = func(name string) int64 {
		mu.Lock()
		defer mu.Unlock()
		if g, ok := gauges[name]; ok {
			n, _ := g.Value.(int64)
			return n
		}
		return 0
	}
	return add, read
}
