package difftest

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

const drained = `package inner

// Drain adds up what comes.
func Drain(c chan int) (n int) {
	for x := range c {
		n += x
	}
	return n
}

func twice(n int) int {
	return n + n
}

// Twice is called by other packages alone.
func Twice(n int) int { return twice(n) }
`

const drains = `package m

import "example.com/m/internal/inner"

// Total adds up.
func Total(list []int) int {
	c := make(chan int, len(list))
	for _, x := range list {
		c <- x
	}
	close(c)
	return total(c)
}

func total(c chan int) int { return inner.Drain(c) }

// Double has a caller in this package's tests.
func Double(n int) int { return inner.Twice(n) }
`

const drainTests = `package m

import "testing"

func TestTotal(t *testing.T) {
	if Total([]int{1, 2}) != 3 || Double(3) != 6 {
		t.Error("wrong")
	}
}
`

// A function that cannot be driven is driven through callers in other packages,
// and one that only their tests call through those.
func TestNeighbours(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	for _, c := range []struct {
		was, now, name string
		ok             bool
	}{
		{"n += x", "n = n + x", "Drain", true},
		{"n += x", "if x >= 0 {\n\t\t\tn += x\n\t\t}", "Drain", false},
		{"n + n", "2 * n", "twice", true},
		{"n + n", "min(n, 99) + n", "twice", false},
	} {
		t.Run(c.name+" "+c.now, func(t *testing.T) {
			sample.One(t, 4)
			m := newModule(t, map[string]string{"internal/inner/inner.go": drained, "m.go": drains, "m_test.go": drainTests},
				map[string]string{"internal/inner/inner.go": strings.Replace(drained, c.was, c.now, 1)})
			found, _ := m.run(t)
			d, driven := found["example.com/m/internal/inner."+c.name]
			if len(found) != 1 || !driven || d.Pairs == 0 || d.OK() != c.ok {
				t.Errorf("%+v", found)
			}
			if through := strings.Contains(strings.Join(d.Uncompared, "\n"), "what else than m.Total may call it with: it takes a channel (c)"); through != (c.name == "Drain") {
				t.Errorf("%q", d.Uncompared)
			}
		})
	}
}
