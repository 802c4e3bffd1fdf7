package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// What is read, and what is written, at another time shows.
func init() {
	more = append(more, g01, g05, g06, g07)
}

// g01 compares with what a call returns that changes the other side.
func g01() string {
	p, n := point{1, 2}, 1
	change := func() point { p, n = point{9, 9}, 9; return point{1, 2} }
	before := reflect.DeepEqual(p, change())
	n = 1
	return fmt.Sprint(before, reflect.DeepEqual(n, change().x))
}

type point struct{ x, y int }

// g05 has bytes of another slice where the first pieces of a text would go.
func g05() string {
	base := make([]byte, 0, 5)
	a := append(base, "abc"...)
	b := append(base, strconv.FormatFloat(1234.5678, 'f', -1, 64)...)
	c := append(base, strconv.Itoa(-1234567)...)
	d := append(base, strconv.Quote("\x00\x00")...)
	e := append(base, time.Unix(0, 0).UTC().Format("Jan 2006")...)
	return string(a) + string(b) + string(c) + string(d) + string(e)
}

func drain(to *bytes.Buffer, b []byte) { to.WriteString(string(b)) }

// g06 gives a buffer what was read of its memory, to where a write moves the rest.
func g06() string {
	var b bytes.Buffer
	b.Grow(64)
	b.WriteString(strings.Repeat("0123456789", 6))
	read := b.Next(51)
	drain(&b, read[:9])
	return b.String()
}

// g07 asks reflection for the capacity.
func g07() string {
	var out []int
	all := make([]int, 11)
	for _, x := range all {
		out = append(out, x)
	}
	return strconv.Itoa(reflect.ValueOf(out).Cap())
}
