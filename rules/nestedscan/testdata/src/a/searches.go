package a

import "slices"

// Other ways to look for an element, and functions that do nothing else.

type part struct {
	code string
	cost int
}

func unpriced(parts []part, wanted []string) (n int) {
	for i := range wanted {
		if slices.IndexFunc(parts, func(p part) bool { return wanted[i] == p.code }) < 0 { // want `slices.IndexFunc searches parts in each iteration; a set that is built before the loop is asked in constant time`
			n++
		}
		if slices.ContainsFunc(parts, func(p part) bool { return p.code == wanted[i] }) { // want `slices.ContainsFunc searches parts`
			n++
		}
	}
	return n
}

type ring[K comparable] struct {
	keys  []K
	other []K
}

func (r *ring[K]) member(k K) bool {
	for _, own := range r.keys {
		if k == own {
			return true
		}
	}
	return false
}

func (r ring[K]) second(k K) bool {
	for _, own := range r.other {
		if own == k {
			return true
		}
	}
	return false
}

func (r *ring[K]) strangers(all []K) (n int) {
	for _, k := range all {
		if !r.member(k) && !r.second(k) { // want `member searches r.keys in each iteration` `second searches r.other in each iteration`
			n++
		}
	}
	return n
}

// What follows is left alone.

func costs(parts []part, want []int) (n int) {
	for _, w := range want {
		if slices.ContainsFunc(parts, func(p part) bool { return p.cost > w }) {
			n++
		}
		if slices.ContainsFunc(parts, func(p part) bool { return p.cost == p.cost-w }) {
			n++
		}
		if slices.ContainsFunc(parts, func(p part) bool { return p.code == "x" }) {
			n++
		}
	}
	return n
}

func (r *ring[K]) collect(all []K) {
	for _, k := range all {
		if !r.member(k) {
			r.keys = append(r.keys, k)
		}
	}
}

func (r *ring[K]) grown(all []K) (n int) {
	for _, k := range all {
		if !r.member(k) {
			r.add(k)
		}
	}
	return n
}

func (r *ring[K]) add(k K) { r.keys = append(r.keys, k) }

func rings(all []*ring[string], k string) (n int) {
	for _, r := range all {
		if r.member(k) {
			n++
		}
	}
	return n
}

func positions[T comparable](all, some []T) (at []int) {
	for _, x := range some {
		at = append(at, slices.Index(all, x))
	}
	return at
}
