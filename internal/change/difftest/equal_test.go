package difftest

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

func TestEqualised(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"clock", "package m\nimport \"time\"\nfunc F() (time.Time, func() time.Time) { return time.Now(), time.Now }",
			"package m; import pawl_drive \"pawldrive\"\nimport \"time\"\nfunc F() (time.Time, func() time.Time) { return pawl_drive.Now(), pawl_drive.Now }\nvar _ = time.Now\n"},
		{"random numbers", "package m\nimport (r \"math/rand\"; \"crypto/rand\")\nvar x, y = r.Intn(3), rand.Reader",
			"package m; import pawl_drive \"pawldrive\"\nimport (r \"math/rand\"; \"crypto/rand\")\nvar x, y = pawl_drive.Random.Intn(3), pawl_drive.Entropy\nvar _ = r.Intn\n\nvar _ = rand.Reader\n"},
		{"a variable, beside the clock", "package m\nimport (\"crypto/rand\"; \"time\")\nvar r = rand.Reader\nvar _ time.Time",
			"package m; import pawl_drive \"pawldrive\"\nimport (\"crypto/rand\"; \"time\")\nvar r = pawl_drive.Entropy\nvar _ time.Time\nvar _ = rand.Reader\n"},
		{"another rand", "package m\nimport \"math/rand/v2\"\nfunc F(n int64) int64 { return rand.Int64N(n) + rand.N(n) }",
			"package m; import pawl_drive \"pawldrive\"\nimport \"math/rand/v2\"\nfunc F(n int64) int64 { return pawl_drive.RandomV2.Int64N(n) + rand.N(n) }\nvar _ = rand.Int64N\n"},
		{"set by the file", "package m\nimport \"crypto/rand\"\nfunc F() { rand.Reader = nil }\nvar r = rand.Reader", ""},
		{"a variable of that name", "package m\nimport \"time\"\nfunc F(time struct{ Now func() }) { time.Now() }\nvar _ time.Time", ""},
		{"nothing", "package m\nimport \"time\"\nvar x time.Duration", ""},
	} {
		got := string(equalised([]byte(c.src)))
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", got+c.src[:len("package m")*b2i(got == "")], 0); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What is made of the time and of random numbers is compared, since both sides
// get the same.
func TestTimeAndRandom(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	base := `package m

import (
	"crypto/rand"
	"encoding/hex"
	mrand "math/rand"
	"time"
)

type Entry struct {
	ID    string
	At    time.Time
	Until time.Time
}

func New(ttl time.Duration) Entry {
	b := make([]byte, 8)
	rand.Read(b)
	now := time.Now()
	return Entry{hex.EncodeToString(b), now, now.Add(ttl)}
}

func (e *Entry) Expired() bool { return time.Now().After(e.Until) }

func Roll(n int) int { return mrand.Intn(n) }
`
	test := `package m

import ("testing"; "time")

func TestNew(t *testing.T) {
	e := New(time.Hour)
	if e.Expired() || Roll(6) > 5 { t.Fatal(e) }
}
`
	for _, c := range []struct{ name, old, now, fn, kind, note string }{
		{"faster", "return Entry{hex.EncodeToString(b), now, now.Add(ttl)}", "var h [16]byte\n\thex.Encode(h[:], b)\n\treturn Entry{string(h[:]), now, now.Add(ttl)}", "New", "", ""},
		{"asks twice", "now.Add(ttl)}", "time.Now().Add(ttl)}", "New", "", "result 0: it is made of the time"},
		{"another source", "\trand.Read(b)\n", "\tmrand.Read(b)\n\t_ = rand.Reader\n", "New", "result", ""},
		{"fewer bytes", "\trand.Read(b)\n", "\trand.Read(b[:2])\n", "New", "result", ""},
		{"never expires", "time.Now().After(e.Until)", "time.Now().Before(e.At)", "(*Entry).Expired", "result", ""},
		{"loaded dice", "mrand.Intn(n)", "max(mrand.Intn(n)-1, 0)", "Roll", "result", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.One(t, 6)
			if strings.Count(base, c.old) != 1 {
				t.Fatal(c.old)
			}
			m := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": strings.Replace(base, c.old, c.now, 1)})
			found, _ := m.run(t)
			d := found[c.fn]
			if c.kind == "" && !d.OK() || c.kind != "" && (len(d.Differences) == 0 || string(d.Differences[0].Kind) != c.kind) || d.Pairs == 0 {
				t.Errorf("%d pairs, %+v", d.Pairs, d.Differences)
			}
			all := strings.Join(d.Uncompared, "\n")
			if strings.Contains(all, "does not always do the same") || !strings.Contains(all, c.note) {
				t.Errorf("not compared: %s", all)
			}
		})
	}
}
