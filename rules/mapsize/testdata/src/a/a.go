package a

import (
	"encoding/json"
	"errors"
	"strings"
)

type item struct {
	id    int
	name  string
	price int
	flag  bool
}

type index map[int]item

// The shape of the seed: a set from a slice.
func set(keys []int) map[int]struct{} {
	s := map[int]struct{}{}
	for _, k := range keys {
		s[k] = struct{}{} // want `s is rehashed while it grows, although the loop runs len\(keys\) times`
	}
	return s
}

func byID(items []item) index {
	all := make(index)
	for _, it := range items {
		all[it.id] = it // want `all is rehashed`
	}
	return all
}

func positions(words *[100]string) map[string]int {
	var at = map[string]int{}
	for i := range words {
		at[words[i]] = i // want `len\(words\)`
	}
	return at
}

func inverted(m map[string]string) map[string]string {
	inv := make(map[string]string)
	for k, v := range m {
		v = strings.ToLower(v)
		inv[v] = k // want `len\(m\)`
	}
	return inv
}

func offsets(s string) map[int]rune {
	at := map[int]rune{}
	for i, r := range s {
		at[i] = r // want `len\(s\)`
	}
	return at
}

// An error ends the loop early: class B.
func checked(items []item) (map[string]item, error) {
	all := map[string]item{}
	for _, it := range items {
		if it.name == "" {
			return nil, errors.New("no name")
		}
		all[it.name] = it // want `all is rehashed`
	}
	return all, nil
}

// The map moves to where the length is known.
func decoded(data []byte) (map[string]bool, error) {
	seen := map[string]bool{}
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		return nil, err
	}
	for _, n := range names {
		seen[n] = true // want `seen is rehashed`
	}
	return seen, nil
}

// What follows is left alone.

func conditional(items []item) map[int]item {
	some := map[int]item{}
	for _, it := range items {
		if it.flag {
			some[it.id] = it
		}
	}
	return some
}

func skipping(items []item) map[int]item {
	some := map[int]item{}
	for _, it := range items {
		if !it.flag {
			continue
		}
		some[it.id] = it
	}
	return some
}

func early(items []item, stop int) map[int]item {
	some := map[int]item{}
	for _, it := range items {
		some[it.id] = it
		if it.id == stop {
			break
		}
	}
	return some
}

func found(items []item, want int) bool {
	some := map[int]item{}
	for _, it := range items {
		some[it.id] = it
		if it.price == want {
			return true
		}
	}
	return len(some) == 0
}

func counts(words []string) map[string]int {
	n := map[string]int{}
	for _, w := range words {
		n[w]++
	}
	return n
}

func groups(items []item) map[string][]item {
	by := map[string][]item{}
	for _, it := range items {
		by[it.name] = append(by[it.name], it)
	}
	return by
}

func lookup(words []string) map[string]int {
	n := map[string]int{}
	for i, w := range words {
		if _, ok := n[w]; ok {
			println(w)
		}
		n[w] = i
	}
	return n
}

func few() map[string]int {
	units := []string{"s", "m", "h"}
	at := map[string]int{}
	for i, u := range units {
		at[u] = i
	}
	return at
}

func fewArray(a [4]int) map[int]int {
	m := map[int]int{}
	for i, x := range a {
		m[x] = i
	}
	return m
}

func bytes(data []byte) map[byte]int {
	last := map[byte]int{}
	for i, c := range data {
		last[c] = i
	}
	return last
}

func flags(items []item) map[bool]item {
	m := map[bool]item{}
	for _, it := range items {
		m[it.flag] = it
	}
	return m
}

func runes(s string) map[rune]bool {
	m := map[rune]bool{}
	for _, r := range s {
		m[r] = true
	}
	return m
}

func oneKey(items []item, key string) map[string]item {
	m := map[string]item{}
	for _, it := range items {
		m[key] = it
	}
	return m
}

func sized(items []item) map[int]item {
	m := make(map[int]item, len(items)/2)
	for _, it := range items {
		m[it.id] = it
	}
	return m
}

func begun(items []item) map[int]item {
	m := map[int]item{0: {}}
	for _, it := range items {
		m[it.id] = it
	}
	return m
}

func read(items []item) int {
	m := map[int]item{}
	n := len(m)
	for _, it := range items {
		m[it.id] = it
	}
	return n
}

func called(items func() []item) map[int]item {
	m := map[int]item{}
	for _, it := range items() {
		m[it.id] = it
	}
	return m
}

func channel(c chan item) map[int]item {
	m := map[int]item{}
	for it := range c {
		m[it.id] = it
	}
	return m
}

func nested(all [][]item) map[int]item {
	m := map[int]item{}
	for _, items := range all {
		for _, it := range items {
			m[it.id] = it
		}
	}
	return m
}

type store struct{ m map[int]item }

func (s *store) fill(items []item) {
	for _, it := range items {
		s.m[it.id] = it
	}
}

func slice(items []item) []item {
	s := make([]item, len(items))
	for i, it := range items {
		s[i] = it
	}
	return s
}
