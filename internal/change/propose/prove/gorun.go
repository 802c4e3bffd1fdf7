package prove

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// runLimit is how long compiling and running the comparison may take.
const runLimit = 2 * time.Minute

// goRunner returns a function that builds and runs the program in a directory,
// outside any module of the user's: it holds pawl's code only.
func goRunner(ctx context.Context, env []string) func(string, ...string) (string, error) {
	return func(dir string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, runLimit)
		defer cancel()
		bin, err := exec.LookPath("go")
		if err != nil {
			return "", err
		}
		if env == nil {
			env = os.Environ()
		}
		var meter *gocmd.Meter
		e, err := meter.Run(ctx, gocmd.Proc{
			Path: bin, Args: append([]string{"run", "."}, args...), Dir: dir, CPU: gocmd.NoCPU, Kind: gocmd.Build,
			Env: append(env[:len(env):len(env)], "GOWORK=off", "GOFLAGS=", "PWD="+dir, "GOTMPDIR="+dir),
		})
		if err != nil {
			return "", err
		}
		if e.Code != 0 {
			return "", fmt.Errorf("go run ended with %d: %s", e.Code, strings.TrimSpace(string(e.Stderr)))
		}
		return string(e.Stdout), nil
	}
}
