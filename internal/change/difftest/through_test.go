package difftest

import (
	"strings"
	"testing"
)

// A function that takes a channel is driven through those that call it.
func TestThrough(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const base = `package m

func drain(c chan int) (n int) {
	for x := range c {
		n += x
	}
	return n
}

// Total adds up.
func Total(list []int) int {
	c := make(chan int, len(list))
	for _, x := range list {
		c <- x
	}
	close(c)
	return drain(c)
}
`
	const test = `package m

import "testing"

func TestTotal(t *testing.T) {
	if Total([]int{1, 2}) != 3 {
		t.Error("wrong")
	}
}
`
	for now, ok := range map[string]bool{"n = n + x": true, "if x >= 0 {\n\t\t\tn += x\n\t\t}": false} {
		m := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": strings.Replace(base, "n += x", now, 1)})
		found, _ := m.run(t)
		d, driven := found["drain"]
		if len(found) != 1 || !driven || d.Pairs == 0 || d.OK() != ok || !strings.Contains(strings.Join(d.Uncompared, "\n"), "what else than Total may call it with: it takes a channel (c)") {
			t.Errorf("%q: %+v", now, found)
		}
	}
}
