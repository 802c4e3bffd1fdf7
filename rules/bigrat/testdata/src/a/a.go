package a

import (
	"errors"
	"math/big"
)

var errAmount = errors.New("no amount")

func check(amounts []string) error {
	for _, s := range amounts {
		r, ok := new(big.Rat).SetString(s) // want `a fresh big.Rat in each iteration; one that is declared before the loop keeps its memory`
		if !ok || r.Sign() <= 0 {
			return errAmount
		}
	}
	return nil
}

func total(cents []int64) *big.Int {
	sum := new(big.Int)
	for _, c := range cents {
		sum.Add(sum, new(big.Int).SetInt64(c)) // want `a fresh big.Int in each iteration`
	}
	return sum
}

func weighted(rows [][]string, weights map[string]*big.Rat) (n int) {
	limit := big.NewRat(1, 2)
all:
	for _, row := range rows {
		for i, s := range row {
			r, ok := (&big.Rat{}).SetString(s) // want `a fresh big.Rat in each iteration`
			if r == nil || !ok {
				break all
			}
			r.Mul(r, weights[row[0]])
			if r.Cmp(limit) > 0 && new(big.Rat).Sub(r, limit).Num().Sign() > 0 {
				n += i
			}
		}
	}
	return n
}

func squares(n int) (odd int) {
	for i := range n {
		if new(big.Int).Mul(big.NewInt(int64(i)), big.NewInt(3)).Bit(0) == 1 { // want `a fresh big.Int in each iteration`
			odd++
		}
	}
	for i := 0; i < n; i++ {
		if new(big.Int).SetUint64(uint64(i)).Sign() == 0 { // want `a fresh big.Int in each iteration`
			odd--
		}
	}
	return odd
}

// The loop is elsewhere: no fix.
func valid(s string) bool {
	r, ok := new(big.Rat).SetString(s) // want `a fresh big.Rat for each text that is read`
	return ok && r.Sign() > 0
}

func parse(s string) (*big.Rat, bool) { return new(big.Rat).SetString(s) }

func allParse(texts []string) bool {
	for _, s := range texts {
		if _, ok := parse(s); !ok { // want `a fresh big.Rat in each iteration`
			return false
		}
	}
	_, ok := parse("1/2")
	return ok
}

// What follows is left alone.

func keptAll(texts []string) (all []*big.Rat) {
	for _, s := range texts {
		r, _ := parse(s)
		all = append(all, r)
	}
	return all
}

type item struct{ amount *big.Rat }

func kept(all []string) (items []item) {
	for _, s := range all {
		r, _ := new(big.Rat).SetString(s)
		items = append(items, item{r})
	}
	return items
}

func returned(all []string) *big.Rat {
	for _, s := range all {
		if r, ok := new(big.Rat).SetString(s); ok {
			return r
		}
	}
	return nil
}

func parts(all []string) (nums []*big.Int) {
	for _, s := range all {
		r, _ := new(big.Rat).SetString(s)
		nums = append(nums, r.Num())
	}
	return nums
}

func captured(all []string, out chan<- int) {
	for _, s := range all {
		r, _ := new(big.Rat).SetString(s)
		go func() { out <- r.Sign() }()
	}
}

func deferring(all []string, out *big.Rat) {
	for _, s := range all {
		r, _ := new(big.Rat).SetString(s)
		defer out.Add(out, r)
	}
}

// The value before counts.
func grown(n int) (ok bool) {
	for range n {
		z := new(big.Int)
		z.SetBit(z, 3, 1)
		ok = z.Bit(3) == 1
	}
	return ok
}

func once(n int64) bool { return new(big.Int).SetInt64(n).ProbablyPrime(1) }

func before(s string, n int) (sign int) {
	r, _ := new(big.Int).SetString(s, 10) // want `a fresh big.Int for each text`
	for range n {
		sign += r.Sign()
	}
	return sign
}
