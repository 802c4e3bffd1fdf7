package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// benchstatVersion is the benchstat that all results are beside.
const benchstatVersion = "v0.0.0-20260709024250-82a0b07e230d"

func runPrepare(ctx context.Context, s *settings) error {
	list, err := chosen(s.subjects)
	if err != nil {
		return err
	}
	if s.subjects == "" {
		list = append(slices.Clone(list), gated)
	}
	if _, err := s.benchstat(ctx); err != nil {
		return err
	}
	for _, sub := range list {
		if _, err := s.module(ctx, sub); err != nil {
			return fmt.Errorf("%s: %w", sub.name, err)
		}
		s.printf("%s: %s@%s, %s", sub.name, sub.module, sub.version, sub.bench)
	}
	s.printf("prepared in %s", s.work)
	return nil
}

func (s *settings) benchstat(ctx context.Context) (string, error) {
	bin := filepath.Join(s.work, "bin")
	path := filepath.Join(bin, "benchstat")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return "", err
	}
	_, err := start(ctx, bin, append([]string{"GOBIN=" + bin}, goEnv...), nil, s.gotool, "install", "golang.org/x/perf/cmd/benchstat@"+benchstatVersion)
	return path, err
}

// buildPawl builds the pawl of this source, or takes the one that was named.
func (s *settings) buildPawl(ctx context.Context) (string, error) {
	if s.pawl != "" {
		return filepath.Abs(s.pawl)
	}
	path := filepath.Join(s.work, "bin", "pawl")
	_, err := start(ctx, "", nil, nil, s.gotool, "build", "-o", path, "github.com/pawl-dev/pawl/cmd/pawl")
	if err != nil {
		return "", fmt.Errorf("building pawl: %w; run the campaign in pawl's own module", err)
	}
	return path, nil
}

// A module is a subject's module as a git repository whose tag base is the
// module with the step function, called and making no steps.
type module struct {
	subject
	dir string
}

func (m module) directory() string { return filepath.Join(m.dir, filepath.FromSlash(m.pkg)) }

// module makes the repository of a subject where it is not there yet.
func (s *settings) module(ctx context.Context, sub subject) (module, error) {
	m := module{sub, filepath.Join(s.work, "modules", sub.name)}
	if _, err := git(ctx, m.dir, "rev-parse", "-q", "--verify", "refs/tags/base"); err == nil {
		return m, nil
	}
	if err := os.RemoveAll(m.dir); err != nil {
		return m, err
	}
	if err := s.download(ctx, m); err != nil {
		return m, err
	}
	if err := m.instrument(); err != nil {
		return m, err
	}
	if err := s.tryBenchmark(ctx, m); err != nil {
		return m, err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main", "."}, {"add", "-A", "-f", "."}, {"commit", "-q", "-m", "base"}, {"tag", "base"}} {
		if _, err := git(ctx, m.dir, args...); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (s *settings) download(ctx context.Context, m module) error {
	tmp := filepath.Join(s.work, "download")
	if err := writeFile(filepath.Join(tmp, "go.mod"), []byte("module download\n\ngo 1.24\n"), 0o666); err != nil {
		return err
	}
	out, err := s.goRun(ctx, tmp, "mod", "download", "-json", m.module+"@"+m.version)
	if err != nil {
		return err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil || got.Dir == "" {
		return fmt.Errorf("go mod download said nothing of a directory: %s", out)
	}
	if err := copyModule(m.dir, got.Dir, m.keep); err != nil {
		return err
	}
	_, err = s.goRun(ctx, m.dir, "mod", "download")
	return err
}

// copyModule copies files out of the module cache, where they are read-only.
func copyModule(to, from string, keep []string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if len(keep) > 0 && !slices.Contains(keep, first) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return writeFile(filepath.Join(to, rel), data, 0o666)
	})
}

// instrument adds the step function and its call, and takes out the benchmarks
// that are not wanted.
func (m module) instrument() error {
	files, err := filepath.Glob(filepath.Join(m.directory(), "*_test.go"))
	if err != nil {
		return err
	}
	called, dropped, pkg := 0, 0, ""
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		out, n, err := dropFuncs(src, m.drop)
		if err != nil {
			return err
		}
		dropped += n
		if with, err := callSteps(out, m.fn, m.importPath()); err == nil {
			out, called = with, called+1
			pkg = packageName(with)
		} else if !errors.Is(err, errNoFunc) {
			return err
		}
		if string(out) != string(src) {
			if err := writeFile(name, out, 0o666); err != nil {
				return err
			}
		}
	}
	if called != 1 || dropped != len(m.drop) {
		return fmt.Errorf("found %s in %d files, and %d of %d functions to take out", m.fn, called, dropped, len(m.drop))
	}
	return writeFile(filepath.Join(m.directory(), stepsFile), []byte(stepsSource(pkg, 0)), 0o666)
}

func packageName(src []byte) string {
	for line := range strings.Lines(string(src)) {
		if rest, ok := strings.CutPrefix(line, "package "); ok {
			return strings.TrimSuffix(strings.Fields(rest)[0], "_test")
		}
	}
	return ""
}

// tryBenchmark sees that the benchmark builds, offline, and is there.
func (s *settings) tryBenchmark(ctx context.Context, m module) error {
	bm := m.benchmark()
	f, err := start(ctx, m.dir, append([]string{"GOPROXY=off"}, goEnv...), nil, s.gotool,
		"test", "-run=^$", "-bench="+bm.Regexp(), "-benchtime=1x", m.pattern())
	if err != nil {
		return err
	}
	if n := strings.Count(string(f.stdout), "\n"+m.bench); n != 1 {
		return fmt.Errorf("-bench=%s runs %d benchmarks and not one:\n%s", bm.Regexp(), n, tail(string(f.stdout), 12))
	}
	return nil
}

// testBinary builds the package's test binary with the stock testing package,
// as a user would, from the module's directory as it is.
func (s *settings) testBinary(ctx context.Context, m module, out string) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return err
	}
	_, err := s.goRun(ctx, m.dir, "test", "-c", "-o", out, m.pattern())
	return err
}
