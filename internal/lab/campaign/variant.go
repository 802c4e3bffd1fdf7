package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// variant commits the base with a function that is never called, and with steps
// where there are to be any, and returns the tag. It follows from the seed, and
// is made once.
func (s *settings) variant(ctx context.Context, m module, seed uint64, steps int) (string, error) {
	tag := fmt.Sprintf("v%d-%d", seed, steps)
	if _, err := git(ctx, m.dir, "rev-parse", "-q", "--verify", "refs/tags/"+tag); err == nil {
		return tag, nil
	}
	if err := m.checkout(ctx, "base"); err != nil {
		return "", err
	}
	if err := s.addNever(ctx, m, seed); err != nil {
		return "", err
	}
	if steps > 0 {
		name := filepath.Join(m.directory(), stepsFile)
		src, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if src, err = setSteps(src, steps); err != nil {
			return "", err
		}
		if err := writeFile(name, src, 0o666); err != nil {
			return "", err
		}
	}
	for _, args := range [][]string{{"add", "-A", "."}, {"commit", "-q", "-m", tag}, {"tag", tag}} {
		if _, err := git(ctx, m.dir, args...); err != nil {
			return "", err
		}
	}
	return tag, m.checkout(ctx, "base")
}

func (m module) checkout(ctx context.Context, tag string) error {
	if _, err := git(ctx, m.dir, "reset", "-q", "--hard"); err != nil {
		return err
	}
	_, err := git(ctx, m.dir, "checkout", "-q", "--detach", tag)
	return err
}

// addNever puts a function that is never called into one of the files that the
// package is built from.
func (s *settings) addNever(ctx context.Context, m module, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 7))
	out, err := s.goRun(ctx, m.dir, "list", "-f", "{{join .GoFiles \"\\n\"}}", m.pattern())
	if err != nil {
		return err
	}
	var files []string
	for _, name := range strings.Fields(string(out)) {
		if name != stepsFile {
			files = append(files, name)
		}
	}
	if len(files) == 0 {
		return fmt.Errorf("%s has no Go files", m.importPath())
	}
	name := filepath.Join(m.directory(), files[rng.IntN(len(files))])
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if src, err = addNever(src, neverSource(rng), rng); err != nil {
		return err
	}
	return writeFile(name, src, 0o666)
}
