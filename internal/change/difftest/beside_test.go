package difftest

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

const besideMethod = `package m

import "sync"

type Set struct {
	mu   sync.RWMutex
	list []int
}

func (s *Set) Put(n int) { s.mu.Lock(); s.list = append(s.list, n); s.mu.Unlock() }

func (s *Set) Has(n int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, m := range s.list {
		if m == n {
			return true
		}
	}
	return false
}

var set Set

func Put(n int)      { set.Put(n) }
func Has(n int) bool { return set.Has(n) }
`

const besideFunction = `package m

import "sync"

var (
	mu   sync.RWMutex
	list []int
)

func Put(n int) { mu.Lock(); put(n); mu.Unlock() }

func put(n int) { list = append(list, n) }

func Has(n int) bool {
	mu.RLock()
	defer mu.RUnlock()
	for _, m := range list {
		if m == n {
			return true
		}
	}
	return false
}
`

// Functions that are called beside those that write what they read, which the tests
// call only before them.
func TestBeside(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const test = `package m

import "testing"

func TestSet(t *testing.T) {
	Put(3)
	if !Has(3) || Has(4) {
		t.Error("wrong")
	}
}
`
	for _, c := range []struct {
		name, base, was, now string
		races                bool
	}{
		{"method in another order", besideMethod, "for _, m := range s.list {\n\t\tif m == n {", "for i := range s.list {\n\t\tif n == s.list[i] {", false},
		{"method that reads before its lock", besideMethod, "s.mu.RLock()\n", "if len(s.list) == 0 {\n\t\treturn false\n\t}\n\ts.mu.RLock()\n", true},
		{"function in another order", besideFunction, "for _, m := range list {\n\t\tif m == n {", "for i := range list {\n\t\tif n == list[i] {", false},
		{"function that reads before its lock", besideFunction, "mu.RLock()\n", "if len(list) == 0 {\n\t\treturn false\n\t}\n\tmu.RLock()\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.One(t, 4)
			m := newModule(t, map[string]string{"m.go": c.base, "m_test.go": test}, map[string]string{"m.go": strings.Replace(c.base, c.was, c.now, 1)})
			m.cfg.NoRace = false
			p := m.plan(t)
			found, _, err := p.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d := found[0]
			if d.NoConcurrent == "the race detector does not build here" {
				t.Skip(d.NoConcurrent)
			}
			races := slices.ContainsFunc(d.Differences, func(x model.Difference) bool { return x.Kind == model.DiffConcurrent })
			if races != c.races || d.OK() == c.races {
				t.Errorf("%+v", d)
			}
		})
	}
}
