package a

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

type id int

type store struct {
	items map[id]string
	times map[string]time.Duration
}

func (s *store) names() string {
	keys := slices.Sorted(maps.Keys(s.times)) // want `slices.Sorted grows the slice step by step; the length of s.times is known`
	for i, k := range keys {
		fmt.Println(i, k, len(keys), keys[0])
	}
	return strings.Join(keys, ",") + strings.Join(slices.Collect(maps.Values(s.items)), ",") // want `slices.Collect grows`
}

func (s *store) walk(use func(id)) {
	for _, k := range slices.Sorted(maps.Keys(s.items)) { // want `slices.Sorted grows`
		use(k)
	}
	func() {
		for _, d := range slices.Collect(maps.Values(s.times)) { // want `slices.Collect grows`
			fmt.Println(d)
		}
	}()
}

func generic[K cmp.Ordered, V any](m map[K]V) []K {
	all := slices.Collect(maps.Keys(m)) // want `slices.Collect grows`
	slices.Reverse(all)
	return slices.Sorted(maps.Keys(m)) // want `slices.Sorted grows`
}

func labelled(m map[string]int) {
next:
	for _, k := range slices.Sorted(maps.Keys(m)) { // want `slices.Sorted grows`
		if k == "" {
			continue next
		}
	}
}

func shadowed(m map[id]string) (n int) {
	type id string
	return len(slices.Collect(maps.Keys(m))) // want `slices.Collect grows`
}

// What follows is left alone.

func alone(get func() map[string]int, s []string, m map[string]int) {
	_ = slices.Collect(maps.Keys(get()))
	_ = slices.Collect(slices.Values(s))
	_ = slices.SortedFunc(maps.Keys(m), strings.Compare)
	_ = slices.AppendSeq(s, maps.Keys(m))
	for range maps.Keys(m) {
	}
}
