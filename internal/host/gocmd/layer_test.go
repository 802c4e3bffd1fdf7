package gocmd

import (
	"os"
	"path/filepath"
	"testing"
)

// What is built through a layer is what is built when the tree holds it, beside an overlay
// that wins over both.
func TestOnLayer(t *testing.T) {
	const was, is, ours = "package a\n\nconst A = 1\n", "package a\n\nfunc F() string { panic(B) }\n", "package a\n\nconst B = 2\n"
	dir := module(t, map[string]string{"a.go": was, "b.go": "package a\n\nconst B = 1\n"})
	over := module(t, map[string]string{"b.txt": ours})
	g := open(t, dir)
	if err := g.UseOverlay(filepath.Join(over, "all.json"), map[string]string{filepath.Join(dir, "b.go"): filepath.Join(over, "b.txt")}); err != nil {
		t.Fatal(err)
	}
	l := &Layer{Dir: filepath.Join(t.TempDir(), "layer")}
	for file, text := range map[string]string{"a.go": is, "b.go": "package a\n", "c.go": "package a\n"} {
		if err := l.Put(filepath.Join(dir, file), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	ctx := OnLayer(t.Context(), l)
	if got, err := ReadFile(ctx, filepath.Join(dir, "a.go")); err != nil || string(got) != is {
		t.Errorf("a.go is %q, %v", got, err)
	}
	args := []string{"list", "-export", "-overlay=" + g.Overlay(), "-f", "{{.BuildID}} {{.Export}} {{.GoFiles}}", "."}
	ahead, err := g.Run(ctx, Build, args...)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := g.Run(t.Context(), Build, args...)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"a.go": is, "c.go": "package a\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	then, err := g.Run(t.Context(), Build, args...)
	if err != nil {
		t.Fatal(err)
	}
	if string(ahead.Stdout) != string(then.Stdout) || string(plain.Stdout) == string(then.Stdout) {
		t.Errorf("through the layer\n%s, from the tree\n%s, and before\n%s", ahead.Stdout, then.Stdout, plain.Stdout)
	}
}
