package c68

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// V4 generic
func cloneTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := os.Create(filepath.Join(to, rel))
		if err != nil {
			return err
		}
		defer out.Close()
		_, err = io.Copy(out, in)
		return err
	})
}

func inCopy[R any](workspace string, run func(dir string) (R, error)) (result R, err error) {
	dir, err := os.MkdirTemp("", "run-")
	if err != nil {
		return result, err
	}
	defer os.RemoveAll(dir)
	if err := cloneTree(workspace, dir); err != nil {
		return result, err
	}
	return run(dir)
}

func runAll[R any](workspace string, commands []func(string) (R, error)) (results []R, err error) {
	for _, c := range commands {
		r, err := inCopy(workspace, c)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}
