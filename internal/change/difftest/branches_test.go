package difftest

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// A branch that is gone and that no input takes is no proof of anything: where it
// returned an error, that is a difference.
func TestDeletedBranches(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	base := `package m

import "errors"

var ErrTorn = errors.New("torn")

type Page struct {
	sum, want uint32
	data      []byte
}

func NewPage(data []byte) *Page {
	p := &Page{data: data}
	for _, b := range data {
		p.sum += uint32(b)
	}
	p.want = p.sum
	return p
}

func (p *Page) Read(at int) (byte, error) {
	if p.sum != p.want {
		return 0, ErrTorn
	}
	if at < 0 || at >= len(p.data) {
		return 0, errors.New("outside")
	}
	return p.data[at], nil
}

func (p *Page) Count(b byte) int {
	n := 0
	for i := 0; i < len(p.data); i++ {
		if p.data[i] == b {
			n++
		}
	}
	return n
}
`
	test := `package m

import "testing"

func TestPage(t *testing.T) {
	p := NewPage([]byte("some data"))
	if b, err := p.Read(2); b != 'm' || err != nil || p.Count('a') != 2 {
		t.Fatal(b, err)
	}
}
`
	for _, c := range []struct{ name, old, now, fn, where string }{
		{"gone", "\tif p.sum != p.want {\n\t\treturn 0, ErrTorn\n\t}\n", "", "(*Page).Read", `the branch "p.sum != p.want" of line 22 of the base`},
		{"written otherwise", "if p.sum != p.want {", "if ok := p.sum == p.want; !ok {", "(*Page).Read", ""},
		{"taken", "if at < 0 || at >= len(p.data) {", "if uint(at) >= uint(len(p.data)) {", "(*Page).Read", ""},
		{"another loop", "\tfor i := 0; i < len(p.data); i++ {\n\t\tif p.data[i] == b {", "\tfor _, c := range p.data {\n\t\tif c == b {", "(*Page).Count", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.One(t, 3)
			if strings.Count(base, c.old) != 1 {
				t.Fatal(c.old)
			}
			m := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": strings.Replace(base, c.old, c.now, 1)})
			found, _ := m.run(t)
			d := found[c.fn]
			if c.where == "" && !d.OK() || d.Pairs == 0 {
				t.Errorf("%d pairs, %+v", d.Pairs, d.Differences)
			}
			if c.where != "" && (len(d.Differences) != 1 || d.Differences[0].Where != c.where || d.Differences[0].Consent() != model.SuspectUncompared) {
				t.Errorf("%+v", d.Differences)
			}
		})
	}
}
