package a

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func missing(names []string) (out []string) {
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil { // want `exec.LookPath asks for the command in each directory of PATH, in each iteration`
			out = append(out, name)
		}
	}
	return out
}

type dispatcher struct{ env map[string]string }

// Each command is looked up by itself, two calls away from the loop.
func (d *dispatcher) preflight(targets []string) error {
	for _, target := range targets {
		if err := d.check(target); err != nil {
			return err
		}
	}
	return nil
}

func (d *dispatcher) check(target string) error {
	_, err := d.lookPathEnv("bus-" + target)
	return err
}

func (d *dispatcher) lookPathEnv(name string) (string, error) {
	for _, dir := range filepath.SplitList(d.env["PATH"]) { // want `a list of directories is split, and each is asked for a file, and lookPathEnv is called in a loop at a.go:26`
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() {
			return filepath.Join(dir, name), nil
		}
	}
	return "", exec.ErrNotFound
}

func handle(w http.ResponseWriter, r *http.Request) {
	for _, dir := range strings.Split(os.Getenv("PATH"), string(os.PathListSeparator)) { // want `and handle is reached from an HTTP handler`
		if _, err := os.Lstat(filepath.Join(dir, r.URL.Path)); err == nil {
			fmt.Fprintln(w, dir)
		}
	}
}

func resolve[T ~string](names []T, add func(string)) error {
	for _, name := range names {
		look := func() (string, error) {
			return exec.LookPath(string(name)) // want `and resolve is called in a loop at a.go:71`
		}
		path, err := look()
		if err != nil {
			return err
		}
		add(path)
	}
	return nil
}

func all(groups [][]string, add func(string)) {
	for _, names := range groups {
		_ = resolve(names, add)
	}
}

func allFound(names []string) bool {
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil { // want `exec.LookPath asks for the command in each directory of PATH, in each iteration`
			return false
		}
	}
	return true
}

// What follows is left alone.

func browser() (string, error) {
	for _, name := range []string{"chromium", "chrome"} { // one command has several names
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

func each(paths []string, name string) (out []string) {
	for _, path := range paths {
		os.Setenv("PATH", path) // each search is another
		if p, err := exec.LookPath(name); err == nil {
			out = append(out, p)
		}
	}
	return out
}

type index struct{ found map[string]string }

func (x *index) all(names []string) {
	for _, name := range names {
		if _, ok := x.found[name]; ok {
			continue
		}
		x.found[name], _ = exec.LookPath(name) // what was found is kept
	}
}

func runs(names []string) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			exec.Command(path, "-version").Run() // which takes far longer
		}
	}
}

func tool() (string, error) { return exec.LookPath("git") } // once

func list(env string) int { return len(filepath.SplitList(env)) }

func lists(envs []string) (n int) {
	for _, env := range envs {
		n += list(env) // nothing is asked
	}
	return n
}

func init() {
	fmt.Println(started())
}

func started() string {
	if p, err := tool(); err == nil {
		return p
	}
	return ""
}
