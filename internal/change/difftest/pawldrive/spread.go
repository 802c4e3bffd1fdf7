package pawldrive

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Where one side draws more random numbers than the other, what they make of these
// differs from call to call, and how it is spread does not. A remainder in place of
// drawing again shows there, and a source that gives few values.

const (
	spreadCalls  = 2000
	spreadTime   = time.Second
	spreadLeast  = 300 // calls below which nothing is said
	shuffles     = 50
	spreadParts  = 8  // numbers of one value that are looked at
	spreadWithin = 64 // bytes or elements of one text
)

// A lot is one number of a value in many calls: by which side it was made.
type lot struct {
	x    float64
	call int // even ones are the base's
}

// spread returns how a part is spread otherwise that both sides make of random
// numbers, from calls with many seeds.
func (d *drive) spread(sc *script, x diff) *diff {
	var parts [][]lot
	one := *sc
	calls, start := 0, ownNow()
	for ; calls < spreadCalls && (calls < spreadLeast || ownNow().Sub(start) < spreadTime); calls++ {
		one.seed = mix(sc.seed + uint64(calls))
		side := baseOf
		if calls%2 == 1 {
			side = candOf
		}
		t := d.f.play(&one, side, deadline)
		if t.err != nil || x.step >= len(t.steps) || !t.steps[x.step].normal() {
			return nil
		}
		v, ok := d.f.partOf(t.steps[x.step], x.part)
		if !ok {
			return nil
		}
		for i, list := range numbersIn(v) {
			if i == len(parts) {
				parts = append(parts, nil)
			}
			for _, n := range list {
				parts[i] = append(parts[i], lot{n, calls})
			}
		}
	}
	for _, p := range parts {
		if apart(p, calls) {
			b, c := means(p)
			return &diff{kind: x.kind, part: x.part, step: x.step,
				a: fmt.Sprintf("random, and on average %.4g in %d calls", b, calls/2), b: fmt.Sprintf("on average %.4g: another distribution", c)}
		}
	}
	return nil
}

// partOf returns the value of a call that a part of it is.
func (f *function) partOf(o *outcome, part string) (reflect.Value, bool) {
	for i, r := range o.results {
		if strings.TrimSuffix(part, internalState) == fmt.Sprintf("result %d", i) {
			return reflect.ValueOf(r), true
		}
	}
	for i, a := range o.args {
		if part == f.param(i) {
			return reflect.ValueOf(a), true
		}
	}
	return reflect.Value{}, false
}

// numbersIn returns the numbers of a value, each on its own, after what the bytes
// and elements of its texts and lists are, together.
func numbersIn(v reflect.Value) (out [][]float64) {
	out = [][]float64{nil}
	var visit func(v reflect.Value, within bool, depth int)
	visit = func(v reflect.Value, within bool, depth int) {
		put := func(x float64) {
			if within {
				out[0] = append(out[0], x)
			} else if len(out) <= spreadParts {
				out = append(out, []float64{x})
			}
		}
		switch {
		case !v.IsValid() || depth > 4:
		case v.CanInt():
			put(float64(v.Int()))
		case v.CanUint():
			put(float64(v.Uint()))
		case v.CanFloat():
			put(v.Float())
		case v.Kind() == reflect.Bool:
			put(float64(b2u(v.Bool())))
		case v.Kind() == reflect.String, v.Kind() == reflect.Slice, v.Kind() == reflect.Array:
			for i := range min(v.Len(), spreadWithin) {
				visit(v.Index(i), true, depth+1)
			}
		case v.Kind() == reflect.Pointer, v.Kind() == reflect.Interface:
			visit(v.Elem(), within, depth+1)
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				visit(v.Field(i), within, depth+1)
			}
		}
	}
	visit(v, false, 0)
	return out
}

// apart reports whether the samples of the two sides are of two distributions: the
// largest distance between how many lie below a value (Kolmogorov and Smirnov) is
// more than twice as large as whenever the calls are shuffled between the sides.
// Bytes of one call stay together, since they may depend on each other.
func apart(list []lot, calls int) bool {
	if len(list) < spreadLeast {
		return false
	}
	slices.SortFunc(list, func(a, b lot) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return a.call - b.call
	})
	first := make([]bool, calls)
	for i := range first {
		first[i] = i%2 == 0
	}
	seen, most := distance(list, first), 0.0
	r := rng{uint64(len(list))}
	for range shuffles {
		for i := len(first) - 1; i > 0; i-- {
			j := r.n(i + 1)
			first[i], first[j] = first[j], first[i]
		}
		most = max(most, distance(list, first))
	}
	return seen > 2*most
}

// distance is the largest one between the shares of both sides up to a value.
func distance(sorted []lot, first []bool) (most float64) {
	var n [2]float64
	for _, s := range sorted {
		n[b2i(first[s.call])]++
	}
	var at [2]float64
	for i, s := range sorted {
		at[b2i(first[s.call])]++
		if i+1 == len(sorted) || sorted[i+1].x != s.x {
			d := at[0]/max(n[0], 1) - at[1]/max(n[1], 1)
			most = max(most, d, -d)
		}
	}
	return most
}

func means(list []lot) (base, cand float64) {
	var sum, n [2]float64
	for _, s := range list {
		sum[s.call%2] += s.x
		n[s.call%2]++
	}
	return sum[0] / max(n[0], 1), sum[1] / max(n[1], 1)
}
