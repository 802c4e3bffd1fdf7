package hints

import (
	"context"
	"go/token"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// TestTryBroken has one suggestion that does not compile beside one that does.
func TestTryBroken(t *testing.T) {
	t.Parallel()
	fx := newFixture(t)
	ctx := context.Background()
	pkg := "example.com/m/bounds"
	s, err := open(ctx, Config{Go: fx.g, Root: fx.root, Scratch: t.TempDir(), Pkgs: []string{pkg}})
	if err != nil {
		t.Fatal(err)
	}
	f := s.tree.file("bounds/bounds.go")
	at := func(name, text string) *draft {
		fd := f.funcAt(fx.places[name].line)
		e := f.Insert(fd.Body.Lbrace+1, text)
		check := func(n *escape.Notes) (string, bool) { return "compiled", len(n.All()) > 0 }
		return &draft{in: f, fd: fd, needed: true, alts: []alternative{{try: text, edits: []model.Edit{e}, check: check}}}
	}
	broken, works := at("count", " undefined();"), at("data", " _ = x[0];")
	if err := s.try(ctx, []*draft{broken, works}); err != nil {
		t.Fatal(err)
	}
	if _, ok := broken.finding(); ok {
		t.Error("a suggestion that does not compile was chosen")
	}
	if got, ok := works.finding(); !ok || got.Tried != "compiled" {
		t.Errorf("the suggestion beside it: %v, tried %q", ok, got.Tried)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	fx := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find(ctx, Config{Go: fx.g, Root: fx.root, Scratch: t.TempDir(), Pkgs: []string{"example.com/m/bounds"}}); err == nil {
		t.Error("no error from a search that was ended")
	}
}

func TestMoved(t *testing.T) {
	t.Parallel()
	fx := newFixture(t)
	tree := &tree{root: fx.root, fset: token.NewFileSet(), files: map[string]*file{}}
	f := tree.file("bounds/bounds.go")
	fd := f.funcAt(fx.places["once"].line)
	ret := fd.Body.List[0]
	edits := []model.Edit{f.Insert(ret.Pos(), "_ = 1; ")}
	want := model.Pos{File: f.Name, Line: f.Line(ret.Pos()), Col: f.Col(ret.Pos()) + 7}
	if got := f.Moved(ret.Pos(), edits); got != want {
		t.Errorf("moved to %v; want %v", got, want)
	}
	if got := string(edit.Must(f.Src, edits)); !strings.Contains(got, "\t_ = 1; return x[i]") {
		t.Errorf("the edit is not in\n%s", got)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for symbol, want := range map[string][3]string{
		"example.com/m/p.F":                             {"F", "F", "p.F"},
		"example.com/m/p.(*T).M":                        {"(*T).M", "M", "p.(*T).M"},
		"example.com/m/p.(*T[go.shape.int]).M":          {"(*T).M", "M", "p.(*T).M"},
		"gopkg.in/yaml%2ev3.F[...]":                     {"F", "F", "yaml%2ev3.F"},
		"example.com/m/p.Map[example.com/m/q.K,int].Do": {"Map.Do", "Do", "p.Map.Do"},
		"example.com/m/p.(*T).M.func1":                  {"(*T).M.func1", "func1", "p.(*T).M.func1"},
	} {
		if got := [3]string{declared(symbol), lastName(symbol), short(symbol)}; got != want {
			t.Errorf("names of %s: %q; want %q", symbol, got, want)
		}
	}
}
