package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
)

// corpus lists modules as -choose prints them. A fifth cell has the benchmarks that
// were chosen when the module was first run: later runs measure the same.
//
//go:embed corpus.tsv
var corpus string

// seed is of the coin that says which half of the corpus is looked at.
const seed = 19

// A subject is a module of the corpus.
type subject struct {
	Module, Version, Package, Programs string
	Bench                              string // as for -bench; "" where it is not chosen yet
	Looked                             bool   // the half that is looked at; the other is only run
}

// subjects reads the corpus, or another in a file, and draws the half that is looked at.
func subjects(file string) ([]subject, error) {
	text := corpus
	if file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	var all []subject
	for line := range strings.Lines(text) {
		cells := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "")
		if len(cells) < 5 {
			return nil, fmt.Errorf("the corpus: %q has not four cells", line)
		}
		all = append(all, subject{Module: cells[0], Version: cells[1], Package: cells[2], Programs: cells[3], Bench: cells[4]})
	}
	drawn := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))
	for i := range all {
		all[i].Looked = slices.Contains(drawn[:len(all)/2], i)
	}
	return all, nil
}

// name is short, and differs from the others': it names files and rows.
func (s subject) name() string {
	base := path.Base(s.Module)
	if strings.HasPrefix(base, "v") && strings.Trim(base[1:], "0123456789") == "" {
		s.Module = path.Dir(s.Module)
		base = path.Base(s.Module)
	}
	return path.Base(path.Dir(s.Module)) + "-" + base
}
