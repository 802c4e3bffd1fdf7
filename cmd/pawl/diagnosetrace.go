package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/gocmd"
)

// fetchTrace takes a trace from a program that runs. It goes to a file first:
// the program must not wait for whoever reads it.
func (t *targeting) fetchTrace(ctx context.Context, url string, seconds int) error {
	scratch, err := gocmd.NewScratch("", "diagnose")
	if err != nil {
		return err
	}
	defer scratch.Remove()
	name := filepath.Join(scratch.Dir, "trace.out")
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("making a file for a trace: %w", err)
	}
	label, err := diagnose.FetchTrace(ctx, url, seconds, f)
	if end := f.Close(); err == nil && end != nil {
		err = fmt.Errorf("writing a trace: %w", end)
	}
	if err != nil {
		return err
	}
	t.got.args = append(t.got.args, label)
	return t.readTrace(ctx, name, label)
}
