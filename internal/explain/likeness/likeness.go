// Package likeness says how like production a benchmark is, by a CPU profile of
// each.
//
// A sample belongs to its innermost function outside the standard library, and
// what has none, such as the collector in the background, to the runtime. Two
// figures compare the shares of these functions. Covered is the share of
// production's CPU time in functions that the benchmark runs at all. Alike is the
// overlap of the two profiles: the sum, over functions, of the smaller of both
// shares. It is 1 where they spend alike, and 0 where they have nothing in common.
//
// The interval of Alike is the bootstrap's, at 95 %: both profiles are drawn again
// from their own samples. Two samples of one program are never quite alike, and the
// fewer samples there are, the lower is the figure: the interval shows that. Samples
// are taken for independent.
package likeness

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// runtime is where samples without a function of the user's code belong.
const runtime = "the runtime by itself"

// Of compares two CPU profiles. The seed is that of the bootstrap.
func Of(production, bench *profile.Profile, seed uint64) (model.Likeness, error) {
	p, err := counts(production)
	if err != nil {
		return model.Likeness{}, err
	}
	b, err := counts(bench)
	if err != nil {
		return model.Likeness{}, err
	}
	return compare(p, b, seed), nil
}

func counts(p *profile.Profile) (map[string]int64, error) {
	parts, err := p.Parts("cpu", func(stack []model.Frame) string {
		for _, f := range stack {
			if !profile.Standard(f.Func) {
				return f.Func
			}
		}
		return runtime
	})
	if err != nil {
		return nil, err
	}
	out := make(map[string]int64, len(parts))
	for name, part := range parts {
		out[name] = part.In
	}
	return out, nil
}

// draws is how often the bootstrap draws.
const draws = 500

func compare(p, b map[string]int64, seed uint64) model.Likeness {
	names := maps.Clone(p)
	maps.Copy(names, b)
	all := slices.Sorted(maps.Keys(names))
	var sides [2][]int64
	var l model.Likeness
	for _, name := range all {
		sides[0], sides[1] = append(sides[0], p[name]), append(sides[1], b[name])
		l.Samples[0] += p[name]
		l.Samples[1] += b[name]
	}
	if l.Samples[0] == 0 || l.Samples[1] == 0 {
		return l
	}
	for i, name := range all {
		w := model.Weight{Func: name, Production: share(sides[0][i], l.Samples[0]), Bench: share(sides[1][i], l.Samples[1])}
		if w.Bench > 0 {
			l.Covered += w.Production
		}
		l.Weights = append(l.Weights, w)
	}
	sorted.By(l.Weights, func(a, b model.Weight) int {
		return cmp.Compare(math.Abs(b.Production-b.Bench), math.Abs(a.Production-a.Bench))
	})
	l.Alike = overlap(sides, l.Samples)
	r := rand.New(rand.NewPCG(seed, 0))
	drawn := make([]float64, draws)
	for i := range drawn {
		drawn[i] = overlap([2][]int64{draw(r, sides[0], l.Samples[0]), draw(r, sides[1], l.Samples[1])}, l.Samples)
	}
	slices.Sort(drawn)
	l.Lo, l.Hi = drawn[draws*25/1000], max(l.Alike, drawn[draws*975/1000-1])
	return l
}

func share(n, of int64) float64 { return float64(n) / float64(of) }

// overlap is the sum of the smaller shares.
func overlap(sides [2][]int64, of [2]int64) float64 {
	var sum float64
	for i := range sides[0] {
		sum += min(share(sides[0][i], of[0]), share(sides[1][i], of[1]))
	}
	return sum
}

// draw draws as many samples as there are, with their frequencies. Each function has
// a share of those that are left, so that they add up.
func draw(r *rand.Rand, from []int64, n int64) []int64 {
	out := make([]int64, len(from))
	left, weight := n, n
	for i, c := range from {
		if left == 0 || weight == 0 {
			break
		}
		out[i] = binomial(r, left, share(c, weight))
		left, weight = left-out[i], weight-c
	}
	return out
}

// exactly is up to how many draws a binomial is drawn one by one. Above it, the
// normal distribution is as good for an interval of two digits.
const exactly = 200

func binomial(r *rand.Rand, n int64, p float64) int64 {
	if p >= 1 {
		return n
	}
	if mean := float64(n) * p; n > exactly && mean > 10 && float64(n)-mean > 10 {
		return min(n, max(0, int64(math.Round(mean+r.NormFloat64()*math.Sqrt(mean*(1-p))))))
	}
	k := int64(0)
	// Skip from hit to hit: as many draws as there are hits.
	for at := int64(0); p > 0; k++ {
		at += 1 + int64(math.Floor(math.Log(1-r.Float64())/math.Log1p(-p)))
		if at > n {
			break
		}
	}
	return k
}
