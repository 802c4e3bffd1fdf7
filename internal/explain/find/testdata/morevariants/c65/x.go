package c65

import (
	"os"
	"os/exec"
	"path/filepath"
)

// V1 renamed
func resolve(cmds []string) (paths []string, err error) {
	for _, c := range cmds {
		p, err := exec.LookPath("bus-" + c)
		if err != nil {
			return nil, err
		}
		paths = append(paths, p)
	}
	return paths, nil
}

// V2 method
type runner struct{ env []string }

func (r *runner) find(name string) string {
	for _, d := range filepath.SplitList(os.Getenv("PATH")) {
		p := filepath.Join(d, name)
		if fi, err := os.Stat(p); err == nil && fi.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
}
func (r *runner) findAll(names []string) (out []string) {
	for _, n := range names {
		out = append(out, r.find(n))
	}
	return out
}

// V3 closure
func check(tools []string) func() bool {
	return func() bool {
		for _, t := range tools {
			if _, err := exec.LookPath(t); err != nil {
				return false
			}
		}
		return true
	}
}

// V4 generic
func Available[S ~string](tools []S) (n int) {
	for _, t := range tools {
		if _, err := exec.LookPath(string(t)); err == nil {
			n++
		}
	}
	return n
}

// V5 two functions
func have(tool string) bool {
	_, err := exec.LookPath(tool)
	return err == nil
}
func preflight(tools []string) bool {
	for _, t := range tools {
		if !have(t) {
			return false
		}
	}
	return true
}
