package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// defaultMaxFile is the size in bytes above which a file is not copied.
const defaultMaxFile = 256 << 20

// Options say what Take cannot find out without the go command.
type Options struct {
	// GOWORK is what "go env GOWORK" prints in the user's module: empty or
	// "off" for none.
	GOWORK string
	// Extra are files and directories, absolute or relative to the root, that are
	// copied although git ignores them: what //go:embed patterns match.
	Extra []string
	// MaxFile is the size in bytes above which a file is left out; 0 is
	// defaultMaxFile.
	MaxFile int64
}

// A Snapshot is a copy of a user's tree, and the only tree that is edited. It
// is not safe for concurrent use.
type Snapshot struct {
	Dir       string // where the root's copy is, absolute
	ModuleDir string // where the module's copy is, absolute
	Place     *Place
	// Commit is whose files these are; empty for those of the working tree.
	Commit string
	// GOWORK is the value that every go command in the snapshot must get:
	// "off" or the absolute path of a copy.
	GOWORK string
	// Outside are the user's own directories and files, absolute, that links from
	// beside the copy lead to. Nothing may be written there.
	Outside  []string
	Left     []Left // what was not copied, sorted
	Files    int    // how many were
	Warnings []model.Warning

	in       *below               // the work directory
	base     map[string]*original // of the files that Apply touched
	workDir  string
	work     workPath
	symlinks map[string]bool
	siblings []string // see siblingsIn
	absolute []string // directories that go.mod and go.work name by absolute paths
	maxFile  int64

	known     map[string]stamp                               // of all files of the copy: see note
	own       map[string][]byte                              // what files hold that the original may not
	told      map[string]bool                                // files that Restore has warned of
	disturbed atomic.Bool                                    // Restore has put something back
	fetch     func(ctx context.Context, rels []string) error // files of a commit; nil for the working tree
}

// An original is a file as Take copied it.
type original struct {
	data   []byte
	exists bool
	mode   fs.FileMode
	time   time.Time
}

// Take copies the tree at p, as it is, to below workDir, which it makes where
// needed, and which must be neither in the module nor shared with another
// process (WorkDir gives one). Below the same workDir the copy always has the
// same path, and a second Take only copies what changed; edits made by Apply
// meanwhile are gone. It reads the user's tree and writes nothing there.
func Take(ctx context.Context, p *Place, workDir string, opts Options) (*Snapshot, error) {
	s, err := newSnapshot(p, workDir, opts)
	if err == nil {
		err = s.take(ctx, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("making a copy of %s: %w", p.Root, err)
	}
	return s, nil
}

// newSnapshot makes the work directory and says where things will be.
func newSnapshot(p *Place, workDir string, opts Options) (*Snapshot, error) {
	workDir, err := makeWorkDir(p, workDir)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Place: p, base: map[string]*original{}, workDir: workDir, symlinks: map[string]bool{}, told: map[string]bool{}, maxFile: opts.MaxFile}
	s.maxFile = cmp.Or(s.maxFile, defaultMaxFile)
	if s.in, err = openWork(workDir); err != nil {
		return nil, err
	}
	s.Dir = landing(s.fs(), p.Root)
	s.ModuleDir = filepath.Join(s.Dir, filepath.FromSlash(p.Rel()))
	return s, nil
}

// fs is the directory below which each file has the path that it really has.
func (s *Snapshot) fs() string { return filepath.Join(s.workDir, "fs") }

// take is Take once the work directory is there.
func (s *Snapshot) take(ctx context.Context, opts Options) error {
	state, err := begin(s.in, s.Place.Root)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := s.fill(ctx, state, opts); err != nil {
		return err
	}
	state.last.Began = began
	if err := state.end(); err != nil {
		return err
	}
	return s.note()
}

// openWork opens the work directory. Where it, or its fs, is a link, what is
// behind that would be taken for an old copy.
func openWork(dir string) (*below, error) {
	for _, at := range []string{dir, filepath.Join(dir, "fs")} {
		if info, err := os.Lstat(at); err == nil && !info.IsDir() {
			return nil, fmt.Errorf("%s is not a directory but %s, which pawl has not made: look where it comes from, and remove it", at, kindOf(info))
		}
	}
	return openBelow(dir)
}

func kindOf(info fs.FileInfo) string {
	if info.Mode()&fs.ModeSymlink != 0 {
		return "a link"
	}
	return "a file"
}

