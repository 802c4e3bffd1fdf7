package a

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
)

type module struct {
	root string
	run  func(dir string) error
}

// The workspace is cloned for each command.
func (m *module) commands(all []string) error {
	for range all {
		if err := m.viaTempWorkspace(); err != nil {
			return err
		}
	}
	return nil
}

func (m *module) viaTempWorkspace() error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := copyTree(m.root, dir); err != nil {
		return err
	}
	return m.run(dir)
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error { // want `a whole tree of files is copied, and copyTree is called in a loop at a.go:19`
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return copyFile(path, filepath.Join(to, rel))
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}

func handle(w http.ResponseWriter, r *http.Request) {
	os.CopyFS(os.TempDir(), os.DirFS("templates")) // want `a whole tree of files is copied, and handle is reached from an HTTP handler`
}

func each[T ~string](roots []T) {
	for _, root := range roots {
		filepath.Walk(string(root), one) // want `a whole tree of files is copied in each iteration`
	}
}

func one(path string, info fs.FileInfo, err error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path+".copy", data, info.Mode())
}

// What follows is left alone.

func backup(from, to string) error { return os.CopyFS(to, os.DirFS(from)) } // once

func sizes(roots []string) (n int64) {
	for _, root := range roots {
		filepath.Walk(root, func(path string, info fs.FileInfo, err error) error { // nothing is written
			data, err := os.ReadFile(path)
			n += int64(len(data))
			return err
		})
	}
	return n
}

func format(dirs []string) {
	for _, dir := range dirs {
		filepath.Walk(dir, func(path string, info fs.FileInfo, err error) error { // each file is changed in place
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, append(data, '\n'), info.Mode())
		})
	}
}

func main() {
	if err := backup("a", "b"); err != nil {
		panic(err)
	}
}
