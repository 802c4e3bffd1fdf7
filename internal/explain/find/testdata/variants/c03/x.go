package c03

import (
	"bytes"
	"io"
)

// V1 renamed
func sums(in [][]int) int {
	total := 0
	for _, xs := range in {
		seen := make(map[int]bool)
		for _, x := range xs {
			seen[x] = true
		}
		total += len(seen)
	}
	return total
}

// V2 method
type enc struct{ w io.Writer }

func (e *enc) All(rows [][]string) error {
	for _, r := range rows {
		var line bytes.Buffer
		for _, c := range r {
			line.WriteString(c)
			line.WriteByte(',')
		}
		if _, err := e.w.Write(line.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// V3 closure
func walk(names []string, each func(func(string))) int {
	n := 0
	each(func(s string) {
		for _, name := range names {
			buf := make([]byte, 0, len(name))
			for i := 0; i < len(name); i++ {
				buf = append(buf, name[i]^s[0])
			}
			n += int(buf[0])
		}
	})
	return n
}

// V4 generic
func countDistinct[T comparable](groups [][]T) []int {
	out := make([]int, 0, len(groups))
	for _, g := range groups {
		m := map[T]struct{}{}
		for _, x := range g {
			m[x] = struct{}{}
		}
		out = append(out, len(m))
	}
	return out
}

// V5 two functions
func fill(b []byte, v byte) int {
	for i := range b {
		b[i] = v
	}
	return len(b)
}
func frames(n int) int {
	t := 0
	for i := 0; i < n; i++ {
		b := make([]byte, n)
		t += fill(b, byte(i))
	}
	return t
}
