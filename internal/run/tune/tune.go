// Package tune is pawl tune's order: which files are read, what settings mean,
// and what is made of the fixes.
package tune

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/find"
	"github.com/pawl-dev/pawl/internal/explain/settings"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/manifest"
	"github.com/pawl-dev/pawl/internal/source/edit"
	"github.com/pawl-dev/pawl/rules/rule"
)

// schema is the version of the JSON of pawl tune. It is raised when a field
// changes its meaning or goes; new fields do not raise it.
const schema = 1

// Options say what is looked at.
type Options struct {
	Root   string       // the module's directory, or where there is none the current one
	Names  []string     // files and directories, from Root; all of it without any
	Oldest string       // the level of GOAMD64 that all machines have
	Tier   string       // always, special or all
	Config *rule.Config // may be nil
	Tool   string
}

// A Nothing is the error where nothing could be read.
type Nothing struct{ Where string }

func (n *Nothing) Error() string {
	return n.Where + ": no go.mod, makefile, Dockerfile, goreleaser or CI file, manifest or unit could be read"
}

// maxFile bounds the size of a file that somebody wrote by hand, and maxFiles the
// time of a look.
const (
	maxFile  = 16 << 20
	maxFiles = 100_000
)

// Audit reads the files and judges what they set.
func Audit(ctx context.Context, opt Options) (*model.Audit, error) {
	r := &reading{ctx: ctx, root: opt.Root}
	names := opt.Names
	if len(names) == 0 {
		names = []string{"."}
	}
	for _, name := range names {
		if err := r.take(name); err != nil {
			return nil, err
		}
	}
	if len(r.all) == 0 {
		return nil, append(r.none, &Nothing{opt.Root})[0]
	}
	for _, err := range r.none {
		r.warnings = append(r.warnings, model.Warning{Seen: err.Error()})
	}
	a := &model.Audit{
		Schema: schema, Tool: opt.Tool, Root: opt.Root, Oldest: opt.Oldest,
		Files: []string{}, Settings: []model.Setting{}, Findings: []model.SettingFinding{}, Warnings: r.warnings,
	}
	for _, m := range r.all {
		a.Files = append(a.Files, m.File)
		a.Builds += len(m.Builds)
		a.Processes += len(m.Processes)
		if m.GoLine != nil {
			a.GoLine, a.Module = m.GoLine.Value, m.Module
		}
		a.Warnings = append(a.Warnings, m.Unread...)
	}
	a.Warnings = gathered(a.Warnings)
	j := settings.Judge(r.all, settings.Options{Module: a.Module, Oldest: opt.Oldest, Tier: opt.Tier, Config: opt.Config})
	a.Settings, a.Findings, a.Hidden = append(a.Settings, j.Set...), append(a.Findings, j.Found...), j.Hidden
	a.Warnings = append(a.Warnings, j.Warnings...)
	return a, ctx.Err()
}

// reading collects what the files say.
type reading struct {
	ctx      context.Context
	root     string
	all      []*manifest.Manifest
	warnings []model.Warning
	none     []error // operands that are no program of Go
	files    int
}

// take reads a file that somebody named, or all files below a directory.
func (r *reading) take(name string) error {
	at := foreign.Path(r.root, name)
	info, err := os.Stat(at)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		if manifest.Kind(filepath.ToSlash(name)) == "" {
			m, err := manifest.Binary(name, at)
			if err != nil {
				r.none = append(r.none, err)
				return nil
			}
			r.all = append(r.all, m)
			return nil
		}
		r.read(name)
		return nil
	}
	return filepath.WalkDir(at, func(file string, d fs.DirEntry, err error) error {
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case err != nil: // what may not be read has nothing to say
			return nil
		case d.IsDir() && file != at && passedOver(file, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		case r.files == maxFiles:
			return fs.SkipAll
		}
		r.files++
		rel, err := filepath.Rel(r.root, file)
		if err == nil && manifest.Kind(filepath.ToSlash(rel)) != "" {
			r.read(rel)
		}
		return nil
	})
}

// passedOver reports whether a directory is no part of what is built and run:
// other people's code, another module, or data of tests.
func passedOver(dir, name string) bool {
	switch name {
	case ".git", ".pawl", "vendor", "node_modules", "testdata", "third_party":
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func (r *reading) read(name string) {
	data, err := foreign.ReadFile(r.ctx, foreign.Path(r.root, name), maxFile)
	if err != nil {
		r.warnings = append(r.warnings, model.Warning{Seen: "a file could not be read: " + err.Error()})
		return
	}
	if m := manifest.Read(filepath.ToSlash(name), data); m != nil {
		r.all = append(r.all, m)
	}
}

// gathered joins warnings of one kind about files of one directory tree: a chart
// has dozens of templates.
func gathered(all []model.Warning) []model.Warning {
	var out []model.Warning
	at, more := map[string]int{}, map[int]int{}
	for _, w := range all {
		_, what, _ := strings.Cut(w.Seen, ": ")
		what, _, _ = strings.Cut(what, ": ")
		i, known := at[what]
		if !known {
			at[what] = len(out)
			out = append(out, w)
			continue
		}
		more[i]++
	}
	for i, n := range more {
		out[i].Seen += fmt.Sprintf(" (and %d more files like it)", n)
	}
	return out
}

// Fix makes the fixes of the classes given, in memory. Those that overlap with an
// earlier one are left, with the reason.
func Fix(a *model.Audit, classes string) (*find.Fixed, error) {
	edits, out := map[string][]model.Edit{}, &find.Fixed{}
	for _, x := range a.Findings {
		if x.Fix == nil || !strings.Contains(classes, x.Class) {
			continue
		}
		if known(edits, x.Fix.Edits) {
			continue // two builds get their flags from one place
		}
		if clash(edits, x.Fix.Edits) {
			out.Left = append(out.Left, model.Left{Rule: x.Rule, At: x.At, Why: "it overlaps with another fix; run pawl tune again"})
			continue
		}
		for _, e := range x.Fix.Edits {
			edits[e.File] = append(edits[e.File], e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		at := foreign.Path(a.Root, name)
		old, err := os.ReadFile(at)
		if err != nil {
			return nil, fmt.Errorf("reading what is to be fixed: %w", err)
		}
		text, err := edit.Apply(old, edits[name])
		if err != nil {
			return nil, fmt.Errorf("%s changed while it was looked at (%w); run pawl tune again", name, err)
		}
		out.Files = append(out.Files, find.FixedFile{Name: path.Clean(name), Path: at, Old: old, New: text})
	}
	return out, nil
}

// known reports whether edits are all among others.
func known(edits map[string][]model.Edit, more []model.Edit) bool {
	return !slices.ContainsFunc(more, func(e model.Edit) bool { return !slices.Contains(edits[e.File], e) })
}

// clash reports whether edits touch what others change.
func clash(edits map[string][]model.Edit, more []model.Edit) bool {
	return slices.ContainsFunc(more, func(e model.Edit) bool {
		return slices.ContainsFunc(edits[e.File], func(o model.Edit) bool { return e.Start <= o.End && o.Start <= e.End })
	})
}
