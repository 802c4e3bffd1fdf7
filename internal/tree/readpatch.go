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
// a file, changes a mode, a symlink, a submodule or a binary file is refused,
// by name, since edits cannot say that. So are: an empty patch and one above
// patchMax; a name that leads out of the module, into a directory of git or of
// pawl, or through a symlink; a file of secrets (secretFile); a new file that
// is there, or whose name is that of another but for case. The error says
// which file and which hunk, what the file has there, and what to do; nothing
// is ever written.
func (s *Snapshot) ReadPatch(patch []byte) ([]model.Edit, error) {
	files, err := readFiles(patch, patchMax)
	if err != nil {
		return nil, err
	}
	r := &patchReader{s: s, search: newSearch(), seen: map[string]string{}, dirs: map[string][]string{}}
	var edits []model.Edit
	var errs []error
	for _, f := range files {
		list, err := r.file(f)
		if err != nil {
			errs = append(errs, err)
		}
		edits = append(edits, list...)
	}
	if err := joinSome(errs); err != nil {
		return nil, fmt.Errorf("the patch does not apply, and nothing was changed: %w", err)
	}
	if len(edits) == 0 {
		return nil, errNoChange
	}
	return edits, nil
}

// A patchReader turns the parts of one patch into edits.
type patchReader struct {
	s      *Snapshot
	search *search
	seen   map[string]string   // files of the patch, by their names without case
	dirs   map[string][]string // directories that were listed, for new files
}

// file turns one file's part of a patch into edits.
func (r *patchReader) file(f filePatch) ([]model.Edit, error) {
	rel, err := f.target(r.s.Place.Rel(), r.s.isFile)
	if err == nil {
		err = r.allowed(rel)
	}
	switch why := f.refusal(); {
	case f.name() == "":
	case why != "" && rel == "":
		return nil, fmt.Errorf("%s: it %s (line %d of the patch)", shown(f.name()), why, f.line)
	case why != "":
		return nil, fmt.Errorf("%s: it %s (line %d of the patch)", shown(rel), why, f.line)
	}
	if link := r.link(f, rel); link != "" {
		err = fmt.Errorf("%s: it is or is reached through %s, a symlink of the tree: name the file where it really is", shown(f.name()), shown(link))
	}
	if err != nil {
		return nil, fmt.Errorf("%w (line %d of the patch)", err, f.line)
	}
	key := strings.ToLower(rel)
	switch r.seen[key] {
	case "":
		r.seen[key] = rel
	case rel:
		return nil, fmt.Errorf("%s: the patch changes it twice (again at line %d): make one diff of the whole change", shown(rel), f.line)
	default:
		return nil, fmt.Errorf("%s: its name is that of %s but for case, and on some systems both are one file: change one of them", shown(rel), shown(r.seen[key]))
	}
	old, err := r.s.read(rel)
	if err != nil {
		return nil, err
	}
	if f.created {
		return r.create(f, rel, old)
	}
	var first error
	lines := splitLines(old.data)
	for _, eol := range endings {
		list, err := f.edits(rel, lines, eol, r.search)
		if err == nil {
			return list, nil
		}
		if first == nil {
			first = err // of the patch as it is
		}
	}
	return nil, first
}

// create is the one edit that makes a file.
func (r *patchReader) create(f filePatch, rel string, old *original) ([]model.Edit, error) {
	if old.exists {
		return nil, fmt.Errorf("%s: it makes this file, which is there already: make the patch anew from the tree as it is (git diff)", shown(rel))
	}
	if twin := r.twin(rel); twin != "" {
		return nil, fmt.Errorf("%s: it makes this file, whose name is that of %s but for case, and on some systems both are one file: take another name", shown(rel), shown(twin))
	}
	var b strings.Builder
	for _, h := range f.hunks {
		if h.oldLen > 0 {
			return nil, fmt.Errorf("%s: it makes this file, but the hunk at line %d of the patch has old lines of it", shown(rel), h.line)
		}
		for _, l := range h.lines {
			b.WriteString(l.text)
		}
	}
	return []model.Edit{{File: rel, New: b.String()}}, nil
}

// edits returns one edit for each run of changed lines. lines is the file.
func (f filePatch) edits(rel string, lines []string, eol func(string) string, find *search) ([]model.Edit, error) {
	offset := make([]int, len(lines)+1)
	for i, l := range lines {
		offset[i+1] = offset[i] + len(l)
	}
	var out []model.Edit
	var missing []error
	from, moved := 0, 0
	for i, h := range f.hunks {
		h = h.recode(eol)
		at, ok := find.hunk(h, lines, from, moved)
		if !ok {
			missing = append(missing, h.misses(rel, i+1, lines, from, moved))
			continue
		}
		if h.oldLen > 0 {
			moved = at - (h.oldStart - 1)
		}
		out = append(out, h.edits(rel, at, offset)...)
		from = at + h.oldLen
	}
	if err := joinSome(missing); err != nil {
		return nil, fmt.Errorf("%w; make it anew from the tree as it is (git diff)", err)
	}
	return out, nil
}

// edits returns what a hunk changes when its first line is line at of the
// file, counted from zero; offset says where lines begin.
func (h hunk) edits(rel string, at int, offset []int) []model.Edit {
	var out []model.Edit
	var text strings.Builder // what the last edit puts there
	open := false            // the last edit goes on
	flush := func() {
		if open {
			out[len(out)-1].New = text.String()
			text.Reset()
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
			out, open = append(out, model.Edit{File: rel, Start: offset[at], End: offset[at]}), true
		}
		if l.sign == '-' {
			at++
			out[len(out)-1].End = offset[at]
		} else {
			text.WriteString(l.text)
		}
	}
	flush()
	return out
}

// ErrNoCommit is wrapped in the error for a ref that names no commit.
var ErrNoCommit = errors.New("there is no commit")

// Patch returns the change that ref stands for, as a unified diff relative to
// the root. A branch, local or remote, stands for all that it adds since it
// left HEAD: the difference from their merge base to its tip. Anything else
// that names a commit (a hash, a tag, HEAD~2) stands for that commit alone:
// the difference from its first parent. "a..b" is the difference from a to b.
func Patch(ctx context.Context, p *Place, ref string) ([]byte, error) {
	if !p.Git {
		return nil, fmt.Errorf("%s cannot be looked up: %s %s; give a patch file", ref, p.Module, p.NoGit)
	}
	if ref == "" || strings.HasPrefix(ref, "-") {
		return nil, fmt.Errorf("%w: %q is no name of a commit", ErrNoCommit, ref)
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
			return "", fmt.Errorf("%w %s: see git branch -a, or give a patch file", ErrNoCommit, name)
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
