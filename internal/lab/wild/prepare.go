package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

func (l *lab) prepare(ctx context.Context, s subject) (string, error) {
	m, err := l.download(ctx, s.Module+"@"+s.Version)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(l.dir, "modules", s.name())
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); errors.Is(err, os.ErrNotExist) {
		if _, err := l.do(ctx, dir, "go", "mod", "init", s.Module); err != nil {
			return "", err
		}
	}
	if err := l.dropLocal(ctx, dir); err != nil {
		return "", err
	}
	if _, err := l.do(ctx, dir, "go", "test", "-c", "-o", os.DevNull, s.Package); err != nil {
		// A module in the proxy may lack the sums of what only its tests need.
		if _, err := l.do(ctx, dir, "go", "get", "-t", s.Package); err != nil {
			return "", err
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "user.name", "lab"}, {"config", "user.email", "lab@localhost"}, {"add", "-f", "."}, {"commit", "-q", "-m", s.Version}} {
		if _, err := l.do(ctx, dir, "git", args...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// dropLocal drops what go.mod replaces by directories beside the module: the proxy has the module alone, and who
// requires it gets none of them.
func (l *lab) dropLocal(ctx context.Context, dir string) error {
	text, err := l.do(ctx, dir, "go", "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal([]byte(text), &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" {
			continue
		}
		old := strings.TrimSuffix(r.Old.Path+"@"+r.Old.Version, "@")
		if _, err := l.do(ctx, dir, "go", "mod", "edit", "-dropreplace="+old); err != nil {
			return err
		}
	}
	return nil
}

// The bounds of what is measured of a package: three minutes are to make sense.
const (
	maxBenchmarks = 4
	maxOp         = 20 * time.Millisecond
	looking       = 4 * time.Minute // for the costs of the benchmarks
)

var benchLine = regexp.MustCompile(`(?m)^(Benchmark\S+)\s+\d+\s+([0-9.]+) ns/op`)

// benchmarks returns the expression for the benchmarks of a package that are
// measured.
func (l *lab) benchmarks(ctx context.Context, dir string, s subject) (string, error) {
	if s.Bench != "" {
		return s.Bench, nil
	}
	text, err := l.do(ctx, dir, "go", "test", "-vet=off", "-run", "^$", "-bench", ".", "-benchtime", "20ms", "-cpu", "1", "-timeout", looking.String(), s.Package)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	pattern := costliest(text)
	if pattern == "" {
		return "", errors.Join(fmt.Errorf("no benchmark of %s has a result", s.Package), err)
	}
	return pattern, nil // some may have failed, or there was no time for them
}

// costliest returns the expression for the benchmarks of an output that cost most
// by operation: of each function the costliest sub-benchmark, and no operation that
// takes longer than maxOp; where all do, the quickest. It is "" where there is none.
func costliest(output string) string {
	type leaf struct {
		name string
		ns   float64
	}
	var all []leaf
	for _, m := range benchLine.FindAllStringSubmatch(output, -1) {
		if ns, err := strconv.ParseFloat(m[2], 64); err == nil {
			all = append(all, leaf{m[1], ns})
		}
	}
	slices.SortStableFunc(all, func(a, b leaf) int { return cmp.Compare(b.ns, a.ns) })
	first := slices.IndexFunc(all, func(x leaf) bool { return x.ns <= float64(maxOp) })
	if first < 0 {
		first = max(len(all)-1, 0)
	}
	var funcs, exprs []string
	for _, x := range all[first:] {
		parts := strings.Split(x.name, "/")
		if slices.Contains(funcs, parts[0]) || len(funcs) == maxBenchmarks {
			continue
		}
		funcs = append(funcs, parts[0])
		exprs = append(exprs, model.Benchmark{Name: x.name}.Regexp())
	}
	return strings.Join(exprs, "|")
}
