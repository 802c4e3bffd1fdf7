package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ApplyPatch changes the files of the snapshot as a unified or git diff says,
// with all that ReadPatch cannot turn into edits: deletions, renames, copies,
// modes, symlinks, and binary files where git is installed. Paths are read as
// ReadPatch reads them. A hunk may have moved, but all its lines must be
// there. The error names every file that the patch does not apply to, with
// the lines of the patch where its hunks begin; nothing is changed then.
//
// There is no undo: the next Take or TakeRef in the work directory restores all.
func (s *Snapshot) ApplyPatch(ctx context.Context, patch []byte) error {
	files, err := readFiles(patch, versionMax)
	if err != nil {
		return err
	}
	p := &patching{ctx: ctx, s: s, now: map[string]*version{}, going: map[string]bool{}, read: map[string]*version{}, search: newSearch()}
	p.frame = p.framed(files)
	for _, f := range files {
		if old, _ := p.names(f); f.deleted || f.renamed {
			p.going[old] = true
		}
	}
	var errs []error
	for _, f := range files {
		if err := p.file(f); err != nil {
			errs = append(errs, err)
		}
	}
	if err := joinSome(errs); err != nil {
		return fmt.Errorf("the patch does not apply, and nothing was changed: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.fits(); err != nil {
		return fmt.Errorf("the patch does not apply, and nothing was changed: %w", err)
	}
	if err := p.write(); err != nil {
		return fmt.Errorf("applying the patch: %w", err)
	}
	if err := s.resurround(); err != nil {
		return err
	}
	if err := s.note(); err != nil {
		return fmt.Errorf("applying the patch: %w", err)
	}
	return nil
}

// resurround makes what is beside the copy anew, after its files changed.
func (s *Snapshot) resurround() error {
	s.work = s.work.in(s.Place, func(rel string) bool {
		info, err := os.Stat(s.Path(rel))
		return err == nil && !info.IsDir()
	})
	if err := clearBeside(s.in, s.fs(), s.Dir); err != nil {
		return fmt.Errorf("applying the patch: %w", err)
	}
	if err := s.surround(nil); err != nil {
		return fmt.Errorf("applying the patch: %w", err)
	}
	return nil
}

// A version is a file as it is, or as a patch leaves it.
type version struct {
	data []byte      // of a symlink, its text
	mode fs.FileMode // permissions, and fs.ModeSymlink
	came bool        // by a rename or copy, to a name that may be gone before
}

// A patching is a patch on its way into the snapshot. As in git, a part of a
// patch sees what the parts before it did, but a rename or copy starts from
// the file as it was before them all: their order means nothing.
type patching struct {
	ctx   context.Context
	s     *Snapshot
	frame frame
	now   map[string]*version // of touched files; nil for what is gone
	going map[string]bool     // what the patch deletes or renames
	read  map[string]*version // what is on disk, once it was looked at

	search *search
}

// A frame is how the names of a patch are to be read.
type frame struct {
	strip bool   // they have a directory in front for their side: a/ and b/
	dir   string // what they are relative to, itself relative to the root
}

// framed returns the frame in which most of the files are there, and among
// equals the one where most new ones find their directory.
func (p *patching) framed(files []filePatch) frame {
	strip := !slices.ContainsFunc(files, func(f filePatch) bool { return !prefixed(f.old, f.new) })
	var frames []frame
	for _, first := range []bool{strip, !strip} {
		frames = append(frames, frame{first, "."}, frame{first, p.s.Place.Rel()})
	}
	best, most := frames[0], -1
	for _, fr := range frames {
		p.frame = fr
		score := 0
		for _, f := range files {
			old, new := p.names(f)
			if f.created {
				if info, err := p.s.in.Lstat(p.s.Path(path.Dir(new))); err == nil && info.IsDir() {
					score++
				}
			} else if v, err := p.disk(old); err == nil && v != nil {
				score += len(files) + 1
			}
		}
		if score > most {
			best, most = fr, score
		}
	}
	return best
}

// names returns the paths before and after, relative to the root; empty for
// what the patch does not say.
func (p *patching) names(f filePatch) (old, new string) {
	read := func(name string, strip bool) string {
		if strip {
			name = cutFirst(name)
		}
		if name = strings.TrimPrefix(name, "./"); name == "" {
			return ""
		}
		return path.Join(p.frame.dir, name)
	}
	if f.from != "" && f.to != "" {
		return read(f.from, false), read(f.to, false)
	}
	name := f.new
	if name == devNull || name == "" {
		name = f.old
	}
	name = read(name, p.frame.strip)
	return name, name
}

// file takes one part of the patch.
func (p *patching) file(f filePatch) error {
	old, new := p.names(f)
	for _, rel := range []string{old, new} {
		if err := checkPath(rel); err != nil {
			return fmt.Errorf("%w (line %d of the patch)", err, f.line)
		}
		if guardedDirectory(rel) {
			return fmt.Errorf("%s is in a directory that is never edited (line %d of the patch)", shown(rel), f.line)
		}
	}
	if name := f.name(); strings.HasPrefix(name, "/") && name != devNull {
		return fmt.Errorf("%s is an absolute path: make the patch with names relative to the tree (line %d of the patch)", shown(name), f.line)
	}
	switch {
	case f.link:
		return fmt.Errorf("%s: it changes a submodule, whose files are not in the patch: commit it, and name the commit", new)
	case !f.created && !f.deleted && f.from == "" && f.mode == "" && f.binary == "" && !f.without && len(f.hunks) == 0:
		return fmt.Errorf("%s: it says nothing about this file (line %d of the patch)", new, f.line)
	case f.without:
		return fmt.Errorf("%s: it changes a binary file but does not say how: make it with git diff --binary", new)
	case f.mode != "" && f.mode != modePlain && f.mode != modeExecutable && f.mode != modeSymlink:
		return fmt.Errorf("%s: it makes a file of mode %s, and there are 100644, 100755 and 120000", new, f.mode)
	}
	was, err := p.before(f, old, new)
	if err != nil {
		return err
	}
	v, err := p.after(f, new, was)
	if err != nil {
		return err
	}
	if f.deleted {
		if len(v.data) > 0 {
			return fmt.Errorf("%s: it deletes the file, which has more lines than it says", old)
		}
		p.now[old] = nil
		return nil
	}
	if v.mode&fs.ModeSymlink != 0 && !inTree(new, string(v.data)) {
		return fmt.Errorf("%s: it makes a symlink that leaves the tree, to %s", new, v.data)
	}
	if f.renamed && (p.now[old] == nil || !p.now[old].came) {
		p.now[old] = nil
	}
	p.now[new] = v
	return nil
}

// before returns what a part of the patch starts from.
func (p *patching) before(f filePatch, old, new string) (*version, error) {
	moves := f.from != "" && f.to != ""
	if f.created || moves {
		there, err := p.current(new)
		if err != nil {
			return nil, err
		}
		if there != nil && (!p.going[new] || there.came) {
			return nil, fmt.Errorf("%s: it makes this file, which is there already", new)
		}
	}
	if f.created {
		return &version{mode: 0o644}, nil
	}
	look := p.current
	if moves {
		look = p.disk
	}
	was, err := look(old)
	if err == nil && was == nil {
		err = fmt.Errorf("there is no file %s (line %d of the patch)", old, f.line)
	}
	return was, err
}

// after returns what a part of the patch makes of was.
func (p *patching) after(f filePatch, rel string, was *version) (*version, error) {
	v := &version{data: was.data, mode: was.mode, came: f.from != ""}
	switch f.mode {
	case modePlain:
		v.mode = was.mode.Perm() &^ 0o111
	case modeExecutable:
		v.mode = was.mode.Perm() | was.mode.Perm()&0o444>>2
	case modeSymlink:
		v.mode = fs.ModeSymlink | 0o777
	}
	if f.mode != "" && !f.created && v.mode&fs.ModeSymlink != was.mode&fs.ModeSymlink {
		return nil, fmt.Errorf("%s: it changes the mode of a file to %s, which it is no kind of", rel, f.mode)
	}
	var err error
	switch {
	case f.binary != "":
		v.data, err = p.binary(f, rel, was.data)
	case len(f.hunks) > 0:
		v.data, err = f.patched(rel, was, p.search)
	}
	return v, err
}

// patched returns the content of a file after the hunks.
func (f filePatch) patched(rel string, was *version, find *search) ([]byte, error) {
	lines := splitLines(was.data)
	if err := find.spend(len(lines)); err != nil {
		return nil, fmt.Errorf("%s: %w", shown(rel), err)
	}
	var first error
	for i, eol := range endings {
		if i > 0 && (f.created || was.mode&fs.ModeSymlink != 0) {
			break
		}
		edits, err := f.edits(rel, lines, eol, find)
		if err == nil {
			return splice(was.data, edits)
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// inTree reports whether a symlink at rel that says text leads into the tree.
func inTree(rel, text string) bool {
	return !path.IsAbs(text) && !filepath.IsAbs(text) && filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(rel), text)))
}

// current returns a file as the parts of the patch so far left it; nil where
// there is none.
func (p *patching) current(rel string) (*version, error) {
	if v, ok := p.now[rel]; ok {
		return v, nil
	}
	return p.disk(rel)
}

// disk returns a file as it was before the patch; nil where there is none. It
// looks through no symlink, which could lead to the user's own files.
func (p *patching) disk(rel string) (*version, error) {
	if checkPath(rel) != nil {
		return nil, nil
	}
	if v, ok := p.read[rel]; ok {
		return v, nil
	}
	v, err := p.look(rel)
	if err == nil {
		p.read[rel] = v
	}
	return v, err
}

// look is disk for what was not read yet.
func (p *patching) look(rel string) (*version, error) {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if info, err := p.s.in.Lstat(p.s.Path(dir)); err == nil && !info.IsDir() {
			return nil, nil
		}
	}
	info, err := p.s.in.Lstat(p.s.Path(rel))
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir():
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", rel, err)
	}
	v := &version{mode: info.Mode().Perm() | info.Mode()&fs.ModeSymlink}
	if info.Mode()&fs.ModeSymlink != 0 {
		text, err := p.s.in.Readlink(p.s.Path(rel))
		v.data = []byte(filepath.ToSlash(text))
		return v, err
	}
	v.data, err = p.s.in.ReadFile(p.s.Path(rel))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", rel, err)
	}
	if p.s.base[rel] == nil {
		p.s.base[rel] = &original{data: v.data, exists: true, mode: v.mode, time: info.ModTime()}
	}
	return v, nil
}

// binary has git make the new content of a binary file, in a directory of its
// own, apart from any repository: git checks by their ids that both contents
// are the right ones.
func (p *patching) binary(f filePatch, rel string, old []byte) ([]byte, error) {
	dir, err := os.MkdirTemp(p.s.workDir, "binary-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	head := "diff --git a/f b/f\n"
	switch {
	case f.created:
		head += "new file mode 100644\n"
	case f.deleted:
		head += "deleted file mode 100644\n"
	}
	head += "index " + f.index
	if !f.created && !f.deleted {
		head += " 100644"
	}
	at := filepath.Join(dir, "f")
	if !f.created {
		if err := os.WriteFile(at, old, 0o600); err != nil {
			return nil, err
		}
	}
	_, err = newGit(dir).here().run(p.ctx, []byte(head+"\nGIT binary patch\n"+f.binary),
		"-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-")
	if err != nil {
		return nil, fmt.Errorf("%s: the binary change at line %d of the patch does not fit: %w", rel, f.line, err)
	}
	if f.deleted {
		return nil, nil
	}
	return os.ReadFile(at)
}
