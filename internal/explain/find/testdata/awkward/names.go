package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
)

// Two fixes of a function would declare one name.
func init() {
	more = append(more, g02, g03, g04, g08, g18)
}

// g02 splits twice, and looks at the first when the second is there.
func g02() string {
	p := strings.SplitN("a:b", ":", 2)
	q := strings.SplitN("c:d", ":", 2)
	if len(q) == 2 {
		return q[0] + q[1] + p[0]
	}
	return p[0]
}

// g03 splits in a literal that looks at what is split around it.
func g03() string {
	p := strings.Split("a:b", ":")
	f := func(t string) string {
		q := strings.Split(t, ":")
		if len(q) > 1 && len(p) > 1 {
			return q[0] + p[0] + p[1] + q[1]
		}
		return strings.Split(t, ":")[0]
	}
	return f("c:d") + f("e") + p[0]
}

// g04 asks one map within what another has.
func g04() string {
	m, n := map[string]int{"a": 1}, map[string]int{"b": 2}
	if _, ok := m["a"]; ok {
		x := m["a"]
		if _, ok := n["b"]; ok {
			return fmt.Sprint(x, m["a"], n["b"])
		} else if _, ok := m["b"]; !ok {
			return fmt.Sprint(m["b"])
		}
	}
	return ""
}

type config struct{ dir string }

// g08 cleans paths of one name in a loop and in one around it.
func g08() string {
	a, b, out := config{"x//y"}, config{"z//w"}, ""
	for range 2 {
		out += filepath.Base(filepath.Clean(a.dir))
		for range 2 {
			out += filepath.Clean(b.dir)
		}
		out += filepath.Clean(a.dir)
	}
	return out
}

// g18 loads twice, and in a literal.
func g18() string {
	var m sync.Map
	a, _ := m.LoadOrStore("a", new(int))
	b, _ := m.LoadOrStore("a", new(int))
	f := func() bool { _, again := m.LoadOrStore("c", &point{}); return again }
	return fmt.Sprint(a == b, f(), f())
}
