package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
)

// fits checks that no file would be both a file and a directory.
func (p *patching) fits() error {
	for _, rel := range p.paths() {
		if p.now[rel] == nil {
			continue
		}
		for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
			v, ok := p.now[dir]
			info, err := p.s.in.Lstat(p.s.Path(dir))
			if v != nil || !ok && err == nil && !info.IsDir() {
				return fmt.Errorf("%s: %s is not a directory", rel, dir)
			}
		}
		err := p.s.in.walk(p.s.Path(rel), func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // nothing is there
			}
			sub, err := filepath.Rel(p.s.Dir, at)
			if err != nil {
				return err
			}
			inner := filepath.ToSlash(sub)
			if v, ok := p.now[inner]; inner != rel && (!ok || v != nil) {
				return fmt.Errorf("%s: it makes this file, and there is a directory with %s in it", rel, inner)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// paths returns what the patch touches, sorted.
func (p *patching) paths() []string {
	return slices.Sorted(maps.Keys(p.now))
}

// write removes what is gone, with directories that are empty then, as git does,
// and writes what is there.
func (p *patching) write() error {
	for _, rel := range p.paths() {
		if p.now[rel] != nil {
			continue
		}
		delete(p.s.symlinks, rel)
		if err := p.s.in.Remove(p.s.Path(rel)); err != nil && !errors.Is(err, fs.ErrNotExist) && !isNotDir(err) {
			return err
		}
		for dir := path.Dir(rel); dir != "." && p.s.in.Remove(p.s.Path(dir)) == nil; {
			dir = path.Dir(dir)
		}
	}
	for _, rel := range p.paths() {
		if v := p.now[rel]; v != nil {
			if err := p.put(rel, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// put writes one file, whatever was there.
func (p *patching) put(rel string, v *version) error {
	at := p.s.Path(rel)
	if info, err := p.s.in.Lstat(at); err == nil && info.IsDir() {
		if err := p.s.in.removeAll(at); err != nil { // it holds no files: see fits
			return err
		}
	}
	if p.s.base[rel] == nil {
		p.s.base[rel] = &original{mode: 0o600}
	}
	if err := p.s.in.MkdirAll(filepath.Dir(at)); err != nil {
		return err
	}
	if v.mode&fs.ModeSymlink == 0 {
		delete(p.s.symlinks, rel)
		return p.s.in.writeFile(at, v.data, private(v.mode))
	}
	p.s.symlinks[rel] = true
	if err := p.s.in.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return p.s.in.Symlink(filepath.FromSlash(string(v.data)), at)
}
