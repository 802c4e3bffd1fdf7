package c68

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

// V1 two functions, walk
func clone(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := os.Create(target)
		if err != nil {
			return err
		}
		defer out.Close()
		_, err = io.Copy(out, in)
		return err
	})
}

func RunEach(work string, commands [][]string) error {
	for _, argv := range commands {
		dir, err := os.MkdirTemp("", "run")
		if err != nil {
			return err
		}
		if err := clone(work, dir); err != nil {
			return err
		}
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir = dir
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

// V2 closure, handler
func Sandboxes(template string) http.HandlerFunc {
	source := os.DirFS(template)
	return func(w http.ResponseWriter, r *http.Request) {
		dir, err := os.MkdirTemp("", "sandbox")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer os.RemoveAll(dir)
		if err := os.CopyFS(dir, source); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		cmd := exec.Command("make", "-C", dir, r.FormValue("target"))
		cmd.Stdout = w
		_ = cmd.Run()
	}
}
