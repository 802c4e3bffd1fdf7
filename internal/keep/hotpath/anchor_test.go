package hotpath

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

const conn = `package wire

var table = makeTable()

type Conn[T any] struct{}

func (c *Conn[T]) Write(p []byte) {
	buf := make([]byte, 0, len(p))
	_ = buf
	for range p {
		_ = buf
	}
}

func (c Conn[T]) Len() int { return 0 }

func Plain() {
	_ = 1
}
`

func TestFind(t *testing.T) {
	write := Place{Pkg: "example.com/m/wire", Func: "(*Conn).Write", Line: "buf := make([]byte, 0, len(p))", At: model.Pos{File: "wire/conn.go", Line: 8}}
	at := func(file string, line int) model.Pos { return model.Pos{File: file, Line: line} }
	with := func(p Place, line string, n int) Place { p.Line, p.At.Line = line, n; return p }
	renamed := strings.ReplaceAll(conn, ") Write(", ") Send(")
	for name, tt := range map[string]struct {
		files  map[string]string
		place  Place
		where  Whereabouts
		at     model.Pos
		detail string
	}{
		"here":              {map[string]string{"wire/conn.go": conn}, write, Here, at("wire/conn.go", 8), ""},
		"moved down":        {map[string]string{"wire/conn.go": "// a\n// b\n" + conn}, write, Moved, at("wire/conn.go", 10), "moved from wire/conn.go:8 to wire/conn.go:10"},
		"to another file":   {map[string]string{"wire/a.go": conn}, write, Moved, at("wire/a.go", 8), "to wire/a.go:8"},
		"indentation":       {map[string]string{"wire/conn.go": strings.ReplaceAll(conn, "\tbuf :=", "\t\t  buf :=")}, write, Here, at("wire/conn.go", 8), ""},
		"line changed":      {map[string]string{"wire/conn.go": strings.ReplaceAll(conn, "len(p))", "len(p)+4)")}, write, Changed, at("wire/conn.go", 7), "is gone from (*Conn).Write"},
		"to a function":     {map[string]string{"wire/conn.go": renamed}, write, Moved, at("wire/conn.go", 8), "to wire/conn.go:8 in (*Conn).Send"},
		"function gone":     {map[string]string{"wire/conn.go": strings.ReplaceAll(renamed, "len(p))", "len(p)+4)")}, write, Gone, model.Pos{}, "(*Conn).Write is gone from example.com/m/wire"},
		"package gone":      {map[string]string{"net/conn.go": conn}, write, Gone, model.Pos{}, "the package example.com/m/wire is gone"},
		"nearest of two":    {map[string]string{"wire/conn.go": conn}, with(write, "_ = buf", 11), Here, at("wire/conn.go", 11), ""},
		"nearest of two, 2": {map[string]string{"wire/conn.go": conn}, with(write, "_ = buf", 8), Moved, at("wire/conn.go", 9), ""},
		"not its neighbour": {map[string]string{"wire/conn.go": conn, "wire/b.go": "package wire\nfunc B() {\n\t_ = buf\n}\n"}, with(write, "_ = buf", 9), Here, at("wire/conn.go", 9), ""},
		"function only":     {map[string]string{"wire/conn.go": conn}, Place{Pkg: write.Pkg, Func: "Conn.Len"}, Here, at("wire/conn.go", 15), ""},
		"no function":       {map[string]string{"wire/conn.go": conn}, Place{Pkg: write.Pkg, Line: "var table = makeTable()", At: at("wire/conn.go", 3)}, Here, at("wire/conn.go", 3), ""},
		"nothing":           {map[string]string{"wire/conn.go": conn}, Place{Pkg: write.Pkg}, Unknown, model.Pos{}, "names no function"},
		"other module":      {map[string]string{"wire/conn.go": conn}, Place{Pkg: "example.com/other", Func: "F"}, Unknown, model.Pos{}, "not of this module"},
		"outside":           {map[string]string{"wire/conn.go": conn}, Place{Pkg: "example.com/m/../x", Func: "F"}, Unknown, model.Pos{}, "not of this module"},
		"broken file":       {map[string]string{"wire/conn.go": conn + "\nfunc (\n"}, write, Here, at("wire/conn.go", 8), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := Find(module(t, tt.files), tt.place)
			if got.Where != tt.where || got.At != tt.at || !strings.Contains(got.Detail, tt.detail) {
				t.Errorf("%+v, want %s at %v, %q", got, tt.where, tt.at, tt.detail)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	dir := module(t, map[string]string{"wire/conn.go": conn, "root.go": "package m\n\nfunc Root() {\n\t_ = 2\n}\n"})
	write := Place{Pkg: "example.com/m/wire", Func: "(*Conn).Write", Line: "func (c *Conn[T]) Write(p []byte) {", At: model.Pos{File: "wire/conn.go", Line: 7}}
	line := write
	line.Line, line.At.Line = "buf := make([]byte, 0, len(p))", 8
	for _, tt := range []struct {
		from, at string
		want     Place
	}{
		{".", "wire/conn.go:8", line},
		{"wire", "conn.go:8", line},
		{"wire", "wire/conn.go:8", line}, // from the top, as compilers print it
		{".", filepath.Join(dir, "wire", "conn.go") + ":8", line},
		{".", "(*Conn).Write", write},
		{".", "Conn.Write", write},
		{".", "./wire.Conn.Write", write},
		{".", "wire.(*Conn).Write", write},
		{".", "example.com/m/wire.(*Conn).Write", write},
		{"wire", "../wire.Conn.Write", write},
		{".", "m.Root", Place{Pkg: "example.com/m", Func: "Root", Line: "func Root() {", At: model.Pos{File: "root.go", Line: 3}}},
		{".", "wire/conn.go:3", Place{Pkg: "example.com/m/wire", Line: "var table = makeTable()", At: model.Pos{File: "wire/conn.go", Line: 3}}},
	} {
		got, err := Resolve(dir, filepath.Join(dir, tt.from), "example.com/m/wire", tt.at)
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%s in %s: %v\n%s", tt.at, tt.from, err, diff)
		}
		if err == nil && Find(dir, got).Where != Here {
			t.Errorf("%s: %+v is not found again", tt.at, got)
		}
	}
	for at, want := range map[string]string{
		"conn.go:8":           "there is no file conn.go in the module",
		"../../etc/x.go:1":    "there is no file",
		"wire/conn.go:900":    "has 20 lines",
		"wire/conn.go:2":      "holds no code",
		"wire/conn.go:13":     "holds no code",
		"wire/conn.go":        "names no line",
		"(*Conn).Wriet":       "the nearest is (*Conn).Write",
		"fmt.Println":         "there is no function fmt.Println",
		"":                    "there is no function",
		"example.com/x.F.G.H": "there is no function",
	} {
		if _, err := Resolve(dir, dir, "example.com/m/wire", at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", at, err, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add(conn, "(*Conn).Write", "_ = buf", 4)
	f.Add("package p; func A() {}; func B() {\n}", "B", "}", 1)
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o666); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src, fn, line string, n int) {
		if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		got := Find(dir, Place{Pkg: "m", Func: fn, Line: line, At: model.Pos{File: "a.go", Line: n}})
		if got.Where != Here && got.Where != Moved || line == "" {
			return
		}
		if lines := strings.Split(src, "\n"); strings.TrimSpace(lines[got.At.Line-1]) != line {
			t.Fatalf("%+v is not where %q stands", got, line)
		}
	})
}