// CopyDir makes the directory that Take and TakeRef fill below workDir, and
// returns it.
func CopyDir(p *Place, workDir string) (string, error) {
	workDir, err := makeWorkDir(p, workDir)
	if err != nil {
		return "", err
	}
	in, err := openWork(workDir)
	if err != nil {
		return "", err
	}
	dir := landing(filepath.Join(workDir, "fs"), p.Root)
	return dir, errors.Join(in.way(dir), in.root.Close())
}

// makeWorkDir makes the directory, for the user alone since the copy may hold
// secrets, and returns its path without symlinks, as a test's os.Getwd sees it.
func makeWorkDir(p *Place, dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if within(p.Module, dir) {
		return "", fmt.Errorf("the directory for it, %s, is inside the module: set another cache directory", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	if within(p.Module, dir) {
		return "", fmt.Errorf("the directory for it, %s, is inside the module: set another cache directory", dir)
	}
	return dir, nil
}

// fill makes the copy and what is beside it.
func (s *Snapshot) fill(ctx context.Context, state *workState, opts Options) error {
	l := &lister{ctx: ctx, root: s.Place.Root, maxFile: s.maxFile, avoid: s.workDir}
	s.work = workAt(s.Place, opts.GOWORK)
	l.extra = append(s.extra(opts.Extra), s.work.inside(s.Place.Root)...)
	if err := l.list(s.Place); err != nil {
		return err
	}
	if err := clearBeside(s.in, s.fs(), s.Dir); err != nil {
		return err
	}
	c := &syncer{in: s.in, src: s.Place.Root, dst: s.Dir, files: l.files, state: state}
	if err := c.sync(ctx); err != nil {
		return err
	}
	s.Left = append(l.left, c.left...)
	s.Files = len(l.files) - len(c.left)
	s.Warnings = append(append(s.Warnings, l.warn...), c.warn...)
	for rel, info := range l.files {
		if info.Mode()&fs.ModeSymlink != 0 {
			s.symlinks[rel] = true
		}
	}
	return s.surround(state)
}

// surround makes what is beside the copy, by what is in the copy. It notes in
// state, which may be nil, that the workspace file of the copy is not what it
// was copied from.
func (s *Snapshot) surround(state *workState) error {
	o := &outside{in: s.in, fs: s.fs(), root: s.Place.Root, copied: s.Dir, maxFile: s.maxFile}
	work := s.goWork()
	if err := o.join(s, work); err != nil {
		return err
	}
	if rel, err := filepath.Rel(s.Place.Root, work.path); err == nil && state != nil {
		delete(state.held.keys, filepath.ToSlash(rel))
	}
	s.Outside, s.absolute = o.links, o.absolute
	s.siblings = s.siblingsIn(work)
	for _, w := range o.warn {
		s.warn(w)
	}
	return nil
}

// warn adds a warning, once.
func (s *Snapshot) warn(w model.Warning) {
	if !slices.Contains(s.Warnings, w) {
		s.Warnings = append(s.Warnings, w)
	}
}

// extra returns the wanted paths that are in the root, relative to it.
func (s *Snapshot) extra(paths []string) []string {
	var rels []string
	for _, path := range paths {
		rel, err := filepath.Rel(s.Place.Root, absFrom(s.Place.Root, path))
		if err == nil && filepath.IsLocal(rel) {
			rels = append(rels, filepath.ToSlash(rel))
		}
	}
	return rels
}

// Modules returns the user's own modules, outside the root, that the copy is
// built from; and what is named in the root by absolute paths.
func (s *Snapshot) Modules() []string {
	var out []string
	for _, dir := range slices.Concat(s.Outside, s.absolute) {
		for _, name := range []string{"go.mod", "modules.txt"} {
			if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
				out = append(out, dir)
			}
		}
	}
	return out
}

// ReadFile returns what the file rel of the copy holds now. What is no plain file
// is refused: a test may have put a link there.
func (s *Snapshot) ReadFile(rel string) ([]byte, error) {
	f, err := s.in.plain(s.Path(rel))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Path returns where the file rel of the root is in the snapshot.
func (s *Snapshot) Path(rel string) string { return filepath.Join(s.Dir, filepath.FromSlash(rel)) }

// Base returns the bytes of the file rel as Take copied it, and whether it
// was there.
func (s *Snapshot) Base(rel string) ([]byte, bool, error) {
	if o := s.base[rel]; o != nil {
		return o.data, o.exists, nil
	}
	o, err := s.read(rel)
	if err != nil {
		return nil, false, err
	}
	return o.data, o.exists, nil
}

// landing returns where the absolute path real lands below fs.
func landing(fs, real string) string {
	vol := filepath.VolumeName(real)
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*`, r) {
			return -1
		}
		return r
	}, vol)
	return filepath.Join(fs, name, real[len(vol):])
}
