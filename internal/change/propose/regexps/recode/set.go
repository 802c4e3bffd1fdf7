package recode

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A set is a set of bytes, and possibly the end of the text.
type set struct {
	in  [256]bool
	end bool
}

func (s *set) add(lo, hi int) {
	for b := lo; b <= hi; b++ {
		s.in[b] = true
	}
}

func (s *set) union(o *set) {
	for b, in := range o.in {
		s.in[b] = s.in[b] || in
	}
	s.end = s.end || o.end
}

// high reports whether the set has bytes outside ASCII.
func (s *set) high() bool { return s.in[0xff] }

// meets reports whether the sets have something in common.
func (s *set) meets(o *set) bool {
	for b, in := range o.in {
		if in && s.in[b] {
			return true
		}
	}
	return s.end && o.end
}

// covers reports whether the bytes of o are all in s.
func (s *set) covers(o *set) bool {
	for b, in := range o.in {
		if in && !s.in[b] {
			return false
		}
	}
	return true
}

// ranges returns the bytes of the set, or those not in it, as pairs of first
// and last.
func (s *set) ranges(in bool) [][2]int {
	var all [][2]int
	for b := 0; b < 256; b++ {
		if s.in[b] != in {
			continue
		}
		first := b
		for b+1 < 256 && s.in[b+1] == in {
			b++
		}
		all = append(all, [2]int{first, b})
	}
	return all
}

// test writes the condition that the byte x is in the set, and its opposite.
func (s *set) test(x string) cond {
	in, out := s.ranges(true), s.ranges(false)
	if len(out) < len(in) || s.high() {
		c := condition(x, out)
		return cond{pos: c.neg, neg: c.pos, or: c.and, and: c.or}
	}
	return condition(x, in)
}

// condition is the test for being in one of the ranges.
func condition(x string, ranges [][2]int) cond {
	var pos, neg []string
	for _, r := range ranges {
		lo, hi := quote(r[0]), quote(r[1])
		switch {
		case r[0] == r[1]:
			pos, neg = append(pos, x+" == "+lo), append(neg, x+" != "+lo)
		case r[1]-r[0] == 1:
			pos, neg = append(pos, x+" == "+lo, x+" == "+hi), append(neg, x+" != "+lo, x+" != "+hi)
		case r[0] == 0:
			pos, neg = append(pos, x+" <= "+hi), append(neg, x+" > "+hi)
		case len(ranges) == 1:
			pos, neg = append(pos, lo+" <= "+x+" && "+x+" <= "+hi), append(neg, "("+x+" < "+lo+" || "+hi+" < "+x+")")
		default:
			pos, neg = append(pos, lo+" <= "+x+" && "+x+" <= "+hi), append(neg, "("+x+" < "+lo+" || "+hi+" < "+x+")")
		}
	}
	if len(pos) == 0 {
		return cond{pos: "false", neg: "true"}
	}
	return cond{pos: strings.Join(pos, " || "), neg: strings.Join(neg, " && "), or: len(pos) > 1, and: len(neg) > 1}
}

func quote(b int) string {
	if b >= utf8.RuneSelf {
		return fmt.Sprintf("0x%x", b)
	}
	return fmt.Sprintf("%q", rune(b))
}

// size returns the number of bytes in the set.
func (s *set) size() int {
	n := 0
	for _, in := range s.in {
		if in {
			n++
		}
	}
	return n
}
