package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/whole"
	"github.com/pawl-dev/pawl/internal/model"
)

// A result is what became of one module. It is saved when the module is done.
type result struct {
	Module, Version string
	Bench           string // as for -bench
	Budget          float64
	Seconds         float64
	Failed          string     `json:",omitempty"` // why there is no run
	Run             *model.Run `json:",omitempty"`
}

func (l *lab) file(s subject) string { return filepath.Join(l.dir, "results", s.name()+".json") }

// subject runs pawl on one module and saves what became of it. What fails is part
// of the result: the error is for what ends the whole run.
func (l *lab) subject(ctx context.Context, s subject, resume bool) error {
	if _, err := os.Stat(l.file(s)); resume && err == nil {
		return nil
	}
	start := time.Now()
	r := result{Module: s.Module, Version: s.Version, Budget: l.budget.Seconds()}
	if err := l.optimize(ctx, s, &r); err != nil {
		r.Failed = strings.ReplaceAll(err.Error(), l.dir+string(filepath.Separator), "")
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.Seconds = time.Since(start).Seconds()
	fmt.Fprintf(l.log, "%s: %.0f s %s\n", s.name(), r.Seconds, firstLine(r.Failed))
	return l.save(s, r)
}

func (l *lab) save(s subject, r result) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.file(s)), 0o700); err != nil {
		return err
	}
	return whole.File{Path: l.file(s), Temp: "new-*"}.Bytes(data)
}

// patience is how much longer than its budget pawl may take: it has tests to run,
// and a comparison to make at its end.
const patience = 15 * time.Minute

func (l *lab) optimize(ctx context.Context, s subject, r *result) error {
	dir, err := l.prepare(ctx, s)
	if err != nil {
		return err
	}
	if r.Bench, err = l.benchmarks(ctx, dir, s); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, l.budget+patience)
	defer cancel()
	text, err := l.do(bounded, dir, l.pawl, "optimize", "-q", "-json", "-budget", l.budget.String(), "-bench", r.Bench, s.Package)
	if jerr := json.Unmarshal([]byte(text), &r.Run); jerr != nil {
		if _, why, ok := strings.Cut(fmt.Sprint(err), ": pawl: "); ok {
			return errors.New(strings.ReplaceAll(why, ":\n", ": "))
		}
		return errors.Join(err, jerr)
	}
	if l.series == "" || r.Run.Kept() == 0 {
		return nil
	}
	to, err := filepath.Abs(filepath.Join(l.series, s.name()))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil { // of an earlier run
		return err
	}
	_, err = l.do(ctx, dir, l.pawl, "log", "-series", to, r.Run.ID)
	return err
}

// load reads the result of a module; nil where there is none.
func (l *lab) load(s subject) (*result, error) {
	data, err := os.ReadFile(l.file(s))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(result)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", l.file(s), err)
	}
	return r, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
