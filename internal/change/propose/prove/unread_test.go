package prove

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCalledUnread(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"m.go": `package m

import _ "unsafe"

type t struct{}

type shape interface{ area() int }

func (t) area() int  { return 1 }
func (t) width() int { return 1 }

func read() {}

func Exported() {}

func other() {}

//go:linkname named example.com/other.named
func named() {}

func jumped() {}

func leapt() {}

func use(s shape) int { read(); other(); named(); leapt(); return t{}.area() + t{}.width() }
`,
		"m.s":          "TEXT ·stub(SB),4,$0\n\tCALL ·jumped(SB)\n\tRET\n",
		"m_plan9.go":   "package m\n\nfunc init() { other() }\n",
		"m_ignored.go": "//go:build ignore\n\npackage main\n\nfunc read() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(t.Context(), Config{Dir: dir, Root: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"read": false, "leapt": false, "width": false, "use": false, "Exported": true, "other": true, "named": true, "jumped": true, "area": true,
	} {
		found := false
		for _, fn := range p.Funcs {
			if fn.Obj.Name() == name {
				if found = true; p.CalledUnread(fn) != want {
					t.Errorf("%s: %v", name, !want)
				}
			}
		}
		if !found {
			t.Error(name, "is not there")
		}
	}
}
