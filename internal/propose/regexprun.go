package propose

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/matcher"
)

// matcherInputs is how many texts a generated function is compared on, about:
// so many short ones, and four times as many made from the pattern.
const matcherInputs = 3000

// runLimit is how long compiling and running the comparison may take.
const runLimit = 2 * time.Minute

// A comparison is how generated code was compared with its expression.
type comparison struct {
	texts int    // on which both gave the same
	why   string // that the code cannot be used; "" if it can
}

// matches compiles a generated function beside its expression and runs both.
// It returns on how many texts they gave the same, or why the function is not
// to be used.
func (p *Program) matches(c matcher.Case) (texts int, why string) {
	if done, ok := p.compared[c.Function.Source]; ok {
		return done.texts, done.why
	}
	n, err := p.compare(c)
	if err != nil {
		why = "comparing the code for it with package regexp: " + err.Error()
	}
	p.compared[c.Function.Source] = comparison{n, why}
	return n, why
}

func (p *Program) compare(c matcher.Case) (n int, err error) {
	scratch, err := gocmd.NewScratch("", "regexp")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	dir := scratch.Dir
	var inputs strings.Builder
	for _, s := range matcher.Inputs(c.Pattern, matcherInputs) {
		fmt.Fprintf(&inputs, "%q\n", s)
	}
	for name, text := range map[string]string{
		"go.mod": "module pawl.test/regexp\n\ngo 1.18\n", "main.go": matcher.Program([]matcher.Case{c}), "inputs": inputs.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return 0, err
		}
	}
	out, err := p.goRun(dir, "inputs")
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Sscanf(out, "same %d", &n); err != nil || n == 0 {
		return 0, errors.New(strings.TrimSpace(out))
	}
	return n, nil
}

// goRunner returns a function that builds and runs the program in a folder,
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
