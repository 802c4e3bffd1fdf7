package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// ErrNone says that there is no Chromium on this machine.
var ErrNone = errors.New("no Chromium")

// The environment variables that say which Chromium, and whether tests may do
// without.
const (
	PathVariable = "PAWL_CHROMIUM"
	NeedVariable = "PAWL_NEED_CHROMIUM"
)

// find returns the path of Chromium, or an error that is ErrNone.
func find() (string, error) {
	if name := os.Getenv(PathVariable); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%w: %s is %s: %v", ErrNone, PathVariable, name, err)
		}
		return path, nil
	}
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: none of %s is on the path; install one of them, or name it in %s", ErrNone, strings.Join(names, ", "), PathVariable)
}
