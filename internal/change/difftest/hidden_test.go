package difftest

import (
	"strings"
	"testing"
)

// TestHiddenMethod: a new method that hides a promoted one changes functions
// whose text is the same. They are named as not compared.
func TestHiddenMethod(t *testing.T) {
	t.Parallel()
	base := `package m

type inner struct{ n int }

func (i *inner) get() int { return i.n }

type Outer struct{ inner }

func (o *Outer) Get() int { return o.get() }

func (o *Outer) Other() int { return o.n }
`
	cand := strings.Replace(base, "func (o *Outer) Get", "func (o *Outer) get() int { return 7 }\n\nfunc (o *Outer) Get", 1)
	m := newModule(t, map[string]string{"m.go": base, "m_test.go": "package m\n"}, map[string]string{"m.go": cand})
	found := m.plan(t).Functions()
	if len(found) != 1 || found[0].Func != "example.com/m.(*Outer).Get" || !strings.Contains(found[0].Skipped, "another method") {
		t.Errorf("%+v", found)
	}
}
