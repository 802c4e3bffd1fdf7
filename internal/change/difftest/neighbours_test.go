package difftest

import (
	"strings"
	"testing"
)

const drained = `
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

const drains = `
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
	if Total([]int{1, 2}) != 3 || Double(3) != 6 || TotalLost([]int{1, 2}) != 3 || DoubleLost(3) != 6 {
		t.Error("wrong")
	}
}
`

// lost gives the functions of a text other names: those whose changes are bugs.
var lost = strings.NewReplacer("Drain", "DrainLost", "twice", "twiceLost", "Twice", "TwiceLost", "Total", "TotalLost", "total", "totalLost", "Double", "DoubleLost")

// A function that cannot be driven is driven through callers in other packages,
// and one that only their tests call through those. All are of one module, so that one binary is linked.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	good := strings.NewReplacer("n += x", "n = n + x", "n + n", "2 * n").Replace(drained)
	bad := strings.NewReplacer("n += x", "if x >= 0 {\n\t\t\tn += x\n\t\t}", "n + n", "min(n, 99) + n").Replace(drained)
	m := newModule(t, map[string]string{
		"internal/inner/inner.go": "package inner\n" + drained + lost.Replace(drained),
		"m.go":                    "package m\n\nimport \"example.com/m/internal/inner\"\n" + drains + lost.Replace(drains),
		"m_test.go":               drainTests,
	}, map[string]string{"internal/inner/inner.go": "package inner\n" + good + lost.Replace(bad)})
	found, _ := m.run(t)
	if len(found) != 4 {
		t.Errorf("%d functions", len(found))
	}
	for name, ok := range map[string]bool{"Drain": true, "DrainLost": false, "twice": true, "twiceLost": false} {
		d, driven := found["example.com/m/internal/inner."+name]
		if !driven || d.Pairs == 0 || d.OK() != ok {
			t.Errorf("%s: %+v", name, found)
		}
		caller := strings.Replace(name, "Drain", "Total", 1)
		through := strings.Contains(strings.Join(d.Uncompared, "\n"), "what else than m."+caller+" may call it with: it takes a channel (c)")
		if through != strings.HasPrefix(name, "Drain") {
			t.Errorf("%s: %q", name, d.Uncompared)
		}
	}
}
