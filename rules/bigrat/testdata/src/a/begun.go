package a

import "math/big"

// Numbers that begin with a value, and those that replace what they are made of.

type account struct{ cents []int64 }

func (a account) over(rate *big.Rat, limit *big.Rat) (n int) {
	for i := 0; i < len(a.cents); i++ {
		due := big.NewRat(a.cents[i], 100) // want `a fresh big.Rat in each iteration`
		if due.Mul(due, rate).Cmp(limit) > 0 {
			n++
		}
	}
	return n
}

func product(factors []*big.Int) (bits int) {
	for _, f := range factors {
		bits += big.NewInt(0).Mul(f, f).BitLen() // want `a fresh big.Int in each iteration`
	}
	return bits
}

func survives(n int) int {
	last := new(big.Int)
	for i := range n {
		last = new(big.Int).Add(last, big.NewInt(int64(i))) // want `a fresh big.Int in each iteration replaces the one that it is made of; Add on that one keeps its memory`
	}
	return last.Sign()
}

func power(base *big.Int, n int) *big.Int {
	p := big.NewInt(1)
	for range n {
		p = big.NewInt(0).Mul(p, base) // want `replaces the one that it is made of; Mul on that one`
	}
	return p
}

// What follows is left alone.

func operands(all []int64) *big.Int {
	sum := new(big.Int)
	for _, n := range all {
		sum.Add(sum, big.NewInt(n))
	}
	return sum
}

func values(all []int64, limit *big.Int) (n int) {
	for _, x := range all {
		v := big.NewInt(x)
		if v.Cmp(limit) > 0 {
			n++
		}
	}
	return n
}

func steps(n int) (all []*big.Int) {
	last := big.NewInt(1)
	for range n {
		all = append(all, last)
		last = new(big.Int).Add(last, last)
	}
	return all
}

func newest(all []*big.Int) *big.Int {
	last := big.NewInt(1)
	for _, x := range all {
		last = new(big.Int).Add(x, x)
	}
	return last
}

func numbers(all []int64) (out []*big.Int) {
	for _, x := range all {
		v := big.NewInt(x)
		v.Neg(v)
		out = append(out, v)
	}
	return out
}
