package a

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func export(dir string, files map[string][]byte) error {
	for name, data := range files {
		if err := os.MkdirAll(dir, 0o755); err != nil { // want `os.MkdirAll of the same directory in each iteration`
			return fmt.Errorf("export: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// The seed's own shape: the set-up of each open of one file.
func journal(root, rel string, records [][]byte) error {
	for _, r := range records {
		path := filepath.Clean(filepath.Join(root, rel)) // want `filepath.Clean of the same path`
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write(r)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func derived(root string, names []string) error {
	for i := 0; i < len(names); i++ {
		out := filepath.Join(root, "out")
		err := os.MkdirAll(filepath.Dir(out), 0o755) // want `os.MkdirAll of the same directory`
		if err != nil {
			return err
		}
		if err := os.WriteFile(root+names[i], nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func ignored(dir string) {
loop:
	for i := range 10 {
		_ = os.MkdirAll(dir, 0o755) // want `os.MkdirAll of the same directory`
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o644); err != nil {
			break loop
		}
	}
}

func absolute(root string, names []string) ([]string, error) {
	var all []string
	for _, name := range names {
		abs, err := filepath.Abs(root) // want `filepath.Abs of the same path`
		if err != nil {
			return nil, err
		}
		all = append(all, filepath.Join(abs, name))
	}
	return all, nil
}

func absoluteAnyway(root string, names []string) (all []string) {
	for _, name := range names {
		abs, _ := filepath.Abs(root) // want `filepath.Abs of the same path`
		all = append(all, filepath.Join(abs, name))
	}
	return all
}

func prefixed(root string, names []string) (n int) {
	for _, name := range names {
		if name == filepath.Clean(root) { // want `filepath.Clean of the same path`
			n++
		}
	}
	return n
}

type store struct{ dir string }

// A field may be changed by what is called: class B.
func (s *store) put(names []string, write func(string) error) error {
	for _, name := range names {
		if err := os.MkdirAll(s.dir, 0o755); err != nil { // want `os.MkdirAll of the same directory`
			return err
		}
		if err := write(filepath.Join(s.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// Failing would come earlier than the first entry's print: no fix.
func late(dir string, names []string) error {
	for _, name := range names {
		fmt.Println(name)
		if err := os.MkdirAll(dir, 0o755); err != nil { // want `os.MkdirAll of the same directory`
			return err
		}
	}
	return nil
}

// The error belongs to one name, and the loop goes on: no fix.
func each(dir string, names []string) (bad []string) {
	for _, name := range names {
		if err := os.MkdirAll(dir, 0o755); err != nil { // want `os.MkdirAll of the same directory`
			bad = append(bad, name)
			continue
		}
	}
	return bad
}

// Whether there is an iteration is known by asking only: no fix.
func asked(dir string, next func() bool) error {
	for next() {
		if err := os.MkdirAll(dir, 0o755); err != nil { // want `os.MkdirAll of the same directory`
			return err
		}
	}
	return nil
}

type config struct{ root string }

// There is no fix: c may be nil where there are no names.
func behindPointer(c *config, names []string) (n int) {
	for _, name := range names {
		if name == filepath.Clean(c.root) { // want `filepath.Clean of the same path`
			n++
		}
	}
	return n
}

func derivedBehindPointer(c *config, names []string) (n int) {
	for _, name := range names {
		root := c.root
		if name == filepath.Clean(root) { // want `filepath.Clean of the same path`
			n++
		}
	}
	return n
}

var base = "out"

// No function of the package changes these: class B.
func fixed(names []string, write func(string)) {
	for _, name := range names {
		_ = os.MkdirAll(base, 0o755) // want `os.MkdirAll of the same directory`
		write(filepath.Join(base, name))
	}
}

// Other code may change an exported field, but nothing that is called here does.
func (o *Options) put(names []string) error {
	for _, name := range names {
		if err := os.MkdirAll(o.Root, 0o755); err != nil { // want `os.MkdirAll of the same directory`
			return err
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

type Options struct{ Root string }

type layer struct{ top string }

func (l *layer) open(rel string) (*os.File, error) {
	p := filepath.Join(l.top, filepath.Clean(rel))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(p, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
}

func (l *layer) appendAll(rel string, lines []string) error {
	for _, line := range lines {
		f, err := l.open(rel) // want `open calls os.MkdirAll for the same directory in each iteration`
		if err != nil {
			return err
		}
		fmt.Fprintln(f, line)
		f.Close()
	}
	return nil
}

// What follows is left alone.

func varies(root string, names []string) error {
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

func removed(dir string, names []string) error {
	for range names {
		if err := os.MkdirAll(dir, 0o755); err != nil { // it is removed below
			return err
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

func renamed(dir string, names []string) error {
	for _, name := range names {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.Rename(dir, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) evict(names []string, dir string) error {
	for range names {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		s.cleanup()
	}
	return nil
}

func (s *store) cleanup() { _ = os.RemoveAll(s.dir) }

func elsewhere(dirs []string, rel string) (all []string) {
	for _, dir := range dirs {
		if os.Chdir(dir) != nil {
			continue
		}
		abs, _ := filepath.Abs(rel) // of another directory each time
		all = append(all, abs)
	}
	return all
}

func written(dir string, names []string) error {
	for _, name := range names {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		dir = filepath.Join(dir, name)
	}
	return nil
}

func branch(dir string, names []string) {
	for _, name := range names {
		if name == "" {
			_ = os.MkdirAll(dir, 0o755) // seldom
		}
	}
}

func watch(dir string) {
	for {
		_ = os.MkdirAll(dir, 0o755) // again, should someone remove it
		time.Sleep(time.Second)
	}
}

func fed(dir string, names chan string) {
	for name := range names {
		_ = os.MkdirAll(dir, 0o755)
		_ = os.WriteFile(filepath.Join(dir, name), nil, 0o644)
	}
}

func truncated(path string, records [][]byte) error {
	for _, r := range records {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644) // each one alone in the file
		if err != nil {
			return err
		}
		_, err = f.Write(r)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func captured(dir string, names []string) {
	change := func() { dir = filepath.Join(dir, "x") }
	for range names {
		_ = os.MkdirAll(dir, 0o755)
		change()
	}
}

func later(dir string, names []string) (all []func() error) {
	for range names {
		all = append(all, func() error { return os.MkdirAll(dir, 0o755) })
	}
	return all
}

// The field may be changed by what is called.

type rotated struct {
	dir   string
	Root  string
	inner struct{ dir string }
	names []string
}

func (r *rotated) next() { r.dir += "x" }

func (r *rotated) replace() { r.inner = struct{ dir string }{"x"} }

func (r *rotated) method(names []string) error {
	for range names {
		if err := os.MkdirAll(r.dir, 0o755); err != nil { // next changes it
			return err
		}
		r.next()
	}
	return nil
}

func (r *rotated) cleaned(names []string) (n int) {
	for _, name := range names {
		dir := filepath.Clean(r.dir) // next changes it
		if name == dir {
			r.next()
		}
	}
	return n
}

func (r *rotated) whole(names []string) error {
	for range names {
		if err := os.MkdirAll(r.inner.dir, 0o755); err != nil { // replace changes it
			return err
		}
		r.replace()
	}
	return nil
}

func (r *rotated) exported(names []string, f func()) error {
	for range names {
		if err := os.MkdirAll(r.Root, 0o755); err != nil { // anyone may change it
			return err
		}
		f()
	}
	return nil
}

func (r *rotated) alias(other *rotated, names []string) error {
	for _, name := range names {
		if err := os.MkdirAll(r.Root, 0o755); err != nil { // other may be r
			return err
		}
		*other = rotated{Root: name}
	}
	return nil
}

func (r *rotated) pointer(to *string, names []string) error {
	for _, name := range names {
		if err := os.MkdirAll(r.Root, 0o755); err != nil { // to may point to it
			return err
		}
		*to = name
	}
	return nil
}

func iterated(r *rotated, each func(func(string) bool)) (n int) {
	for name := range each {
		dir := filepath.Clean(r.Root) // each may change it
		if name == dir {
			n++
		}
	}
	return n
}

func addressed(names []string, change func(*string)) {
	c := config{root: "x"}
	p := &c.root
	for range names {
		_ = os.MkdirAll(c.root, 0o755) // change does
		change(p)
	}
}

func elements(rs []rotated, names []string) {
	r := &rs[0]
	for range names {
		_ = os.MkdirAll(r.Root, 0o755) // the first is another one then
		copy(rs, rs[1:])
	}
}

type generic[T any] struct{ dir string }

func (g *generic[T]) set(dir string) { g.dir = dir }

func (g *generic[T]) put(names []string) {
	for _, name := range names {
		_ = os.MkdirAll(g.dir, 0o755) // set changes it
		g.set(name)
	}
}

var current = "x"

func setCurrent(dir string) { current = dir }

func packageVar(names []string) {
	for _, name := range names {
		_ = os.MkdirAll(current, 0o755) // setCurrent changes it
		setCurrent(name)
	}
}

func (l *layer) touchAll(names []string) {
	for _, name := range names {
		if f, err := l.open(name); err == nil {
			f.Close()
		}
	}
}
