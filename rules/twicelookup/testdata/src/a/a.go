package a

import "fmt"

type item struct {
	name string
	n    int
	tags []string
}

type store struct {
	items map[string]*item
	sizes map[[2]int]int
	on    map[string]bool
}

func (s *store) name(key string) string {
	if _, ok := s.items[key]; ok {
		return s.items[key].name // want `the map is searched again for the key of s.items\[key\]; keep the value that the first search finds`
	}
	return ""
}

func (s *store) several(keys []string, at [2]int) (n int) {
	for _, key := range keys {
		if s.items[key] != nil && s.items[key].n > 0 { // want `the map is searched again`
			n += s.items[key].n
		}
		func() {
			if _, found := s.items[key]; found && s.items[key].n > 1 { // want `the map is searched again`
				n++
				fmt.Println(s.items[key].name, n)
				fmt.Println(s.items[key].name)
			}
		}()
	}
	if s.sizes[at] > 0 {
		for i := range 3 {
			n += i * s.sizes[at] // want `the map is searched again`
		}
	} else if _, ok := s.items["none"]; !ok {
		n--
	} else {
		n += len(s.items["none"].tags) // want `the map is searched again`
	}
	return n
}

func generic[K comparable, V any](m map[K]V, k K, use func(V)) {
	if _, ok := m[k]; ok {
		use(m[k]) // want `the map is searched again`
	}
}

func stored(m map[string][]int, k string, value int) {
	if m[k] != nil {
		m[k][0] = value // want `the map is searched again`
		m[k][1] = value
	}
}

// What follows is left alone.

type large struct{ all [200]byte }

func alone(s *store, m map[string]int, k string, other map[string]int, big map[string]large, ch chan int, p *string) (n int) {
	if _, ok := m[k]; ok {
		fmt.Println()
		n = m[k]
	}
	if _, ok := m[k]; !ok {
		m[k] = 1
		n = m[k]
	}
	if _, ok := m[k]; ok {
		m[k]++
		m[k] += 2
		delete(m, k)
	}
	if _, ok := m[k]; ok {
		n = other[k]
		n += m["x"]
	}
	if _, ok := m[k]; ok {
		k += "x"
		n = m[k]
	}
	if _, ok := m[k]; ok {
		*p = "y"
		n = m[k]
	}
	if _, ok := m[k]; ok {
		n += <-ch
		n += m[k]
	}
	if _, ok := m[k]; ok {
		for range 3 {
			n += m[k]
			m["x"]++
		}
	}
	if _, ok := m[k]; ok {
		for range ch {
			n += m[k]
		}
	}
	if _, ok := m[k]; ok {
		go func() { n = m[k] }()
	}
	if _, ok := m[k]; ok {
		v, there := m[k]
		fmt.Println(v, there)
	}
	if v, ok := m[k]; ok {
		n = v + m[k]
	}
	if len(k) > 2 && m[k] > 0 {
		n = m[k]
	}
	if _, ok := big[k]; ok {
		n = len(big[k].all)
	}
	if s.on[k] {
		n++
	}
	return n
}

func grown(m map[string][]int, k string) {
	if _, ok := m[k]; ok {
		m[k] = append(m[k], 1)
	}
}

func jumps(m map[string]int, k string) (n int) {
again:
	if _, ok := m[k]; ok {
		n += m[k]
		goto again
	}
	return n
}
