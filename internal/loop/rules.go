package loop

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/find"
	"github.com/pawl-dev/pawl/internal/model"
)

// findings asks the rules about the packages of v. Where they pay only on hot
// lines does not matter: fixes are tried for lines that cost.
func (s *Session) findings(ctx context.Context, v *version) error {
	f, err := find.Run(ctx, find.Options{
		Dir: s.snap.ModuleDir, Patterns: s.deps, Env: s.go_.Env(), CacheDir: s.opt.CacheDir, Tier: "all",
	})
	if err != nil {
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		s.Run.Warnings = append(s.Run.Warnings, model.Warning{
			Seen: "the rules could not be asked: " + err.Error(), Cause: "the packages do not load as they are", Try: "pawl find",
		})
		return nil
	}
	v.findings = f.Findings
	for i := range v.findings {
		s.rebase(&v.findings[i])
	}
	return nil
}

// rebase names the files of a finding as the tree does: from its top, where
// find names them from the module's.
func (s *Session) rebase(f *model.Finding) {
	at := func(file string) string {
		if filepath.IsAbs(file) {
			return file
		}
		rel, err := filepath.Rel(s.snap.Dir, filepath.Join(s.snap.ModuleDir, filepath.FromSlash(file)))
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
