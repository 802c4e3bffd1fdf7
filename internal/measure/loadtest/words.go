package loadtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// split splits a command the way a shell does, without expanding anything: at
// blanks; with all between single quotes as it is; with \", \\, \$ and \`
// between double quotes; and with a backslash before any other character that
// is meant itself. What only a shell can do is an error that says so.
func split(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun := false // a word has begun; it may still be empty: ''
	bare := true   // and none of it was quoted
	end := func() error {
		if !begun {
			return nil
		}
		w := word.String()
		if bare && slices.Contains(operators, w) {
			return fmt.Errorf("%q is for a shell, and none is run: write sh -c '…' around the command", w)
		}
		words = append(words, w)
		word.Reset()
		begun, bare = false, true
		return nil
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case strings.IndexByte(" \t\n\r", c) >= 0:
			if err := end(); err != nil {
				return nil, err
			}
			continue
		case c == '\'', c == '"':
			n, err := quoted(&word, s[i:])
			if err != nil {
				return nil, err
			}
			i += n - 1
			bare = false
		case c == '\\':
			if i++; i == len(s) {
				return nil, errors.New("the command ends in a backslash, which stands before a character that is meant itself")
			}
			word.WriteByte(s[i])
			bare = false
		default:
			word.WriteByte(c)
		}
		begun = true
	}
	return words, end()
}

// operators are words that mean something to a shell only.
var operators = []string{"|", "||", "&&", ";", "&", ">", ">>", "<", "2>", "2>&1", ">&2"}

// quoted adds what stands between the quotes at the beginning of s to word, and
// returns how much of s that was, the quotes included.
func quoted(word *strings.Builder, s string) (int, error) {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote:
			return i + 1, nil
		case c == '\\' && quote == '"' && i+1 < len(s) && strings.IndexByte("\"\\$`", s[i+1]) >= 0:
			i++
			word.WriteByte(s[i])
		default:
			word.WriteByte(c)
		}
	}
	return 0, fmt.Errorf("the quote %c is not closed in %s", quote, s)
}

// A command is a program with its arguments, as the user wrote it.
type command struct {
	role string // "base program", "candidate program", "load command"
	text string // as the user wrote it
	path string // of the executable
	args []string
}

// newCommand splits what the user wrote and finds the executable.
func newCommand(role, text, dir string) (command, error) {
	words, err := split(text)
	if err != nil {
		return command{}, fmt.Errorf("%s: %w", role, err)
	}
	if len(words) == 0 {
		return command{}, fmt.Errorf("%s: there is no command", role)
	}
	c := command{role: role, text: text, path: words[0], args: words[1:]}
	if strings.ContainsRune(c.path, filepath.Separator) {
		if !filepath.IsAbs(c.path) {
			if c.path, err = filepath.Abs(filepath.Join(dir, c.path)); err != nil {
				return command{}, fmt.Errorf("%s: finding %s: %w", role, words[0], err)
			}
		}
		if fi, err := os.Stat(c.path); err != nil {
			return command{}, fmt.Errorf("%s: %w; build it first, or write the path to it", role, err)
		} else if fi.IsDir() {
			return command{}, fmt.Errorf("%s: %s is a directory; write the path of the program in it", role, c.path)
		}
		return c, nil
	}
	if c.path, err = exec.LookPath(words[0]); err != nil {
		next := "install it, or write the path to it"
		if strings.Contains(words[0], "=") {
			next = "to set a variable, write env " + words[0] + " …"
		}
		return command{}, fmt.Errorf("%s: %s is not on PATH; %s", role, words[0], next)
	}
	return c, nil
}

// argsFor returns the arguments with the placeholders filled in.
func (c command) argsFor(port int) []string {
	r := strings.NewReplacer("{addr}", address(port), "{port}", strconv.Itoa(port))
	args := make([]string, len(c.args))
	for i, a := range c.args {
		args[i] = r.Replace(a)
	}
	return args
}

// address returns where a program is to listen.
func address(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }
