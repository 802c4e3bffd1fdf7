package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A subject is a module with a function that its benchmarks call.
type subject struct {
	module, pkg, bench string
	file               string // that holds the function
	from, to           string // the lines that a move takes to the end of the file
	old, new           string // what makes the function allocate
}

var subjects = []subject{
	{
		module: "github.com/google/btree@v1.1.3", pkg: ".", bench: "GetG$|SeekG|DeleteG", file: "btree_generic.go",
		from: "func (s items[T]) find(", to: "// node is an internal node",
		old: "\ti := sort.Search(len(s), func(i int) bool {\n\t\treturn less(item, s[i])\n", new: "\tc := append(items[T](nil), s...)\n\ti := sort.Search(len(c), func(i int) bool {\n\t\treturn less(item, c[i])\n",
	},
	{
		module: "github.com/emirpasic/gods@v1.18.1", pkg: "./trees/redblacktree", bench: "Get1000$|Put1000$", file: "trees/redblacktree/redblacktree.go",
		from: "func (tree *Tree) lookup(", to: "func (node *Node) grandparent(",
		old: "interface{}) *Node {\n\tnode := tree.Root\n", new: "interface{}) *Node {\n\tkeys := make([]interface{}, tree.size+1)\n\tkeys[0] = key\n\tnode := tree.Root\n",
	},
	{
		module: "github.com/pelletier/go-toml/v2@v2.2.3", pkg: "./benchmark", bench: "ReferenceFile", file: "unstable/scanner.go",
		from: "func scanComment(", to: "func scanBasicString(",
		old: "func scanComment(b []byte) ([]byte, []byte, error) {\n", new: "func scanComment(b []byte) ([]byte, []byte, error) {\n\tb = append([]byte(nil), b...)\n",
	},
	{
		module: "github.com/fxamacker/cbor/v2@v2.7.0", pkg: ".", bench: "UnmarshalCOSE$", file: "valid.go",
		from: "func (d *decoder) wellformedHeadWithIndefiniteLengthFlag(", to: "func (d *decoder) wellformedHead()",
		old: "val uint64, err error) {\n", new: "val uint64, err error) {\n\td.data = append([]byte(nil), d.data...)\n",
	},
}

// A searchedIn is a package of a module that optimize is timed on.
type searchedIn struct{ module, pkg string }

// searched are two that pawl was developed with, and ten that it was not: they stand
// nowhere else in this repository, and nobody has looked at their code for it. Of goldmark
// the published module has no benchmarks.
var searched = []searchedIn{
	{"github.com/pelletier/go-toml/v2@v2.2.3", "./benchmark"},
	{"go.uber.org/zap@v1.27.0", "./zapcore"},
	{"github.com/dlclark/regexp2@v1.11.4", "."},
	{"github.com/segmentio/ksuid@v1.0.4", "."},
	{"github.com/maruel/natural@v1.1.1", "."},
	{"github.com/blevesearch/segment@v0.9.1", "."},
	{"github.com/gosimple/slug@v1.14.0", "."},
	{"github.com/leodido/go-urn@v1.4.0", "."},
	{"github.com/mozillazg/go-pinyin@v0.20.0", "."},
	{"github.com/gabriel-vasile/mimetype@v1.4.6", "."},
	{"github.com/mmcloughlin/geohash@v0.10.0", "."},
	{"github.com/bmatcuk/doublestar/v4@v4.7.1", "."},
}

func (s subject) name() string { return nameOf(s.module) }

func nameOf(module string) string {
	name, _, _ := strings.Cut(module, "@")
	if base := path.Base(name); !strings.HasPrefix(base, "v") {
		return base
	}
	return path.Base(path.Dir(name))
}

func (l *lab) repository(ctx context.Context, module string) (string, error) {
	dir := filepath.Join(l.dir, nameOf(module))
	if _, err := os.Stat(dir); err == nil { // of an earlier row
		_, err := l.do(ctx, dir, "git", "checkout", "-q", "first")
		return dir, err
	}
	f, err := l.do(ctx, l.dir, "go", "mod", "download", "-json", module)
	if err != nil {
		return "", err
	}
	var from struct{ Dir string }
	if err := json.Unmarshal(f.stdout, &from); err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(from.Dir)); err != nil {
		return "", err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "first"}, {"config", "user.name", "lab"}, {"config", "user.email", "lab@localhost"}, {"add", "-f", "."}, {"commit", "-q", "-m", "first"}} {
		if _, err := l.do(ctx, dir, "git", args...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

func (l *lab) prepare(ctx context.Context, s subject) (string, error) {
	dir, err := l.repository(ctx, s.module)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, s.file)
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	for branch, change := range map[string]func(string) (string, bool){"moved": s.move, "allocates": s.allocate} {
		text, ok := change(string(data))
		if !ok {
			return "", fmt.Errorf("%s is not what it was: the change %q does not fit", s.file, branch)
		}
		for _, step := range []func() error{
			func() error { _, err := l.do(ctx, dir, "git", "checkout", "-q", "-b", branch, "first"); return err },
			func() error { return os.WriteFile(file, []byte(text), 0o600) },
			func() error { _, err := l.do(ctx, dir, "git", "commit", "-q", "-a", "-m", branch); return err },
		} {
			if err := step(); err != nil {
				return "", err
			}
		}
	}
	return dir, nil
}

func (s subject) move(text string) (string, bool) {
	i := strings.Index(text, s.from)
	j := strings.Index(text, s.to)
	if i < 0 || j < i {
		return "", false
	}
	return text[:i] + text[j:] + "\n" + text[i:j], true
}

func (s subject) allocate(text string) (string, bool) {
	return strings.Replace(text, s.old, s.new, 1), strings.Contains(text, s.old)
}
