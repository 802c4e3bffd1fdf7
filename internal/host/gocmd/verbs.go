package gocmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Package is what go list says about one package.
type Package struct {
	Dir, ImportPath, Name string
	ForTest               string
	Standard              bool
	Module                *struct {
		Path, Dir, GoVersion string
		Main                 bool
	}
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles  []string
	Imports, Deps                                []string
	ImportMap                                    map[string]string
	Export                                       string
	Error                                        *struct{ Pos, Err string }
	DepsErrors                                   []struct{ Pos, Err string }
}

// Refusal is why the go command, in dir, does not load a package, in its words, with the next
// step where its import path is a word that the command has for a set of packages, or a directory without the "./" before it.
func Refusal(dir, path, said string) string {
	said = strings.TrimSpace(said)
	if !slices.Contains([]string{"all", "cmd", "std", "tool", "work"}, path) {
		if fi, err := os.Stat(filepath.Join(dir, filepath.FromSlash(path))); err == nil && fi.IsDir() && !strings.HasPrefix(path, ".") && strings.Contains(said, "is not in std") {
			said += "; the directory is ./" + path
		}
		return said
	}
	return fmt.Sprintf("%s; to the go command this word is a set of packages: rename the module, as with go mod edit -module example.com/%s",
		strings.TrimSuffix(said, "; see 'go help packages'"), path)
}

// List runs go list -e -json with further flags and patterns. Packages with
// errors are returned with their Error set.
func (g *Go) List(ctx context.Context, args ...string) ([]Package, error) {
	flags, err := g.buildFlags(BuildOpts{})
	if err != nil {
		return nil, err
	}
	flags = append([]string{"list", "-e", "-json"}, flags...)
	e, err := g.Run(ctx, Build, append(flags, args...)...)
	if err != nil {
		return nil, err
	}
	var pkgs []Package
	dec := json.NewDecoder(bytes.NewReader(e.Stdout))
	for {
		var p Package
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return pkgs, nil
		case err != nil:
			return nil, fmt.Errorf("reading the output of go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
}

// BuildOpts are the settings of one build of a test binary.
type BuildOpts struct {
	Overlay  bool   // use the overlay of UseOverlay; without it, the user's own only
	Merged   string // use this file, written by MergeOverlay, instead
	Race     bool
	CoverPkg []string // patterns whose coverage is counted
	Flags    []string // further build flags
	Env      []string // further variables of the go command, such as GOAMD64=v3
	// Spent is set to the CPU time of the go command and of what it started, for a
	// build of a test or a program; nil asks for nothing.
	Spent *time.Duration
	// Keep is a directory in which the build's working files stay, with what the
	// linker read, and its action graph as ActionGraph. It has to exist; ""
	// keeps nothing.
	Keep string
}

// ActionGraph is the name of the file that BuildOpts.Keep makes: a JSON array
// of the build's actions, with the commands that were run for each.
const ActionGraph = "actions.json"

func (g *Go) buildFlags(o BuildOpts) ([]string, error) {
	var flags []string
	switch {
	case o.Merged != "":
		flags = append(flags, "-overlay="+o.Merged)
	case o.Overlay && g.overlay != "":
		flags = append(flags, "-overlay="+g.overlay)
	case len(g.replace) > 0:
		name := filepath.Join(g.state, "user-overlay.json")
		if err := WriteOverlay(name, g.replace); err != nil {
			return nil, err
		}
		flags = append(flags, "-overlay="+name)
	}
	if o.Race {
		flags = append(flags, "-race")
	}
	if len(o.CoverPkg) > 0 {
		flags = append(flags, "-covermode=count", "-coverpkg="+strings.Join(o.CoverPkg, ","))
	}
	return append(flags, o.Flags...), nil
}

func (g *Go) BuildTest(ctx context.Context, pkg, out string, o BuildOpts) error {
	if o.Race || o.Merged != "" || len(o.CoverPkg) > 0 { // nobody debugs it, and profiles name their lines without
		o = g.ForLinker(o, "-w")
	}
	flags, err := g.buildFlags(o)
	if err != nil {
		return err
	}
	args := append([]string{"test", "-c", "-vet=off", "-o", out}, flags...) // vet is the guard's
	env := g.Env(o.Env...)
	if o.Keep != "" {
		args = append(args, "-work", "-debug-actiongraph="+filepath.Join(o.Keep, ActionGraph))
		env = append(env, "GOTMPDIR="+o.Keep)
	}
	e, err := g.run(ctx, Build, env, append(args, pkg)...)
	o.spent(e)
	var failed *Error
	if o.Keep != "" && errors.As(err, &failed) {
		failed.Output = withoutWork(failed.Output)
	}
	return err
}

// ForLinker adds a flag to those that o or the user has for the linker. It leaves o as it is
// where these are for some packages only, since the last of them would no longer count, and
// where the flag, up to its value, is among them.
func (g *Go) ForLinker(o BuildOpts, flag string) BuildOpts {
	own := g.Flag("ldflags")
	for _, f := range o.Flags {
		if v, ok := strings.CutPrefix(f, "-ldflags="); ok {
			own = v
		}
	}
	name, _, _ := strings.Cut(flag, "=")
	if own != "" && !strings.HasPrefix(own, "-") || slices.ContainsFunc(strings.Fields(own), func(f string) bool { return f == name || strings.HasPrefix(f, name+"=") }) {
		return o
	}
	o.Flags = append(slices.Clone(o.Flags), "-ldflags="+strings.TrimSpace(own+" "+flag))
	return o
}

func (g *Go) BuildProgram(ctx context.Context, pkg, out string, o BuildOpts) error {
	flags, err := g.buildFlags(o)
	if err != nil {
		return err
	}
	e, err := g.run(ctx, Build, g.Env(o.Env...), append(append([]string{"build", "-o", out}, flags...), pkg)...)
	o.spent(e)
	return err
}

func (o BuildOpts) spent(e Exit) {
	if o.Spent != nil {
		*o.Spent = e.CPU
	}
}

// withoutWork takes out the line in which -work says where it keeps its files.
func withoutWork(output string) string {
	lines := slices.Collect(strings.Lines(output))
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "WORK=") }), "")
}

func (g *Go) Vet(ctx context.Context, pkgs []string) (Exit, error) {
	flags, err := g.buildFlags(BuildOpts{})
	if err != nil {
		return Exit{Code: -1}, err
	}
	return g.Run(ctx, Test, append(append([]string{"vet"}, flags...), pkgs...)...)
}
