package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// TakeRef is Take with the files of a commit instead of the working tree's:
// what git would check out, filters included, at the same place. It does not
// touch the user's files, index, refs or stash, runs no hooks, and writes no
// objects, but git gets what a partial clone lacks and a filter like Git LFS
// keeps what it downloads. Modes are 0755 for executable files, else 0644.
//
// Whatever is in no commit is not there: Options.Extra is not looked at, and
// neither are ignored sources or an ignored vendor directory. A go.work that git
// does not track is the one exception, since it belongs to how the user builds
// both sides. The files of a submodule come from its own repository, where
// that has the commit; else they are left out, with a warning. It is an error
// when the commit has no go.mod where the module is.
//
// Kept changes are of the working tree: a Recorder takes no such snapshot.
func TakeRef(ctx context.Context, p *Place, workDir, commit string, opts Options) (*Snapshot, error) {
	commit, err := Resolve(ctx, p, commit)
	if err != nil {
		return nil, err
	}
	s, err := newSnapshot(p, workDir, opts)
	if err == nil {
		s.Commit = commit
		err = s.takeRef(ctx, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("making a copy of %s at %s: %w", p.Root, words.Commit(commit), err)
	}
	return s, nil
}

// takeRef is TakeRef once the work directory is there.
func (s *Snapshot) takeRef(ctx context.Context, opts Options) error {
	l := &commitLister{ctx: ctx, root: s.Place.Root, avoid: s.workDir, blobs: map[string]blob{}}
	if err := l.add(&repository{at: ".", gitDir: s.Place.GitDir, common: s.Place.CommonDir, commit: s.Commit}); err != nil {
		return err
	}
	mod := path.Join(s.Place.Rel(), "go.mod")
	if b, ok := l.blobs[mod]; !ok || b.kind() != 0 {
		return fmt.Errorf("the commit has no %s: the module was not there yet, or elsewhere, so compare with another commit", mod)
	}
	attrs, err := l.attributes()
	if err != nil {
		return err
	}
	state, err := begin(s.in, s.Place.Root)
	if err != nil {
		return err
	}
	if state.held.attrs != attrs {
		state.held = held{attrs: attrs, keys: map[string]string{}}
	}
	c := &commitSyncer{in: s.in, l: l, dst: s.Dir, stage: filepath.Join(s.workDir, "stage"), maxFile: s.maxFile, state: state}
	if c.local, err = s.localWork(ctx, l, opts); err != nil {
		return err
	}
	if err := clearBeside(s.in, s.fs(), s.Dir); err != nil {
		return err
	}
	if err := c.sync(ctx); err != nil {
		return err
	}
	s.Left = append(l.left, c.left...)
	sorted.By(s.Left, func(a, b Left) int { return strings.Compare(a.Path, b.Path) })
	s.Files = len(l.blobs) + len(c.local) - len(c.left)
	for _, w := range append(l.warn, c.warn...) {
		s.warn(w)
	}
	for rel, b := range l.blobs {
		if b.kind() != 0 {
			s.symlinks[rel] = true
		}
	}
	if err := s.surround(state); err != nil {
		return err
	}
	if err := state.end(); err != nil {
		return err
	}
	s.fetch = c.fetch
	return s.note()
}

// localWork decides which go.work is in use, and returns it and its sums
// where they are in the root and not under git.
func (s *Snapshot) localWork(ctx context.Context, l *commitLister, opts Options) ([]string, error) {
	untracked := func(rel string) bool {
		if _, ok := l.blobs[rel]; ok {
			return false
		}
		info, err := os.Lstat(filepath.Join(s.Place.Root, filepath.FromSlash(rel)))
		return err == nil && info.Mode().IsRegular() && !newGit(s.Place.Root).ok(ctx, "ls-files", "--error-unmatch", "--", rel)
	}
	asked := workAt(s.Place, opts.GOWORK)
	s.work = asked.in(s.Place, func(rel string) bool {
		_, ok := l.blobs[rel]
		return ok || asked.path != "" && untracked(rel)
	})
	if asked.path != "" && asked.fixed && s.work.path == "" {
		s.warn(model.Warning{
			Seen:  fmt.Sprintf("%s is not used for %s, which does not have it", asked.path, words.Commit(s.Commit)),
			Cause: "GOWORK names a file of the repository that was added later",
			Try:   "set GOWORK=off to build both sides without a workspace",
		})
	}
	var rels []string
	for _, rel := range s.work.inside(s.Place.Root) {
		if untracked(rel) {
			rels = append(rels, rel)
		}
	}
	return rels, ctx.Err()
}

// A commitSyncer makes the directory dst hold the files of a commit.
type commitSyncer struct {
	in      *below // dst and stage are in it
	l       *commitLister
	dst     string
	stage   string   // a directory for files on their way
	local   []string // files that the user's tree lends
	maxFile int64
	state   *workState
	warn    []model.Warning
	left    []Left
}

func (c *commitSyncer) sync(ctx context.Context) error {
	kinds := make(map[string]fs.FileMode, len(c.l.blobs))
	for rel, b := range c.l.blobs {
		kinds[rel] = b.kind()
	}
	for _, rel := range c.local {
		kinds[rel] = 0
	}
	have, err := sweep(c.in, c.dst, kinds)
	if err != nil {
		return fmt.Errorf("clearing the copy: %w", err)
	}
	need, err := c.missing(have)
	if err != nil {
		return err
	}
	// A git whose pawl was killed may still be writing into an old one.
	if err := c.in.removeAll(c.stage); err != nil {
		return err
	}
	if err := c.in.MkdirAll(c.stage); err != nil {
		return err
	}
	for _, r := range c.l.repos {
		if len(need[r]) == 0 {
			continue
		}
		if err := c.export(ctx, r, need[r], have); err != nil {
			return fmt.Errorf("checking out the files of %s in %s: %w", words.Commit(r.commit), filepath.Join(c.l.root, r.at), err)
		}
	}
	for _, rel := range c.local {
		if err := c.lend(rel, have[rel]); err != nil {
			return fmt.Errorf("copying %s: %w", rel, err)
		}
	}
	return c.in.removeAll(c.stage)
}

// fetch writes some files of the commit anew.
func (c *commitSyncer) fetch(ctx context.Context, rels []string) error {
	need := map[*repository][]string{}
	for _, rel := range rels {
		b, ok := c.l.blobs[rel]
		if !ok {
			return fmt.Errorf("%s is not in the commit", rel)
		}
		need[b.repo] = append(need[b.repo], rel)
	}
	if err := c.in.MkdirAll(c.stage); err != nil {
		return err
	}
	for r, rels := range need {
		if err := c.export(ctx, r, rels, nil); err != nil {
			return err
		}
	}
	return c.in.removeAll(c.stage)
}

// missing returns the files, by repository, that the copy is not known to
// hold, and gives the others their modes.
func (c *commitSyncer) missing(have map[string]fs.FileInfo) (map[*repository][]string, error) {
	need := map[*repository][]string{}
	held := c.state.held.keys
	for rel := range held {
		if info := have[rel]; info == nil || !c.state.last.untouched(info) {
			delete(held, rel)
		}
	}
	for _, rel := range c.l.paths() {
		b := c.l.blobs[rel]
		key, ok := held[rel]
		if !ok || key != b.key() || have[rel].Size() > c.maxFile {
			delete(held, rel)
			need[b.repo] = append(need[b.repo], rel)
			continue
		}
		if b.kind() == 0 && have[rel].Mode().Perm() != b.perm() {
			if err := c.in.Chmod(c.to(rel), b.perm()); err != nil {
				return nil, err
			}
		}
	}
	return need, nil
}

// export has git write the files, and moves them to where they belong.
func (c *commitSyncer) export(ctx context.Context, r *repository, rels []string, have map[string]fs.FileInfo) error {
	stage, err := os.MkdirTemp(c.stage, "")
	if err != nil {
		return err
	}
	if err := r.export(ctx, stage, stage+".index", rels); err != nil {
		return err
	}
	madeDir := ""
	for _, rel := range rels {
		if err := ctx.Err(); err != nil {
			return err
		}
		if dir := filepath.Dir(c.to(rel)); dir != madeDir {
			if err := c.in.MkdirAll(dir); err != nil {
				return err
			}
			madeDir = dir
		}
		from := filepath.Join(stage, filepath.FromSlash(r.inside(rel)))
		if err := c.place(rel, from, have[rel]); err != nil {
			return err
		}
	}
	return nil
}

// place makes the copy rel what the file from is. have is the copy's state, or
// nil. A copy that is right already stays as it is, with its time, by which a
// later Take may know it.
func (c *commitSyncer) place(rel, from string, have fs.FileInfo) error {
	b, to := c.l.blobs[rel], c.to(rel)
	info, err := c.in.Lstat(from)
	if err != nil {
		return err
	}
	if info.Size() > c.maxFile {
		c.leave(rel)
		if err := c.in.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	c.state.held.keys[rel] = b.key()
	if have == nil || !c.in.sameFile(from, info, to, have) {
		if info.Mode().IsRegular() {
			if err := c.in.Chmod(from, b.perm()); err != nil {
				return err
			}
		}
		return c.in.Rename(from, to)
	}
	if b.kind() != 0 {
		return nil
	}
	if !c.state.last.untouched(have) {
		// Its time may be one that somebody set.
		if err := c.in.setTime(to, time.Now()); err != nil {
			return err
		}
	}
	return c.in.Chmod(to, b.perm())
}

// sameFile reports whether two files, one of anywhere and one of the copy, are of
// one type and have one content.
func (b *below) sameFile(from string, ia fs.FileInfo, to string, ib fs.FileInfo) bool {
	if ia.Mode().Type() != ib.Mode().Type() || ia.Size() != ib.Size() {
		return false
	}
	if ia.Mode()&fs.ModeSymlink != 0 {
		ta, err1 := os.Readlink(from)
		tb, err2 := b.Readlink(to)
		return err1 == nil && err2 == nil && ta == tb
	}
	same, err := b.sameBytes(from, to)
	return err == nil && same
}

func (c *commitSyncer) leave(rel string) {
	c.left = append(c.left, Left{Path: rel, Why: "too large"})
	c.warn = append(c.warn, tooLarge(rel))
}

// lend copies a file of the user's tree that is not under git.
func (c *commitSyncer) lend(rel string, have fs.FileInfo) error {
	from := filepath.Join(c.l.root, filepath.FromSlash(rel))
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if have != nil && c.in.sameFile(from, info, c.to(rel), have) {
		return c.in.dress(c.to(rel), info, have)
	}
	if err := c.in.MkdirAll(filepath.Dir(c.to(rel))); err != nil {
		return err
	}
	return c.in.copyFile(c.to(rel), from, info)
}

func (c *commitSyncer) to(rel string) string { return filepath.Join(c.dst, filepath.FromSlash(rel)) }
