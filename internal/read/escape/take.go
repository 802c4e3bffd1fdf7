package escape

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Config says which notes to take.
type Config struct {
	Dir string // absolute; notes are written to fresh directories below it
	// Key names tree and flags. The notes of an earlier Take with the same key
	// are read again instead of compiled. With "" nothing is kept.
	Key      string
	Root     string   // absolute; positions below it become relative to it
	Patterns []string // import paths, "..." allowed, of the packages to take notes of
	Pkgs     []string // import paths of the packages to compile, with their tests
	Race     bool     // compile as for the race detector
	Alone    bool     // compile the packages without their tests
}

// The files of a directory of notes.
const (
	logDir   = "log"   // the compiler's own, one directory per package
	textFile = "m.txt" // what -m printed
)

// Take compiles and reads what the compiler says. An error of the compile is a
// *gocmd.Error with the compiler's words.
func Take(ctx context.Context, g *gocmd.Go, c Config) (*Notes, error) {
	keep := filepath.Join(c.Dir, c.Key)
	if c.Key != "" && gocmd.IsFile(filepath.Join(keep, textFile)) {
		return load(ctx, keep, g.Dir, c.Root)
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("making room for the compiler's notes: %w", err)
	}
	tmp, err := os.MkdirTemp(c.Dir, "take-")
	if err != nil {
		return nil, fmt.Errorf("making room for the compiler's notes: %w", err)
	}
	defer os.RemoveAll(tmp)
	text, err := compile(ctx, g, c, filepath.Join(tmp, logDir))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(tmp, textFile), text, 0o600); err != nil {
		return nil, fmt.Errorf("keeping the compiler's notes: %w", err)
	}
	n, err := load(ctx, tmp, g.Dir, c.Root)
	if err != nil || c.Key == "" {
		return n, err
	}
	// Renamed when whole, so that a kill leaves no half of it under the key.
	if err := os.Rename(tmp, keep); err != nil && !gocmd.IsFile(filepath.Join(keep, textFile)) {
		return nil, fmt.Errorf("keeping the compiler's notes: %w", err)
	}
	return n, nil
}

// compile compiles c.Pkgs, then their tests if these are asked for, and returns what -m printed.
func compile(ctx context.Context, g *gocmd.Go, c Config, dir string) ([]byte, error) {
	args := []string{"-trimpath=false"} // with it in GOFLAGS, the notes would name no file that is there
	if name := g.Overlay(); name != "" {
		args = append(args, "-overlay="+name) // the dependencies that the measured builds have compiled
	}
	if c.Race {
		args = append(args, "-race")
	}
	goflags, err := gocmd.SplitFlags(gocmd.Getenv(g.Env(), "GOFLAGS"))
	if err != nil {
		return nil, fmt.Errorf("reading GOFLAGS: %w", err)
	}
	var flags []string
	for i, p := range c.Patterns { // each in a directory of its own, for all main packages go by that name
		own := gocmd.JoinFlags([]string{"-json=0," + filepath.Join(dir, strconv.Itoa(i)), "-m"})
		flags = append(flags, perPackage(userFlags(goflags), []string{p}, c.Pkgs, own)...)
	}
	var text bytes.Buffer
	for _, command := range c.commands() {
		command = append(command, args...)
		e, err := g.Run(ctx, gocmd.Build, append(append(slices.Clone(command), flags...), c.Pkgs...)...)
		switch {
		case err != nil:
			return nil, plainError(ctx, g, append(command, c.Pkgs...), err)
		case command[0] == "test" && bytes.Contains(e.Stdout, []byte("[no test files]")):
			continue
		}
		text.Write(e.Stderr)
		if command[0] == "test" {
			break
		}
	}
	return text.Bytes(), nil
}

// commands compile the packages, and then their tests: two compiles of a package at once would write to the same file.
// Of a single package its test binary is tried first: it has the package's own files as well, so that they are compiled
// once, and go list always compiles them without the tests, too. Linking takes less than that.
func (c Config) commands() [][]string {
	alone, tests := []string{"list", "-test=false", "-export"}, []string{"list", "-test=true", "-export"}
	switch {
	case c.Alone:
		return [][]string{alone}
	case len(c.Pkgs) == 1 && !strings.Contains(c.Pkgs[0], "..."):
		return [][]string{{"test", "-c", "-vet=off", "-o=" + os.DevNull}, alone}
	}
	return [][]string{alone, tests}
}

// plainError repeats a compile that failed without the flags for notes: what
// is wrong is lost among them.
func plainError(ctx context.Context, g *gocmd.Go, args []string, err error) error {
	var ge *gocmd.Error
	if !errors.As(err, &ge) {
		return err
	}
	if _, again := g.Run(ctx, gocmd.Build, args...); again != nil {
		return again
	}
	const most = 2000
	out := strings.TrimSpace(ge.Output)
	return &gocmd.Error{Args: args, Code: ge.Code, Output: out[max(0, len(out)-most):]}
}

