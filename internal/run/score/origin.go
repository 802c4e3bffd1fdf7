package score

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/tree"
)

// An origin is where the parent and the fix of a row come from.
type origin struct {
	mirror      *tree.Mirror
	parent, fix string // commits
}

// open finds the two commits of a row in its mirror, or makes a repository of
// two module versions where there is no mirror, or the commits are not in it.
func (s *session) open(ctx context.Context, row Row, scratch string) (origin, error) {
	m, err := findMirror(ctx, s.opt.Mirrors, row.Repo)
	if err == nil {
		var o origin
		if o, err = commits(ctx, m, row.Parent, row.Fix); err == nil {
			return o, nil
		}
	}
	if row.ParentVersion == "" || row.FixVersion == "" || row.Module == "" {
		return origin{}, err
	}
	o, merr := s.versions(ctx, row, filepath.Join(scratch, "versions"))
	if merr != nil {
		return origin{}, errors.Join(err, merr)
	}
	return o, nil
}

func commits(ctx context.Context, m *tree.Mirror, parent, fix string) (o origin, err error) {
	o.mirror = m
	if o.parent, err = m.Commit(ctx, parent); err != nil {
		return o, err
	}
	o.fix, err = m.Commit(ctx, fix)
	return o, err
}

// versions downloads two versions of a module and commits one on top of the
// other.
func (s *session) versions(ctx context.Context, row Row, dir string) (origin, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return origin{}, err
	}
	empty := filepath.Join(dir, "none")
	if err := os.MkdirAll(empty, 0o700); err != nil {
		return origin{}, err
	}
	g, err := gocmd.New(ctx, gocmd.Config{
		Dir: empty, Env: s.opt.Env, GOWORK: "off", State: filepath.Join(dir, "state"), Meter: gocmd.NewMeter(time.Now()),
	})
	if err != nil {
		return origin{}, err
	}
	repo := filepath.Join(dir, "repo")
	for i, version := range []string{row.ParentVersion, row.FixVersion} {
		from, err := download(ctx, g, row.Module+"@"+version)
		if err != nil {
			return origin{}, err
		}
		if i == 0 {
			if err := copyTree(repo, from); err != nil {
				return origin{}, err
			}
			err = tree.NewRepository(ctx, repo, version)
		} else {
			err = tree.ReplaceAll(ctx, repo, version, func() error { return copyTree(repo, from) })
		}
		if err != nil {
			return origin{}, err
		}
	}
	m, err := tree.OpenMirror(ctx, repo)
	if err != nil {
		return origin{}, err
	}
	return commits(ctx, m, "HEAD~1", "HEAD")
}

func download(ctx context.Context, g *gocmd.Go, version string) (string, error) {
	e, err := g.Run(ctx, gocmd.Build, "mod", "download", "-json", version)
	if err != nil {
		return "", fmt.Errorf("downloading %s: %w", version, err)
	}
	var info struct{ Dir, Error string }
	if err := json.Unmarshal(e.Stdout, &info); err != nil || info.Dir == "" {
		return "", fmt.Errorf("downloading %s: %s", version, strings.TrimSpace(info.Error))
	}
	return info.Dir, nil
}

// copyTree copies the files below from to dir, writable.
func copyTree(dir, from string) error {
	return filepath.WalkDir(from, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(to, 0o700)
		case d.Type()&os.ModeSymlink != 0: // as it is: what it leads to may be anything
			text, err := os.Readlink(name)
			return errors.Join(err, os.Symlink(text, to))
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o600)
	})
}

func (o origin) export(ctx context.Context, dir string) (missing string, err error) {
	return o.mirror.Export(ctx, o.parent, dir)
}

func (o origin) changed(ctx context.Context) ([]string, error) {
	return o.mirror.Changed(ctx, o.parent, o.fix)
}

func (o origin) deleted(ctx context.Context) ([]string, error) {
	return o.mirror.Deleted(ctx, o.parent, o.fix)
}

func (o origin) diff(ctx context.Context, files []string, lines int) ([]byte, error) {
	return o.mirror.Diff(ctx, o.parent, o.fix, files, lines)
}

// file returns a file as the fix has it.
func (o origin) file(ctx context.Context, name string) ([]byte, bool) {
	return o.mirror.File(ctx, o.fix, name)
}
