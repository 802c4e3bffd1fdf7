package manifest

import (
	"strings"
)

// A text is what a tool makes of a part of a file. from holds for each byte where
// in the file it came from; bytes that stand in for others have their place.
type text struct {
	s    string
	from []int
}

// span returns the part of a file from start to end as it is.
func (f *file) span(start, end int) text {
	t := text{s: string(f.Text[start:end]), from: make([]int, end-start)}
	for i := range t.from {
		t.from[i] = start + i
	}
	return t
}

// fixed is a text that came from one place as a whole.
func fixed(s string, at int) text {
	t := text{s: s, from: make([]int, len(s))}
	for i := range t.from {
		t.from[i] = at
	}
	return t
}

func (t text) cut(start, end int) text { return text{t.s[start:end], t.from[start:end]} }

func (t text) plus(u text) text {
	return text{t.s + u.s, append(t.from[:len(t.from):len(t.from)], u.from...)}
}

// place returns where a byte of the text came from.
func (t text) place(i int) int {
	if len(t.from) == 0 {
		return 0
	}
	return t.from[min(i, len(t.from)-1)]
}

// whole returns the bytes of the file that a part of the text is, if they are one
// piece there.
func (t text) whole(start, end int) (from, to int) {
	if start < 0 || end > len(t.from) || start >= end {
		return 0, 0
	}
	for i := start; i < end; i++ {
		if t.from[i] != t.from[start]+i-start {
			return 0, 0
		}
	}
	return t.from[start], t.from[end-1] + 1
}

// lines splits a text behind each newline.
func (t text) lines() []text {
	var out []text
	for start := 0; start < len(t.s); {
		end := len(t.s)
		if i := strings.IndexByte(t.s[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		out = append(out, t.cut(start, end))
		start = end
	}
	return out
}

// trim returns the text without white space around it.
func (t text) trim() text {
	start := len(t.s) - len(strings.TrimLeft(t.s, " \t\r\n"))
	end := max(start, len(strings.TrimRight(t.s, " \t\r\n")))
	return t.cut(start, end)
}

// without returns the text with what stands between open and close, as in
// ${{ matrix.go }}, replaced by the mark of what is not known.
func (t text) without(open, closed string) text {
	var out text
	for {
		i := strings.Index(t.s, open)
		if i < 0 {
			return out.plus(t)
		}
		end := strings.Index(t.s[i:], closed)
		if end < 0 {
			return out.plus(t)
		}
		out = out.plus(t.cut(0, i)).plus(fixed(unknown, t.from[i]))
		t = t.cut(i+end+len(closed), len(t.s))
	}
}
