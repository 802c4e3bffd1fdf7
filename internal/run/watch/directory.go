package watch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// mostFile is how many bytes a file of a directory may have.
const mostFile = 64 << 20

// A directory is one in which something else leaves profiles.
type directory struct {
	path string
	seen map[string]os.FileInfo // as the files were when they were looked at
}

func (d *directory) String() string { return d.path }

// round returns the profiles that are new, the oldest first. A file that is no profile
// is tried again when it changes: it may not be whole yet.
func (d *directory) round(ctx context.Context, w *watcher) ([]taken, error) {
	files, err := os.ReadDir(d.path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	var out []taken
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(f.Name(), ".") || d.same(info) {
			continue
		}
		t, err := d.take(ctx, w.r, info)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		d.seen[f.Name()] = info
		if err != nil {
			w.say("%s is left out: %s", f.Name(), reason(err))
		} else if t != nil {
			out = append(out, *t)
		}
	}
	sorted.By(out, func(a, b taken) int { return a.From.Compare(b.From) })
	return out, nil
}

// same reports whether a file is as it was when it was looked at.
func (d *directory) same(info os.FileInfo) bool {
	before, ok := d.seen[info.Name()]
	return ok && before.Size() == info.Size() && before.ModTime().Equal(info.ModTime())
}

// take reads a file; nil where it is kept already.
func (d *directory) take(ctx context.Context, r *ring.Ring, info os.FileInfo) (*taken, error) {
	f, err := foreign.Open(ctx, filepath.Join(d.path, info.Name()))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > mostFile:
		return nil, fmt.Errorf("larger than %d MiB", mostFile>>20)
	case r.Has(data):
		return nil, nil
	}
	p, err := profile.ReadLimited(bytes.NewReader(data), 8*mostFile)
	if err != nil {
		return nil, err
	}
	kind := kindOf(p)
	if kind == "" {
		return nil, fmt.Errorf("it holds samples of %s, which Go's runtime does not take", strings.Join(p.Types(), ", "))
	}
	at := info.ModTime().UTC()
	t := &taken{content: map[string][]byte{kind: data}, Capture: ring.Capture{
		From: at.Add(-time.Duration(p.Seconds() * float64(time.Second))), Until: at, Run: 1,
		Profiles: []ring.Profile{{Kind: kind, Seconds: int(p.Seconds())}},
	}}
	if kind == cpuKind {
		t.CPU, t.Taking = shareOf(p)
	}
	return t, nil
}

func kindOf(p *profile.Profile) string {
	if p.Kind() == profile.KindCPU {
		return cpuKind
	}
	return string(p.Kind())
}
