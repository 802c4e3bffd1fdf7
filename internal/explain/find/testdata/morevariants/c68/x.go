package c68

import (
	"io/fs"
	"os"
	"path/filepath"
)

func copyTree(dst, src string) error { return os.CopyFS(dst, os.DirFS(src)) }

// V1 renamed, missed
func execAll(ws string, cmds []func(string) error) error {
	for _, c := range cmds {
		tmp, err := os.MkdirTemp("", "ws")
		if err != nil {
			return err
		}
		if err := copyTree(tmp, ws); err != nil {
			return err
		}
		if err := c(tmp); err != nil {
			return err
		}
	}
	return nil
}

// V2 method
type sandbox struct{ root string }

func (s *sandbox) clone(dst string) error {
	return filepath.WalkDir(s.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(s.root, p)
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dst, rel), b, 0o644)
	})
}
func (s *sandbox) run(cmds []string) error {
	for range cmds {
		d, _ := os.MkdirTemp("", "")
		if err := s.clone(d); err != nil {
			return err
		}
	}
	return nil
}

// V3 closure
func stage(src string) func([]string) error {
	return func(dsts []string) error {
		for _, d := range dsts {
			if err := os.CopyFS(d, os.DirFS(src)); err != nil {
				return err
			}
		}
		return nil
	}
}

// V4 generic
func RunEach[C any](src string, cs []C, f func(string, C) error) error {
	for _, c := range cs {
		dir, _ := os.MkdirTemp("", "x")
		if err := os.CopyFS(dir, os.DirFS(src)); err != nil {
			return err
		}
		if err := f(dir, c); err != nil {
			return err
		}
	}
	return nil
}

// V5 two functions, missed
func prepare(src string) (string, error) {
	dir, err := os.MkdirTemp("", "p")
	if err != nil {
		return "", err
	}
	return dir, copyTree(dir, src)
}
func runCmds(src string, names []string) error {
	for range names {
		if _, err := prepare(src); err != nil {
			return err
		}
	}
	return nil
}
