package difftest

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// A method that is called beside those that the tests call only before it.
func TestBeside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const base = `package m

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
`
	const test = `package m

import "testing"

func TestSet(t *testing.T) {
	s := &Set{}
	s.Put(3)
	if !s.Has(3) || s.Has(4) {
		t.Error("wrong")
	}
}
`
	for _, c := range []struct {
		name, was, now string
		races          bool
	}{
		{"another order", "for _, m := range s.list {\n\t\tif m == n {", "for i := range s.list {\n\t\tif n == s.list[i] {", false},
		{"a read before the lock", "s.mu.RLock()\n", "if len(s.list) == 0 {\n\t\treturn false\n\t}\n\ts.mu.RLock()\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.One(t, 2)
			m := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": strings.Replace(base, c.was, c.now, 1)})
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
