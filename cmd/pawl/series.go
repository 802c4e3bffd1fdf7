package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// writeSeries writes what a run kept and nobody undid as a series of patches for those who maintain
// the module, with its figures beside it. It prints the files.
func writeSeries(ctx context.Context, e *env, st *store.Store, name, chdir, to string) error {
	r, err := st.Load(name)
	if err != nil {
		return usageError("%v", err)
	}
	patches, err := tree.PatchFiles(r.Dir)
	if err != nil {
		return err
	}
	if len(patches) == 0 {
		return usageError("the run %s kept nothing that could become a patch; pawl log lists the runs", r.ID)
	}
	dir, err := changeDir(e, chdir)
	if err != nil {
		return err
	}
	at, err := tree.Locate(ctx, dir)
	if err != nil {
		return err
	}
	r, to = shared(e, r), foreign.Path(e.dir, to)
	style := runs.StyleOf(at.Subjects(ctx))
	clean := scrub.New(e.environ)
	for i, p := range patches {
		for _, a := range r.Attempts {
			if a.Change.ID != p.Change || !a.Outcome.Kept() {
				continue
			}
			message, _ := clean.Text(runs.SeriesMessage(a, r, style, explained(a.Change.Kind)))
			mail, err := p.Restated(message, i+1, len(patches))
			if err != nil {
				return err
			}
			file := filepath.Join(to, tree.PatchName(i+1, message))
			if err := place(file, func(w io.Writer) error { _, err := w.Write(mail); return err }); err != nil {
				return fmt.Errorf("-series: %w", err)
			}
			fmt.Fprintln(e.stdout, file)
		}
	}
	evidence := filepath.Join(to, "evidence.md")
	if err := place(evidence, func(w io.Writer) error { return runs.Markdown(w, r) }); err != nil {
		return fmt.Errorf("-series: %w", err)
	}
	fmt.Fprintln(e.stdout, evidence)
	return nil
}

// explained says what changes of a kind do: the transformation's own words, or why the rule has its fix.
func explained(kind string) string {
	for _, t := range propose.Catalogue() {
		if t.Name == kind {
			return t.Title
		}
	}
	for _, r := range catalogue.All() {
		if r.Rule.Name == kind {
			return strings.TrimSpace(r.Rule.Why)
		}
	}
	return ""
}
