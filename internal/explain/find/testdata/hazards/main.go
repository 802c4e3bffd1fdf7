// Command hazards prints what eight rewrites of other tools changed: each
// function holds code that one of them took for slow and made wrong.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// lower compares a lowered string with one that has an upper case letter.
func lower(x, y string) bool { return strings.ToLower(x) == y }

// buffered needs the copy that []byte(buf.String()) makes.
func buffered() string {
	var buf bytes.Buffer
	buf.WriteString("hello")
	b := []byte(buf.String())
	buf.Reset()
	buf.WriteString("XXXXX")
	return string(b)
}

// trimmed needs the copy that the conversions make.
func trimmed() string {
	b := []byte(" abc ")
	t := []byte(strings.TrimSpace(string(b)))
	b[1] = 'Z'
	return string(t)
}

// renewed has another holder of the old map.
func renewed() (int, int) {
	m := map[string]int{"a": 1, "b": 2}
	old := m
	m = make(map[string]int, len(m))
	m["c"] = 3
	return len(old), len(m)
}

// short panics where the destination is too small.
func short() (what string) {
	defer func() { what = fmt.Sprint(recover() != nil) }()
	dst, src := make([]int, 1), []int{1, 2, 3}
	for i, x := range src {
		dst[i] = x
	}
	return "copied"
}

// ordered has an effect on the left of &&.
func ordered(flag bool) int {
	n := 0
	f := func() bool { n++; return true }
	if f() && flag {
		n += 10
	}
	return n
}

// absent prints a nil error.
func absent() string {
	var err error
	return fmt.Sprint(err) + fmt.Sprintf("%v", err) + fmt.Sprintf("%s %d", errors.New("x"), 1)
}

// cloned keeps whether the slice was nil.
func cloned(xs []int) bool {
	ys := append([]int(nil), xs...)
	var zs []int
	for _, x := range xs {
		zs = append(zs, x)
	}
	return ys == nil && zs == nil
}

func main() {
	fmt.Println(lower("ABC", "abC"), lower("ABC", "abc"), buffered(), trimmed())
	a, b := renewed()
	fmt.Println(a, b, short(), ordered(true), ordered(false), absent())
	fmt.Println(cloned(nil), cloned([]int{}), cloned([]int{1}))
}
