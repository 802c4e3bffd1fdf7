package hotpath

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/words"
)

// How much of what a failed guardrail said is kept: its last lines.
const (
	tailRead  = 64 << 10
	tailLines = 20
	tailBytes = 4 << 10
)

// A GuardResult is what became of one guardrail.
type GuardResult struct {
	Guard   Guard    `json:"guard"`
	OK      bool     `json:"ok"`
	Failed  bool     `json:"failed,omitempty"` // it said no, or did not end in time
	Why     string   `json:"why,omitempty"`    // in one line, where it is not OK
	Tail    []string `json:"tail,omitempty"`   // its last lines, where it failed
	Seconds float64  `json:"seconds"`
}

// RunGuard runs a guardrail in dir with the environment env and nothing on its
// standard input. A guardrail that cannot be run is neither OK nor Failed. The
// error is ctx's.
func RunGuard(ctx context.Context, g Guard, dir string, env []string, m *gocmd.Meter) (GuardResult, error) {
	res := GuardResult{Guard: g}
	sh, err := exec.LookPath("sh")
	if err != nil {
		res.Why = "could not run: there is no sh on PATH, and guardrails are its commands"
		return res, nil
	}
	limited, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	e, err := m.Run(limited, gocmd.Proc{
		Path: sh, Args: []string{"-c", g.Command}, Dir: dir, Env: verbosely(g.Command, env), CPU: gocmd.NoCPU, Kind: gocmd.Test, Limit: tailRead,
	})
	res.Seconds = e.Wall.Seconds()
	switch {
	case ctx.Err() != nil:
		return res, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		res.Failed, res.Why = true, fmt.Sprintf("did not end within %s", words.Duration(g.Timeout))
	case err != nil:
		res.Why = "could not run: " + err.Error()
		return res, nil
	case e.Code == 0:
		res.Why = ranNothing(g.Command, e.Stdout)
		if res.OK, res.Failed = res.Why == "", res.Why != ""; res.OK {
			return res, nil
		}
	case e.Code == 126 || e.Code == 127: // what a shell says about a command that is not there
		res.Why = fmt.Sprintf("could not run: exit code %d, which is a command that is not there", e.Code)
	case e.Code < 0:
		res.Failed, res.Why = true, "was ended by a signal"
	default:
		res.Failed, res.Why = true, fmt.Sprintf("exit code %d", e.Code)
	}
	res.Tail = tail(e, env)
	return res, nil
}

// tail returns the last lines of what a process said, on stderr where it said
// something there, without secrets as far as they can be told.
func tail(e gocmd.Exit, env []string) []string {
	out := string(e.Stderr)
	if strings.TrimSpace(out) == "" {
		out = string(e.Stdout)
	}
	return cutTail(mask(out, env))
}

// lastLines is cutTail for an error.
func lastLines(text string) string { return strings.Join(cutTail(text), "\n") }

// cutTail returns the last lines of a text, as plain ones.
func cutTail(text string) []string {
	var kept []string
	size := 0
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(text, "�")), "\n")
	for _, l := range slices.Backward(lines) {
		l = plain(l)
		if size += len(l) + 1; len(kept) == tailLines || size > tailBytes {
			break
		}
		if l != "" || len(kept) > 0 {
			kept = append(kept, l)
		}
	}
	slices.Reverse(kept)
	return kept
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]`)

// plain takes out of a line what a terminal would obey.
func plain(l string) string {
	l = escapes.ReplaceAllString(l, "")
	l = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case hidden(r):
			return -1
		}
		return r
	}, l)
	return strings.TrimRight(l, " ")
}

// leastSecret is the length from which on the value of a variable is taken for
// one: shorter values stand in other words by chance.
const leastSecret = 8

var secretName = regexp.MustCompile(`(?i)TOKEN|SECRET|PASSW|CREDENTIAL|APIKEY|(^|_)(KEY|PASS|PAT)$|_KEY_`)

// mask replaces the values of variables whose names say that they are secret.
func mask(out string, env []string) string {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if len(value) >= leastSecret && secretName.MatchString(name) {
			out = strings.ReplaceAll(out, value, "["+name+"]")
		}
	}
	return out
}
