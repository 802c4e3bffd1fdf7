package worth

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestFind(t *testing.T) {
	tests := []struct {
		symbol, file string
		fn           Func
		want         bool
	}{
		{"example.com/m.F", "", Func{Name: "example.com/m.F"}, true},
		{"example.com/m.F2", "", Func{Name: "example.com/m.F"}, false},
		{"example.com/m.F.func1", "", Func{Name: "example.com/m.F"}, true},
		{"example.com/m.F.func1.2", "", Func{Name: "example.com/m.F"}, true},
		{"example.com/m.F.gowrap1", "", Func{Name: "example.com/m.F"}, true},
		{"example.com/m.F.deferwrap2", "", Func{Name: "example.com/m.F"}, true},
		{"example.com/m.F-range1", "", Func{Name: "example.com/m.F"}, true},
		{"example.com/m.F.func1-range2", "", Func{Name: "example.com/m.F"}, true},
		{"example.com/m.F.functional", "", Func{Name: "example.com/m.F"}, false},
		{"example.com/m.F.G", "", Func{Name: "example.com/m.F"}, false}, // F is a type
		{"example.com/m.(*T).F", "", Func{Name: "example.com/m.T.F"}, true},
		{"example.com/m.T.F", "", Func{Name: "example.com/m.(*T).F"}, true},
		{"example.com/m.(*T).F-fm", "", Func{Name: "example.com/m.(*T).F"}, true},
		{"example.com/m.(*T).F.func1", "", Func{Name: "example.com/m.(*T).F"}, true},
		{"example.com/m.(*U).F", "", Func{Name: "example.com/m.(*T).F"}, false},
		{"example.com/m.Map[...]", "", Func{Name: "example.com/m.Map"}, true},
		{"example.com/m.Map[go.shape.int,go.shape.struct { example.com/n.X [4]int }]", "", Func{Name: "example.com/m.Map[K, V]"}, true},
		{"example.com/m.(*Set[...]).Add.func1", "", Func{Name: "example.com/m.(*Set[T]).Add"}, true},
		{"gopkg.in/yaml%2ev3.Unmarshal", "", Func{Name: "gopkg.in/yaml.v3.Unmarshal"}, false}, // not how a symbol has it
		{"gopkg.in/yaml%2ev3.Unmarshal", "", Func{Name: "gopkg.in/yaml%2ev3.Unmarshal"}, true},
		{"gopkg.in/yaml%2ev2.Unmarshal", "", Func{Name: "gopkg.in/yaml%2ev3.Unmarshal"}, true},
		{"app.example.com/vendor/example.com/m.F", "", Func{Name: "example.com/m.F"}, true},
		{"vendor/golang.org/x/net/idna.ToASCII", "", Func{Name: "golang.org/x/net/idna.ToASCII"}, true},
		{"example.com/m/v2/sub.F", "", Func{Name: "example.com/m/sub.F"}, true},
		{"example.com/other/sub.F", "/src/other/sub/f.go", Func{Name: "example.com/m/sub.F", File: "f.go"}, true}, // a fork, perhaps
		{"example.com/other/sub.F", "/src/other/sub/g.go", Func{Name: "example.com/m/sub.F", File: "f.go"}, false},
		{"example.com/other/sub.F", "", Func{Name: "example.com/m/sub.F"}, false},
		{"main.F", "/src/cmd/tool/main.go", Func{Name: "example.com/m/cmd/tool.F", File: "cmd/tool/main.go"}, true},
		{"main.F", "/src/cmd/other/main.go", Func{Name: "example.com/m/cmd/tool.F", File: "cmd/tool/main.go"}, false},
		{"main.run.F.func1", "/mod/example.com/m@v1.2.3/f.go", Func{Name: "example.com/m.F", File: "f.go"}, true}, // inlined into run
		{"main.run.F.func1", "/mod/example.com/n@v1.2.3/f.go", Func{Name: "example.com/m.F", File: "f.go"}, false},
		{"main.run.F", "/mod/example.com/m@v1.2.3/f.go", Func{Name: "example.com/m.F", File: "f.go"}, false},
		{"example.com/m.glob..func1", "", Func{Name: "example.com/m.F"}, false},
		{"memmove", "", Func{Name: "example.com/m.F"}, false},
		{"", "", Func{Name: "example.com/m.F"}, false},
	}
	for _, tt := range tests {
		f := find([]model.Frame{{Func: tt.symbol, File: tt.file}}, []Func{tt.fn})
		if got := len(f.names) == 1; got != tt.want {
			t.Errorf("%s (%s) for %+v: %v", tt.symbol, tt.file, tt.fn, got)
		}
		if len(f.names)+len(f.absent) != 1 {
			t.Errorf("%s: %+v", tt.symbol, f)
		}
	}
}

// Its own name comes before what may be meant.
func TestFindPrefersName(t *testing.T) {
	all := []model.Frame{{Func: "example.com/m/v2.F"}, {Func: "example.com/m.F"}}
	f := find(all, []Func{{Name: "example.com/m.F"}})
	if len(f.frames) != 1 || !f.frames[all[1]] || len(f.others) != 0 {
		t.Errorf("got %+v", f)
	}
	forks := []model.Frame{{Func: "example.com/a/m.F", File: "f.go"}, {Func: "example.com/b/m.F", File: "f.go"}}
	if f := find(forks, []Func{{Name: "example.com/c/m.F", File: "f.go"}}); len(f.frames) != 0 {
		t.Errorf("took one of two forks: %+v", f)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"example.com/m.(*T[...]).F-fm", "gopkg.in/yaml%2ev3.F.func1", "]][[.", "a/vendor/", "%2", "m.F·f"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		// It ends, and a function is found under its own name.
		got := find([]model.Frame{{Func: a}}, []Func{{Name: a}})
		if n := parse(a); n.full != "" && len(got.names) != 1 {
			t.Errorf("%q is not found by its own name: %+v", a, n)
		}
		find([]model.Frame{{Func: a, File: b}}, []Func{{Name: b, File: a}})
	})
}
