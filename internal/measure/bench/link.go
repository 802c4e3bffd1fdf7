package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// A Linker links the test binary of one build again, as often as one likes,
// with the functions in other orders. It needs nothing of the tree that the
// binary was built from, other than libraries that a cgo package of it links
// to. Its methods may be called from several goroutines.
type Linker struct {
	s    *Suite
	bin  Binary   // the build's own link
	dir  string   // what the linker reads, and the build cache does not keep
	argv []string // the command that made bin
	vars []string // that the build had beside those of the module
	err  error    // why it cannot be run again

	aligned bool // argv has alignFlag, and not by the user's wish
	once    sync.Once
	plain   *Binary // of Default
	no      error
}

// BuildLinkable is Build that also keeps what the linker reads, so that the
// binary can be linked again after the tree has changed. The Linker is the
// caller's to close. Where a build is not understood well enough to be linked
// again, there is still a Linker, and its Link says why.
func (s *Suite) BuildLinkable(ctx context.Context, pkg gocmd.Package, name string, o gocmd.BuildOpts) (*Binary, *Linker, error) {
	l := &Linker{s: s, vars: o.Env, aligned: len(s.align(o).Flags) > len(o.Flags)}
	if err := l.makeDir(); err != nil {
		return nil, nil, fmt.Errorf("making a directory for what the linker reads: %w", err)
	}
	o.Keep = l.dir
	b, err := s.Build(ctx, pkg, name, o)
	if err != nil {
		_ = l.Close()
		return nil, nil, err
	}
	l.bin = *b
	if err := l.learn(); err != nil {
		l.err = fmt.Errorf("the build of %s cannot be linked again: %w", b.Pkg, err)
	}
	return b, l, nil
}

// makeDir makes the directory, under the name that the system gives it: the go
// command resolves links in it, and its paths are compared with ours.
func (l *Linker) makeDir() error {
	all := filepath.Join(l.s.dir, "links")
	if err := os.MkdirAll(all, 0o700); err != nil {
		return err
	}
	all, err := filepath.EvalSymlinks(all)
	if err != nil {
		return err
	}
	l.dir, err = os.MkdirTemp(all, "build-")
	return err
}

// learn takes the link command out of the build's action graph, sees that its
// inputs are there, and drops what else the build left.
func (l *Linker) learn() error {
	data, err := os.ReadFile(filepath.Join(l.dir, gocmd.ActionGraph))
	if err != nil {
		return fmt.Errorf("%s said nothing about it: %w", l.s.g.Version, err)
	}
	if l.argv, err = linkCommand(data); err != nil {
		return err
	}
	inputs, err := l.inputs()
	if err != nil {
		return err
	}
	return filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || inputs[path] {
			return err
		}
		return os.Remove(path)
	})
}

