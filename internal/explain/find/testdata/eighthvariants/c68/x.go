package c68

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// V1 generic
type job interface{ Exec(dir string) error }

func copyTree(dst, src string) error {
	return filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dst, rel), 0o755)
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := os.Create(filepath.Join(dst, rel))
		if err != nil {
			return err
		}
		defer out.Close()
		_, err = io.Copy(out, in)
		return err
	})
}

func RunAll[J job](repo string, jobs []J) error {
	for _, j := range jobs {
		tmp, err := os.MkdirTemp("", "job")
		if err != nil {
			return err
		}
		if err := copyTree(tmp, repo); err != nil {
			return err
		}
		if err := j.Exec(tmp); err != nil {
			return err
		}
		os.RemoveAll(tmp)
	}
	return nil
}
