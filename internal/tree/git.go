package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/internal/words"
)

// A git runs git commands in one directory. It is a value: with returns one that
// has more environment.
type git struct {
	dir string
	env []string
}

// newGit returns a git for the directory dir. The caller's GIT_* variables are
// dropped, all of them: pawl may be started by a hook, where GIT_DIR and
// GIT_INDEX_FILE name the very files that must not be written.
func newGit(dir string) git {
	env := []string{
		"GIT_OPTIONAL_LOCKS=0", // or status would rewrite the user's index
		"GIT_TERMINAL_PROMPT=0",
		"GIT_LITERAL_PATHSPECS=1", // a file may be called "a*.go"
		"LC_ALL=C",
	}
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "GIT_") || name == "LC_ALL" {
			continue
		}
		env = append(env, kv)
	}
	return git{dir: dir, env: env}
}

func (g git) with(kv ...string) git {
	g.env = append(append([]string(nil), g.env...), kv...)
	return g
}

// here keeps git from walking up from g's directory: a nested repository with a
// broken .git must be an error, not its parent.
func (g git) here() git {
	return g.with("GIT_CEILING_DIRECTORIES=" + filepath.Dir(g.dir))
}

// quiet are the settings under which git runs no program of the user's, signs
// nothing and starts nothing in the background. The last one keeps a split
// index from leaving a shared part in the user's git directory.
var quiet = []string{
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.fsmonitor=false",
	"-c", "commit.gpgSign=false",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
	"-c", "core.quotePath=false",
	"-c", "core.splitIndex=false",
	"-c", "user.useConfigOnly=true",
	"-c", "i18n.commitEncoding=UTF-8",
}

// run runs git with args and returns its standard output. A failure holds the
// first line that git wrote to its standard error.
func (g git) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := g.command(ctx, args...)
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	return finish(cmd, args)
}

// updateRef runs git update-ref, in a process group of its own: a kill of
// pawl's group does not hit it. Killed while it deletes a branch, git would
// leave the lock of packed-refs, which stops the user's git too.
func (g git) updateRef(ctx context.Context, args ...string) error {
	args = append([]string{"update-ref"}, args...)
	cmd := g.command(ctx, args...)
	apart(cmd)
	_, err := finish(cmd, args)
	return err
}

func (g git) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(append([]string(nil), quiet...), args...)...)
	cmd.Dir = g.dir
	cmd.Env = g.env
	// A git that is asked to stop removes its lock files; one that is killed
	// leaves them.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// finish runs the git command, whose arguments but the quiet ones are args.
func finish(cmd *exec.Cmd, args []string) ([]byte, error) {
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return out.Bytes(), &gitError{args: args, msg: words.FirstLine(msg.String()), err: err}
	}
	return out.Bytes(), nil
}

// line runs git and returns its output without the newline at its end.
func (g git) line(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, nil, args...)
	return strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r"), err
}

// ok reports whether git exits with zero.
func (g git) ok(ctx context.Context, args ...string) bool {
	_, err := g.run(ctx, nil, args...)
	return err == nil
}

// list runs git and splits its output at NUL bytes.
func (g git) list(ctx context.Context, args ...string) ([]string, error) {
	out, err := g.run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	return split0(out), nil
}

func split0(b []byte) []string {
	s := strings.TrimSuffix(string(b), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

// A gitError is a git command that failed.
type gitError struct {
	args []string
	msg  string
	err  error
}

func (e *gitError) Error() string {
	verb := ""
	for i := 0; i < len(e.args); i++ {
		if e.args[i] == "-c" {
			i++
			continue
		}
		verb = " " + e.args[i]
		break
	}
	if e.msg == "" {
		return fmt.Sprintf("git%s: %v", verb, e.err)
	}
	if strings.HasSuffix(e.msg, ".lock': File exists.") {
		return fmt.Sprintf("git%s: %s If no other git works there, one that was killed has left the file: remove it", verb, e.msg)
	}
	return fmt.Sprintf("git%s: %s", verb, e.msg)
}

func (e *gitError) Unwrap() error { return e.err }

func message(err error) string {
	var g *gitError
	if errors.As(err, &g) && g.msg != "" {
		return g.msg
	}
	return err.Error()
}
