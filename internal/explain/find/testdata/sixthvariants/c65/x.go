package c65

import (
	"fmt"
	"net/http"
	"os/exec"
)

// V1 two functions
func have(command string) bool {
	_, err := exec.LookPath(command)
	return err == nil
}

func Usable(tools map[string]string) (n int) {
	for _, command := range tools {
		if have(command) {
			n++
		}
	}
	return n
}

// V2 handler, method
type front struct{ tool string }

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, err := exec.LookPath(f.tool)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	fmt.Fprintln(w, path)
}
