package gocmd

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// UseOverlay makes builds with BuildOpts.Overlay replace source files: keys
// are the absolute paths the go command sees, values the files to read instead.
// The user's own overlay is merged in, and wins where both name a file: their
// program is what is measured. The merged file is written to name.
func (g *Go) UseOverlay(name string, replace map[string]string) error {
	all := maps.Clone(replace)
	if all == nil {
		all = make(map[string]string)
	}
	maps.Copy(all, g.replace)
	if err := WriteOverlay(name, all); err != nil {
		return err
	}
	g.overlay = name
	return nil
}

// ExtendOverlay makes builds with BuildOpts.Overlay replace, beside what
// UseOverlay asked for, further files; an empty value deletes one. The merged
// file is written to name. undo goes back to the overlay of before.
func (g *Go) ExtendOverlay(name string, more map[string]string) (undo func(), err error) {
	before := g.overlay
	if err := g.MergeOverlay(name, more); err != nil {
		return nil, err
	}
	g.overlay = name
	return func() { g.overlay = before }, nil
}

// MergeOverlay writes to name what ExtendOverlay would use, for builds with
// BuildOpts.Merged: other builds that run at the same time do not see it.
func (g *Go) MergeOverlay(name string, more map[string]string) error {
	all := maps.Clone(g.replace)
	if g.overlay != "" {
		var err error
		if all, err = readOverlay(g.overlay, g.Dir); err != nil {
			return fmt.Errorf("reading the overlay: %w", err)
		}
	}
	if all == nil {
		all = make(map[string]string)
	}
	maps.Copy(all, more)
	return WriteOverlay(name, all)
}

// Overlay returns the file given to UseOverlay, or "".
func (g *Go) Overlay() string { return g.overlay }

// WriteOverlay writes an overlay file of the go command: the paths that it is to read other
// files for, with these.
func WriteOverlay(name string, replace map[string]string) error {
	data, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return fmt.Errorf("writing the overlay: %w", err)
	}
	return nil
}

// readOverlay reads a user's overlay file; relative paths in it are relative
// to dir, where the go command would run.
func readOverlay(name, dir string) (map[string]string, error) {
	abs := func(p string) string {
		if p == "" || filepath.IsAbs(p) {
			return p // an empty value deletes the file
		}
		return filepath.Join(dir, p)
	}
	data, err := os.ReadFile(abs(name))
	if err != nil {
		return nil, err
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out := make(map[string]string, len(o.Replace))
	for k, v := range o.Replace {
		out[abs(k)] = abs(v)
	}
	return out, nil
}

// A Layer is files that ExtendOverlay puts in place of others, or beside them.
type Layer struct {
	Dir     string            // where their texts are written; made when there is one
	Replace map[string]string // for ExtendOverlay
}

// Put makes builds read text where they would look for the file at, an
// absolute path.
func (l *Layer) Put(at string, text []byte) error {
	if err := os.MkdirAll(l.Dir, 0o700); err != nil {
		return fmt.Errorf("making a directory for the overlay: %w", err)
	}
	name, ok := l.Replace[at]
	if !ok {
		name = filepath.Join(l.Dir, fmt.Sprintf("%d-%s", len(l.Replace), filepath.Base(at)))
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return fmt.Errorf("writing the overlay: %w", err)
	}
	if l.Replace == nil {
		l.Replace = make(map[string]string)
	}
	l.Replace[at] = name
	return nil
}

type layerKey struct{}

// OnLayer returns a context in which go commands see the files of a layer, whatever
// overlay they have besides: what is built is, to the byte, what would be if the tree held
// them. The layer must have its directory, and stay as it is.
func OnLayer(ctx context.Context, l *Layer) context.Context {
	return context.WithValue(ctx, layerKey{}, l)
}

// ReadFile reads a file as go commands in ctx see it.
func ReadFile(ctx context.Context, name string) ([]byte, error) {
	if l, _ := ctx.Value(layerKey{}).(*Layer); l != nil {
		if as, ok := l.Replace[name]; ok {
			name = as
		}
	}
	return os.ReadFile(name)
}

// layered puts the layer of ctx into the arguments of a go command that runs in dir. An
// overlay that is there wins, as it does over the tree.
func layered(ctx context.Context, dir string, args []string) ([]string, error) {
	l, _ := ctx.Value(layerKey{}).(*Layer)
	if l == nil || !slices.Contains([]string{"build", "list", "test", "vet"}, args[0]) {
		return args, nil
	}
	const flag = "-overlay="
	all, at := make(map[string]string), -1
	for i, a := range args {
		if strings.HasPrefix(a, flag) {
			at = i // the last counts
		}
	}
	if at >= 0 {
		var err error
		if all, err = readOverlay(strings.TrimPrefix(args[at], flag), dir); err != nil {
			return nil, err
		}
	}
	for file, as := range l.Replace {
		if _, ok := all[file]; !ok {
			all[file] = as
		}
	}
	f, err := os.CreateTemp(l.Dir, "overlay-*.json")
	if err != nil {
		return nil, fmt.Errorf("making room for an overlay: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("making room for an overlay: %w", err)
	}
	args = slices.Clone(args)
	if at >= 0 {
		args[at] = flag + f.Name()
	} else {
		args = slices.Insert(args, 1, flag+f.Name())
	}
	return args, WriteOverlay(f.Name(), all)
}