// linkCommand finds the one link command in an action graph.
func linkCommand(graph []byte) ([]string, error) {
	var actions []struct {
		Mode string
		Cmd  []string
	}
	if err := json.Unmarshal(graph, &actions); err != nil {
		return nil, fmt.Errorf("reading the action graph of the build: %w", err)
	}
	var found [][]string
	for _, a := range actions {
		for _, c := range a.Cmd {
			if a.Mode != "link" {
				continue
			}
			argv, err := splitCommand(c)
			if err != nil {
				return nil, fmt.Errorf("reading the link command of the build: %w", err)
			}
			if outputAt(argv) > 0 {
				found = append(found, argv)
			}
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d link commands in the action graph of the build instead of one", len(found))
	}
	return found[0], nil
}

// outputAt returns where the linker's output file stands in its command line,
// which has "-o file -importcfg file" before all else, and the archive of
// package main at its end. It returns -1 for another command.
func outputAt(argv []string) int {
	for i := 0; i+4 < len(argv); i++ {
		if argv[i] == "-o" && argv[i+2] == "-importcfg" {
			return i + 1
		}
	}
	return -1
}

// splitCommand splits a command the way the go command writes it: at blanks,
// with an argument that has anything special in it as a Go string.
func splitCommand(s string) ([]string, error) {
	var out []string
	for s != "" {
		var arg string
		if s[0] == '"' {
			quoted, err := strconv.QuotedPrefix(s)
			if err != nil {
				return nil, fmt.Errorf("a quote is not closed in %q", s)
			}
			if arg, err = strconv.Unquote(quoted); err != nil {
				return nil, err
			}
			s = s[len(quoted):]
		} else {
			end := strings.IndexByte(s, ' ')
			if end < 0 {
				end = len(s)
			}
			arg, s = s[:end], s[end:]
		}
		out = append(out, arg)
		rest, ok := strings.CutPrefix(s, " ")
		if s != "" && (!ok || rest == "") {
			return nil, fmt.Errorf("no argument where one is expected, before %q", s)
		}
		s = rest
	}
	return out, nil
}

// inputs returns the files that the link command reads. Each of them has to
// be there; most are in the build cache.
func (l *Linker) inputs() (map[string]bool, error) {
	cfg, archive := l.argv[outputAt(l.argv)+2], l.argv[len(l.argv)-1]
	list, err := os.ReadFile(cfg)
	if err != nil {
		return nil, fmt.Errorf("reading what the linker reads: %w", err)
	}
	files := map[string]bool{cfg: true, archive: true}
	for line := range strings.Lines(string(list)) {
		verb, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if _, file, ok := strings.Cut(rest, "="); ok && (verb == "packagefile" || verb == "packageshlib") {
			files[file] = true
		}
	}
	for f := range files {
		if _, err := os.Stat(f); err != nil {
			return nil, fmt.Errorf("what the linker reads is not there: %w", err)
		}
	}
	return files, nil
}

// Link links the binary again, with its functions in an order drawn from seed.
// All else is as in the build: flags, settings, cgo, race detector. Two builds
// that are linked with one seed have their functions in the order that they share,
// and without one in unrelated orders as soon as they differ in a single function.
// Seeds that differ by a multiple of 2³¹-2 give the same order: the linker's
// generator knows no more.
//
// The file carries no DWARF, which a process that runs never reads: a link is
// a quarter to two fifths shorter for it. Symbol table and line tables are
// there: leaving out the symbol table as well would save another 4 to 13 %, and
// code that reads its own symbols would notice. The Hash
// is that of the link: with one seed it is the same each time, and with another
// it is always another.
//
// The linker gets GOMAXPROCS=1: with two it is no faster, and what runs beside
// it is measured. The file is the caller's to remove; a link that fails or is
// cancelled leaves none.
func (l *Linker) Link(ctx context.Context, name string, seed uint64, o *Order) (*Binary, error) {
	return l.link(ctx, name, o, "-w", "-randlayout="+strconv.FormatInt(layoutSeed(seed), 10))
}

// Default links the binary once as the go command does by itself: without the
// alignment that Build adds, and with the functions in the default order. It is
// nil for a build that is not aligned, since that is such a link already. The
// file is the Linker's, and stays like that of the build.
func (l *Linker) Default(ctx context.Context) (*Binary, error) {
	if !l.aligned {
		return nil, nil
	}
	l.once.Do(func() {
		name := strings.TrimSuffix(filepath.Base(l.bin.Path), ".test")
		_, name, _ = strings.Cut(name, "-") // the build's own, behind the package
		l.plain, l.no = l.link(ctx, name+"-default", nil, "-w", "-funcalign=0")
	})
	return l.plain, l.no
}

// layoutSeed maps a seed to the linker's: from 1 to 2³¹-2, since math/rand
// works modulo 2³¹-1, and 0 is no seed at all.
func layoutSeed(seed uint64) int64 { return int64(seed%(1<<31-2)) + 1 }

// link runs the link command with further flags, by the linker of an order if there is
// one.
func (l *Linker) link(ctx context.Context, name string, o *Order, flags ...string) (*Binary, error) {
	if l.err != nil {
		return nil, l.err
	}
	out, err := l.s.file(l.bin.Pkg, name)
	if err != nil {
		return nil, err
	}
	if out == l.bin.Path {
		return nil, fmt.Errorf("a link of %s cannot have the name %q too", l.bin.Path, name)
	}
	if err := os.Remove(out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("replacing a test binary: %w", err)
	}
	tmp, err := os.MkdirTemp(l.dir, "link-")
	if err != nil {
		return nil, fmt.Errorf("linking the test binary of %s again: %w", l.bin.Pkg, err)
	}
	defer os.RemoveAll(tmp)
	b := l.bin
	b.Path, b.Ordered = out, o != nil
	if err := l.run(ctx, l.command(out, tmp, flags), tmp, o); err != nil {
		_ = os.Remove(out)
		return nil, err
	}
	if b.Hash, err = hashBinary(out); err != nil {
		_ = os.Remove(out)
		return nil, fmt.Errorf("linking the test binary of %s again: %w", l.bin.Pkg, err)
	}
	return &b, nil
}

// command returns the link command with another output file and further
// flags, which come last so that they count.
func (l *Linker) command(out, tmp string, flags []string) []string {
	argv := slices.Clone(l.argv)
	argv[outputAt(argv)] = out
	for i, a := range argv[:len(argv)-1] {
		if a == "-fipso" { // written by the linker, so not for two links at a time
			argv[i+1] = filepath.Join(tmp, "fips.o")
		}
	}
	return slices.Insert(argv, len(argv)-1, flags...)
}

// run runs the linker.
func (l *Linker) run(ctx context.Context, argv []string, tmp string, o *Order) error {
	dir := l.s.g.Dir // flags for the system's linker may be relative to it
	if _, err := os.Stat(dir); err != nil {
		dir = tmp
	}
	env := l.env(dir, tmp)
	if o != nil {
		argv[0], env = o.linker, append(env, "PAWL_LATE="+o.late)
	}
	e, err := l.s.g.Meter.Run(ctx, gocmd.Proc{
		Path: argv[0], Args: argv[1:], Dir: dir, Env: env, CPU: gocmd.NoCPU, Kind: gocmd.Build, Limit: outputLimit,
	})
	switch {
	case err != nil:
		return fmt.Errorf("linking the test binary of %s again: %w", l.bin.Pkg, err)
	case e.Code == 0:
		return nil
	}
	said := string(e.Stdout) + string(e.Stderr)
	if strings.Contains(said, "not defined: -randlayout") {
		return fmt.Errorf("the linker of %s has no -randlayout, so functions cannot be put into another order", l.s.g.Version)
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return fmt.Errorf("linking the test binary of %s again: exit status %d\n%s", l.bin.Pkg, e.Code, quote(lines))
}

// env returns the environment of the linker: that of the go command, with what
// go env says for the variables that are not set, as the go command does it;
// without GOROOT where paths are trimmed, as it does that too. Temporary files
// of the linkers go to tmp, because a process that is killed leaves them.
func (l *Linker) env(dir, tmp string) []string {
	env := l.s.g.Env(l.vars...)
	for _, k := range slices.Sorted(maps.Keys(l.s.g.Vars)) {
		if v := l.s.g.Vars[k]; v != "" && gocmd.Getenv(env, k) == "" {
			env = append(env, k+"="+v)
		}
	}
	if l.bin.Settings["-trimpath"] == "true" {
		env = append(env, "GOROOT=")
	}
	return append(env, "PWD="+dir, "TMPDIR="+tmp, "TMP="+tmp, "TEMP="+tmp, "GOMAXPROCS=1")
}

// Close removes what was kept for links; the links themselves stay. It is to
// be called when all calls of Link have returned.
func (l *Linker) Close() error {
	if err := os.RemoveAll(l.dir); err != nil {
		return fmt.Errorf("removing what the linker read: %w", err)
	}
	return nil
}
