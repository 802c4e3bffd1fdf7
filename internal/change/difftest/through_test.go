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
	// Both changes are of one module, so that one binary is linked: Kept behaves as before, and Lost does not.
	const one = `
func drainKept(c chan int) (n int) {
	for x := range c {
		n += x
	}
	return n
}

// Kept adds up.
func Kept(list []int) int {
	c := make(chan int, len(list))
	for _, x := range list {
		c <- x
	}
	close(c)
	return drainKept(c)
}
`
	lost := strings.ReplaceAll(one, "Kept", "Lost")
	const test = `package m

import "testing"

func TestTotal(t *testing.T) {
	if Kept([]int{1, 2}) != 3 || Lost([]int{1, 2}) != 3 {
		t.Error("wrong")
	}
}
`
	m := newModule(t, map[string]string{"m.go": "package m\n" + one + lost, "m_test.go": test}, map[string]string{
		"m.go": "package m\n" + strings.Replace(one, "n += x", "n = n + x", 1) + strings.Replace(lost, "n += x", "if x >= 0 {\n\t\t\tn += x\n\t\t}", 1),
	})
	found, _ := m.run(t)
	if len(found) != 2 {
		t.Errorf("%d functions", len(found))
	}
	for name, ok := range map[string]bool{"Kept": true, "Lost": false} {
		d, driven := found["drain"+name]
		if !driven || d.Pairs == 0 || d.OK() != ok || !strings.Contains(strings.Join(d.Uncompared, "\n"), "what else than "+name+" may call it with: it takes a channel (c)") {
			t.Errorf("%q: %+v", name, found)
		}
	}
}
