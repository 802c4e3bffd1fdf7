package x

import (
	"net/http"
	"os"
	"os/exec"
)

// V4 in generic code
func build[T any](root string, parse func(*http.Request) T, args func(T) []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		dir, err := os.MkdirTemp("", "job")
		if err != nil {
			return
		}
		defer os.RemoveAll(dir)
		if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
			return
		}
		cmd := exec.Command("make", args(parse(r))...)
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		w.Write(out)
	}
}
