package c02

import ()

// V1 renamed
func lengths(words []string) []int {
	var res []int
	for _, w := range words {
		res = append(res, len(w))
	}
	return res
}

// V2 method
type roster struct{ people []person }
type person struct{ first, last string }

func (r roster) fullNames() []string {
	names := []string{}
	for _, p := range r.people {
		names = append(names, p.first+" "+p.last)
	}
	return names
}

// V3 closure
func doubler() func([]int) []int {
	return func(in []int) []int {
		out := make([]int, 0)
		for i := 0; i < len(in); i++ {
			out = append(out, in[i]*2)
		}
		return out
	}
}

// V4 generic
func Apply[A, B any](as []A, f func(A) B) []B {
	var bs []B
	for _, a := range as {
		bs = append(bs, f(a))
	}
	return bs
}

// V5 two functions
type acct struct{ id int }

func addID(ids []int, a acct) []int { return append(ids, a.id) }
func accountIDs(as []acct) []int {
	var ids []int
	for _, a := range as {
		ids = addID(ids, a)
	}
	return ids
}
