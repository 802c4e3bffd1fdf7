package tree

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// ReadPatch turns a unified diff into edits of the snapshot as it is now, for
// Apply. Paths may be relative to the root or to the module, with or without
// a/ and b/. A hunk may have moved, but all its lines must be there: nothing
// is applied with fuzz. A patch with LF applies to a file with CRLF and the
// other way round.
//
// New files become edits at offset 0. A patch that deletes, renames or copies
// a file, changes a mode or a binary file is refused, by name, since edits
// cannot say that; so is one that makes a file that is there, and an empty
// one.
func (s *Snapshot) ReadPatch(patch []byte) ([]model.Edit, error) {
	files, err := parsePatch(patch)
	if err != nil {
		return nil, fmt.Errorf("reading the patch: %w", err)
	}
	var edits []model.Edit
	seen := map[string]bool{}
	for _, f := range files {
		rel, list, err := s.fileEdits(f)
		if err != nil {
			return nil, fmt.Errorf("the patch does not apply: %w", err)
		}
		if seen[rel] {
			return nil, fmt.Errorf("the patch changes %s twice: make one diff of the whole change", rel)
		}
		seen[rel] = true
		edits = append(edits, list...)
	}
	if len(edits) == 0 {
		return nil, errors.New("the patch changes nothing: give a unified diff, as git diff prints it")
	}
	return edits, nil
}

// fileEdits turns one file's part of a patch into edits.
func (s *Snapshot) fileEdits(f filePatch) (string, []model.Edit, error) {
	var old *original
	rel, err := f.target(s.Place.Rel(), func(rel string) bool {
		o, err := s.read(rel)
		return err == nil && o.exists
	})
	if err != nil && f.refuse == "" {
		return "", nil, fmt.Errorf("%w (line %d of the patch)", err, f.line)
	}
	if f.refuse != "" {
		name := rel
		if name == "" {
			name = f.new
		}
		return "", nil, fmt.Errorf("%s: it %s", name, f.refuse)
	}
	if old, err = s.read(rel); err != nil {
		return "", nil, err
	}
	if f.created {
		list, err := createEdit(f, rel, old)
		return rel, list, err
	}
	lines := splitLines(old.data)
	for _, eol := range endings {
		var list []model.Edit
		var e error
		if list, e = f.edits(rel, lines, eol); e == nil {
			return rel, list, nil
		}
		if err == nil {
			err = e // of the patch as it is
		}
	}
	return "", nil, err
}

// createEdit is the one edit that makes a file.
func createEdit(f filePatch, rel string, old *original) ([]model.Edit, error) {
	if old.exists {
		return nil, fmt.Errorf("%s: it makes this file, which is there already", rel)
	}
	var b strings.Builder
	for _, h := range f.hunks {
		if h.oldLen > 0 {
			return nil, fmt.Errorf("%s: it makes this file, but has old lines of it", rel)
		}
		for _, l := range h.lines {
			b.WriteString(l.text)
		}
	}
	return []model.Edit{{File: rel, New: b.String()}}, nil
}

// edits returns one edit for each run of changed lines. lines is the file.
func (f filePatch) edits(rel string, lines []string, eol func(string) string) ([]model.Edit, error) {
	offset := make([]int, len(lines)+1)
	for i, l := range lines {
		offset[i+1] = offset[i] + len(l)
	}
	var out []model.Edit
	var missing []error
	from, moved := 0, 0
	for _, h := range f.hunks {
		h = h.recode(eol)
		at, ok := h.locate(lines, from, moved)
		if !ok {
			missing = append(missing, fmt.Errorf("%s: the lines that the hunk at line %d of the patch changes are not there", rel, h.line))
			continue
		}
		if h.oldLen > 0 {
			moved = at - (h.oldStart - 1)
		}
		edit, open := model.Edit{}, false
		flush := func() {
			if open {
				out = append(out, edit)
			}
			open = false
		}
		for _, l := range h.lines {
			if l.sign == ' ' {
				flush()
				at++
				continue
			}
			if !open {
				edit, open = model.Edit{File: rel, Start: offset[at], End: offset[at]}, true
			}
			if l.sign == '-' {
				at++
				edit.End = offset[at]
			} else {
				edit.New += l.text
			}
		}
		flush()
		from = at
	}
	if err := errors.Join(missing...); err != nil {
		return nil, err
	}
	return out, nil
}

// Patch returns the change that ref stands for, as a unified diff relative to
// the root. A branch, local or remote, stands for all that it adds since it
// left HEAD: the difference from their merge base to its tip. Anything else
// that names a commit (a hash, a tag, HEAD~2) stands for that commit alone:
// the difference from its first parent. "a..b" is the difference from a to b.
func Patch(ctx context.Context, p *Place, ref string) ([]byte, error) {
	if !p.Git {
		return nil, fmt.Errorf("%s cannot be looked up: %s is not in a git repository; give a patch file", ref, p.Module)
	}
	if ref == "" || strings.HasPrefix(ref, "-") {
		return nil, fmt.Errorf("%q is no name of a commit", ref)
	}
	g := newGit(p.Root)
	from, to, err := patchEnds(ctx, g, ref)
	if err != nil {
		return nil, err
	}
	out, err := g.run(ctx, nil, "-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "-c", "diff.relative=false",
		"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/",
		"--ignore-submodules=all", "-U3", from, to)
	if err != nil {
		return nil, fmt.Errorf("reading what %s changes: %w", ref, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s changes nothing beside HEAD: name a branch that is ahead of it, or a commit", ref)
	}
	return out, nil
}

// patchEnds returns the two commits whose difference ref stands for.
func patchEnds(ctx context.Context, g git, ref string) (from, to string, err error) {
	commit := func(name string) (string, error) {
		id, err := g.line(ctx, "rev-parse", "-q", "--verify", name+"^{commit}")
		if err != nil {
			return "", fmt.Errorf("there is no commit %s: see git branch -a, or give a patch file", name)
		}
		return id, nil
	}
	if a, b, ok := strings.Cut(ref, ".."); ok && a != "" && b != "" && b[0] != '.' {
		from, err = commit(a)
		if err == nil {
			to, err = commit(b)
		}
		return from, to, err
	}
	if to, err = commit(ref); err != nil {
		return "", "", err
	}
	full, _ := g.line(ctx, "rev-parse", "--symbolic-full-name", ref)
	if strings.HasPrefix(full, "refs/heads/") || strings.HasPrefix(full, "refs/remotes/") {
		from, err = g.line(ctx, "merge-base", "HEAD", to)
		if err != nil {
			return "", "", fmt.Errorf("%s has no commit in common with HEAD: give a patch file", ref)
		}
		return from, to, nil
	}
	if from, err = g.line(ctx, "rev-parse", "-q", "--verify", to+"^1"); err != nil {
		return "", "", fmt.Errorf("%s is the first commit of its history, so it is no change: give a later one, or a patch file", ref)
	}
	return from, to, nil
}
