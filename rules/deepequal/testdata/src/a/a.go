package a

import (
	"maps"
	"reflect"
	"time"
)

type point struct{ x, y int }

type path []point

type view struct {
	name   string
	at     [2]float64
	points path
	names  map[string]point
	raw    []byte
}

func (v *view) same(w *view) bool {
	if reflect.DeepEqual(v.name, w.name) { // want `reflect.DeepEqual compares by reflection what == compares in place`
		return true
	}
	if !reflect.DeepEqual(v.at, w.at) { // want `what == compares`
		return false
	}
	return reflect.DeepEqual(v.points, w.points) && // want `what slices.Equal compares in a typed loop`
		!reflect.DeepEqual(v.names, w.names) && // want `what maps.Equal compares`
		reflect.DeepEqual(v.raw, w.raw) // want `what bytes.Equal compares`
}

func several[T any](a, b point, all []T, some func() []string) bool {
	f := func() bool {
		return reflect.DeepEqual(a, point{1, 2}) // want `what == compares`
	}
	equal := f() == reflect.DeepEqual(len(all), 4+len(all)) // want `what == compares`
	_ = maps.Keys[map[string]int]
	return equal && reflect.DeepEqual(some(), some()) // want `what slices.Equal compares`
}

// What follows is left alone.

type padded struct {
	n int
	_ int
}

func alone[T comparable](a, b T, x, y any, p, q *point, t time.Time, e error, d padded, f []float64, s [][]int, m map[string][]int, g func()) {
	_ = reflect.DeepEqual(a, b)
	_ = reflect.DeepEqual([]T{a}, []T{b})
	_ = reflect.DeepEqual(x, y)
	_ = reflect.DeepEqual(p, q)
	_ = reflect.DeepEqual(t, t)
	_ = reflect.DeepEqual(e, e)
	_ = reflect.DeepEqual(d, d)
	_ = reflect.DeepEqual(f, f)
	_ = reflect.DeepEqual(s, s)
	_ = reflect.DeepEqual(m, m)
	_ = reflect.DeepEqual(g, nil)
	_ = reflect.DeepEqual(nil, nil)
	_ = reflect.DeepEqual(int64(1), 1)
	_ = reflect.DeepEqual(path{}, []point{})
	_ = reflect.DeepEqual
}