// load reads a directory of notes. dir is where the go command ran.
func load(ctx context.Context, directory, dir, root string) (*Notes, error) {
	place := placer(root)
	var all []model.Note
	bad := 0
	logs := filepath.Join(directory, logDir)
	err := filepath.WalkDir(logs, func(name string, e fs.DirEntry, err error) error {
		switch {
		case name == logs && errors.Is(err, fs.ErrNotExist):
			return nil // no package matched, or none had anything to note
		case err != nil || e.IsDir() || filepath.Ext(name) != ".json":
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		notes, b, err := parseDiagnostics(f, place)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		all, bad = append(all, notes...), bad+b
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the compiler's notes: %w", err)
	}
	text, err := os.Open(filepath.Join(directory, textFile))
	if err != nil {
		return nil, fmt.Errorf("reading the compiler's notes: %w", err)
	}
	defer text.Close()
	calls, err := parseText(text, dir, place)
	if err != nil {
		return nil, fmt.Errorf("reading the compiler's notes: %w", err)
	}
	all = append(all, calls...)
	n := newNotes(all, readSources(ctx, root, all))
	if bad > 0 {
		n.Warnings = append(n.Warnings, model.Warning{
			Seen:  fmt.Sprintf("%d lines of the compiler's notes could not be read", bad),
			Cause: "two compiles of one package wrote to the same file",
		})
	}
	return n, nil
}

// placer returns the function that makes names of files below root relative
// to it, with forward slashes, and leaves others alone.
func placer(root string) func(string) string {
	prefix := strings.TrimSuffix(filepath.Clean(root), string(filepath.Separator)) + string(filepath.Separator)
	return func(file string) string {
		if rel, ok := strings.CutPrefix(filepath.Clean(file), prefix); ok && root != "" {
			return filepath.ToSlash(rel)
		}
		return file
	}
}

// A flagsFor is one -gcflags entry.
type flagsFor struct {
	pattern string // "" stands for the packages named on the command line
	flags   string
}

// userFlags picks the -gcflags entries out of GOFLAGS.
func userFlags(goflags []string) []flagsFor {
	var out []flagsFor
	for _, f := range goflags {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if name != "gcflags" {
			continue
		}
		value = strings.TrimSpace(value)
		if pattern, flags, ok := strings.Cut(value, "="); ok && !strings.HasPrefix(value, "-") {
			out = append(out, flagsFor{strings.TrimSpace(pattern), flags})
		} else {
			out = append(out, flagsFor{"", value})
		}
	}
	return out
}

// perPackage returns the -gcflags that give own to the packages of patterns.
// For each package the go command takes the last entry that matches and drops
// the others, so the user's flags are joined to own: those of an entry that
// covers a pattern, and, in an entry of their own after it, those for a part
// of it.
func perPackage(user []flagsFor, patterns, pkgs []string, own string) []string {
	var out []string
	add := func(pattern, flags string) {
		out = append(out, "-gcflags="+pattern+"="+strings.TrimSpace(flags+" "+own))
	}
	for _, p := range patterns {
		flags := ""
		var parts []flagsFor
		for _, u := range user {
			names := []string{u.pattern}
			if u.pattern == "" {
				names = pkgs
			}
			for _, name := range names {
				switch {
				case name == "all" || matches(name, p):
					flags, parts = u.flags, nil
				case matches(p, name):
					parts = append(parts, flagsFor{name, u.flags})
				}
			}
		}
		add(p, flags)
		for _, part := range parts {
			add(part.pattern, part.flags)
		}
	}
	return out
}

// matches reports whether a pattern of the go command matches an import path,
// or covers another pattern.
func matches(pattern, path string) bool {
	if !strings.Contains(pattern, "...") {
		return pattern == path
	}
	re := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if s, ok := strings.CutSuffix(re, `/.*`); ok {
		re = s + `(/.*)?`
	}
	ok, err := regexp.MatchString(`^`+re+`$`, path)
	return err == nil && ok
}

// Packages returns the import paths of the packages whose functions are on the
// stacks of costs, sorted: what to take notes of. Frames of the standard
// library are left out unless std is true.
func Packages(costs []model.Cost, std bool) []string {
	seen := make(map[string]bool)
	for _, c := range costs {
		for _, f := range c.Stack {
			p := words.SymbolPackage(f.Func)
			if strings.HasSuffix(f.File, "_test.go") {
				p = strings.TrimSuffix(p, "_test") // compiled with the flags of the package it tests
			}
			first, _, _ := strings.Cut(p, "/")
			if p != "" && (std || f.Module || strings.Contains(first, ".") || !filepath.IsAbs(f.File)) {
				seen[p] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
