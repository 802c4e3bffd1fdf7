package state

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose"
	"github.com/pawl-dev/pawl/internal/explain/find"
	"github.com/pawl-dev/pawl/internal/explain/leads"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A source is what the compiler, the type checker and the rules say of one version.
type source struct {
	mod      *Module
	notes    *escape.Notes
	patterns []string // packages that notes are about
	prog     *propose.Program
	rules    []model.Finding // what the rules report, wherever it stands
	reading  *Begun          // of prog and rules; nil before it began
}

// ReadAhead begins to read the source for Explain, unless that was done, or tests may
// change what is read. It goes on until Explain has waited for it, or StopReading.
func (v *source) ReadAhead(ctx context.Context) {
	if v.reading == nil && v.mod.Beside() {
		v.read(ctx)
	}
}

func (v *source) read(ctx context.Context) { v.reading = Begin(ctx, v.readSource) }

// readSource type-checks v, and asks the rules meanwhile.
func (v *source) readSource(ctx context.Context) (err error) {
	rules := Begin(ctx, v.askRules)
	defer func() { err = errors.Join(rules.Err(), err) }()
	v.prog, err = propose.Load(ctx, propose.Config{
		Dir: v.mod.Snap.ModuleDir, Root: v.mod.Snap.Dir, Env: v.mod.Go.LoaderEnv(), Patterns: v.mod.Deps,
	})
	return err
}

// take takes the notes of v, whose patterns are set.
func (v *source) take(ctx context.Context) error {
	notes, err := escape.Take(ctx, v.mod.Go, escape.Config{
		Dir: filepath.Join(v.mod.Scratch, "notes"), Root: v.mod.Snap.Dir, Patterns: v.patterns, Pkgs: v.mod.Names(),
	})
	if err == nil {
		v.notes = notes
	}
	return err
}

// TakeNotes asks the compiler about the packages that it was asked about on the
// version before.
func (v *source) TakeNotes(ctx context.Context, before *State) error {
	v.patterns = slices.Clone(before.patterns)
	return v.take(ctx)
}

// NoteAlso makes sure that the notes are about these packages, too, whether or
// not the profiles show them.
func (v *source) NoteAlso(ctx context.Context, pkgs []string) error {
	missing := false
	for _, name := range pkgs {
		if !slices.Contains(v.patterns, name) {
			v.patterns, missing = append(v.patterns, name), true
		}
	}
	if !missing {
		return nil
	}
	return v.take(ctx)
}

// Notes are the compiler's. Nil before they are taken.
func (v *source) Notes() *escape.Notes { return v.notes }

// Program is the version type-checked. Nil before Explain.
func (v *source) Program() *propose.Program { return v.prog }

// Found is what the rules report on some lines of a file.
func (v *source) Found(file string, from, to int) []model.Finding {
	return slices.DeleteFunc(slices.Clone(v.rules), func(f model.Finding) bool {
		return f.At.File != file || f.At.Line < from || f.At.Line > to
	})
}

// Fixes are what the rules propose at a target; see propose.Program.Fixes.
func (v *source) Fixes(t model.Target) ([]model.Change, []propose.Refusal) {
	return v.prog.Fixes(v.rules, t)
}

// askRules asks the rules about the packages of v. Where they pay only on hot
// lines does not matter: fixes are tried for lines that cost.
func (v *source) askRules(ctx context.Context) error {
	f, err := find.Run(ctx, find.Options{
		Dir: v.mod.Snap.ModuleDir, Patterns: v.mod.Deps, Env: v.mod.Go.LoaderEnv(), CacheDir: v.mod.CacheDir, Tier: "all",
	})
	if err != nil {
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		v.mod.Warn(model.Warning{
			Seen: "the rules could not be asked: " + err.Error(), Cause: "the packages do not load as they are", Try: "pawl find",
		})
		return nil
	}
	v.rules = f.Findings
	for i := range v.rules {
		v.mod.rebase(&v.rules[i])
	}
	return nil
}

// rebase names the files of a finding as the tree does: from its top, where
// find names them from the module's.
func (m *Module) rebase(f *model.Finding) {
	at := func(file string) string {
		if filepath.IsAbs(file) {
			return file
		}
		rel, err := filepath.Rel(m.Snap.Dir, filepath.Join(m.Snap.ModuleDir, filepath.FromSlash(file)))
		if err != nil {
			return file
		}
		return filepath.ToSlash(rel)
	}
	f.At.File, f.End.File = at(f.At.File), at(f.End.File)
	if f.Fix != nil {
		for i := range f.Fix.Edits {
			f.Fix.Edits[i].File = at(f.Fix.Edits[i].File)
		}
	}
}

// Leads says where to look for a gain on a target that nothing is tried on. hints
// are those of Hints; nil where the compiler was not asked.
func (v *source) Leads(found []model.Finding, t model.Target) []model.Lead {
	k := leads.Known{Rules: v.rules, Hints: slices.Clone(found)}
	for i := range k.Hints {
		v.mod.rebase(&k.Hints[i])
	}
	return k.Of(t)
}

// notesOnLine is how many notes on one line are shown.
const notesOnLine = 3

// told are the notes that say why a line costs, the most telling first. The
// others say what the compiler did well, or repeat them from the caller's side.
func told(r model.Resource) []model.NoteKind {
	if r == model.CPU {
		return []model.NoteKind{model.NoteEscape, model.NoteBounds, model.NoteCannotInline, model.NoteCopy}
	}
	return []model.NoteKind{model.NoteEscape}
}

// NotesAt returns the compiler's notes on a line that costs some resource.
func (v *source) NotesAt(at model.Pos, r model.Resource) []string {
	if v.notes == nil {
		return nil
	}
	kinds := told(r)
	notes := slices.DeleteFunc(slices.Clone(v.notes.OnLine(at.File, at.Line)), func(n model.Note) bool {
		return len(n.Chain) != 1 || !slices.Contains(kinds, n.Kind) // what was inlined here stands elsewhere
	})
	sorted.By(notes, func(a, b model.Note) int {
		return cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind))
	})
	var out []string
	for _, n := range notes {
		text := noteText(n)
		if !slices.Contains(out, text) && len(out) < notesOnLine {
			out = append(out, text)
		}
	}
	return out
}

// noteText is a note in words that need no knowledge of the compiler's names.
func noteText(n model.Note) string {
	text := strings.TrimSuffix(n.Message, ":")
	switch n.Kind {
	case model.NoteBounds:
		return "bounds are checked"
	case model.NoteCannotInline:
		return "not inlined: " + text
	}
	return text
}
