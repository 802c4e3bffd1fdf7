package bench

import (
	"context"
	"debug/elf"
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// orderSource is the file that joins package ld of the linker.
//
//go:embed hook/pawl_order.go.txt
var orderSource []byte

// An Order puts the functions of two builds at the same addresses, as far as
// they are in both and equally long. Those that are not come behind them. So
// what a random order does to the one it does to the other, and a pair of links
// shows what the sources differ in. Those of crypto/internal/fips140 have an order,
// and no addresses, as the linker puts them behind all others.
type Order struct {
	linker string // the toolchain's, with other random orders
	late   string // the file of names that come last
}

// NewOrder returns the order of two builds of one toolchain. Its files are
// removed with those of base. An error says why there is none: both sides
// then are linked in unrelated orders.
func NewOrder(ctx context.Context, base, cand *Linker) (*Order, error) {
	if base.s.g.Version != cand.s.g.Version {
		return nil, fmt.Errorf("the base is built with %s and the candidate with %s", base.s.g.Version, cand.s.g.Version)
	}
	if !base.aligned || !cand.aligned {
		return nil, errors.New("functions of other builds do not begin a cache line each")
	}
	names, err := apart(base.bin.Path, cand.bin.Path)
	if err != nil {
		return nil, err
	}
	o := &Order{late: filepath.Join(base.dir, "late-"+cand.bin.Hash)}
	if err := os.WriteFile(o.late, []byte(strings.Join(names, "\n")), 0o600); err != nil {
		return nil, fmt.Errorf("writing what comes last in a link: %w", err)
	}
	limited, cancel := context.WithTimeout(ctx, orderTime(ctx))
	defer cancel()
	if o.linker, err = base.s.orderingLinker(ctx, limited); err != nil {
		return nil, err
	}
	return o, nil
}

// PrepareOrder builds what NewOrder needs of the toolchain, which has little time for
// it, for as long as ctx lasts. It reads nothing of the module.
func (s *Suite) PrepareOrder(ctx context.Context) error {
	_, err := s.orderingLinker(ctx, ctx)
	return err
}

// apart returns the names of functions that one of two programs has, or that
// take more cache lines in one of them, sorted.
func apart(base, cand string) ([]string, error) {
	a, err := functions(base)
	if err != nil {
		return nil, err
	}
	b, err := functions(cand)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, pair := range [][2]map[string][]uint64{{a, b}, {b, a}} {
		for name, lines := range pair[0] {
			if !slices.Equal(lines, pair[1][name]) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// functions returns how many cache lines each function of a program takes, by
// its name: more than one may have it.
func functions(path string) (map[string][]uint64, error) {
	syms, err := funcSymbols(path)
	out := make(map[string][]uint64)
	for _, s := range syms {
		out[s.Name] = append(out[s.Name], (s.Size+lineBytes-1)/lineBytes)
	}
	return out, err
}

// funcSymbols returns the symbols of a program's functions.
func funcSymbols(path string) ([]elf.Symbol, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the functions of a test binary: %w", err)
	}
	defer f.Close()
	syms, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("reading the functions of %s: %w", path, err)
	}
	return slices.DeleteFunc(syms, func(s elf.Symbol) bool { return elf.ST_TYPE(s.Info) != elf.STT_FUNC }), nil
}

// lineBytes is the boundary of alignFlag.
const lineBytes = 64

// orderingLinker builds the toolchain's linker with pawlOrder in the place of its
// shuffle, once, for as long as limited lasts. With an empty build cache that takes 25
// CPU seconds, and with what it leaves there one. That ctx has ended decides nothing for
// the next caller, nor that limited has while another builds.
func (s *Suite) orderingLinker(ctx, limited context.Context) (string, error) {
	o := &s.ordering
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-limited.Done():
		return "", fmt.Errorf("the patched linker of %s is still being built", s.g.Version)
	}
	if o.path != "" || o.err != nil {
		return o.path, o.err
	}
	path, err := s.buildLinker(limited)
	if ctx.Err() == nil {
		o.path, o.err = path, err
	}
	return path, err
}

// orderTime is how long the linker may take to build: a small part of what there is,
// since unrelated orders lead to the same answers later.
func orderTime(ctx context.Context) time.Duration {
	const most, share = time.Minute, 20
	if end, ok := ctx.Deadline(); ok {
		return min(most, time.Until(end)/share)
	}
	return most
}

// buildLinker does that in a directory of its own, beside what is measured.
func (s *Suite) buildLinker(ctx context.Context) (string, error) {
	const target = "src/cmd/link/internal/ld/data.go"
	name := filepath.Join(s.g.Vars["GOROOT"], filepath.FromSlash(target))
	src, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("reading the linker's source: %w", err)
	}
	patched, err := patchLinker(src)
	if err != nil {
		return "", fmt.Errorf("%s of %s has an unknown shape: %w", target, s.g.Version, err)
	}
	dir := filepath.Join(s.dir, "linker")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a directory for the patched linker: %w", err)
	}
	replace := make(map[string]string)
	for file, data := range map[string][]byte{"data.go": patched, "pawl_order.go": orderSource} {
		replace[filepath.Join(filepath.Dir(name), file)] = filepath.Join(dir, file)
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			return "", fmt.Errorf("writing the patched linker: %w", err)
		}
	}
	overlay, out := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "link")
	if err := gocmd.WriteOverlay(overlay, replace); err != nil {
		return "", err
	}
	if err := s.g.RunAway(ctx, dir, "build", "-overlay="+overlay, "-o", out, "cmd/link"); err != nil {
		return "", fmt.Errorf("building the patched linker of %s: %w", s.g.Version, firstLines(err))
	}
	e, err := s.g.Meter.Run(ctx, gocmd.Proc{Path: out, Args: []string{"-V"}, Dir: dir, Env: s.g.Env(), CPU: gocmd.NoCPU, Kind: gocmd.Build})
	if err == nil && e.Code != 0 {
		err = fmt.Errorf("the patched linker of %s does not run: %s", s.g.Version, e.Stderr)
	}
	return out, err
}

// patchLinker returns cmd/link/internal/ld/data.go with its one shuffle replaced.
func patchLinker(src []byte) ([]byte, error) {
	file, err := source.Parse(token.NewFileSet(), "data.go", "data.go", src)
	if err != nil {
		return nil, err
	}
	var found []*ast.CallExpr
	ast.Inspect(file.Syntax, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Shuffle" {
				found = append(found, c)
			}
		}
		return true
	})
	if len(found) != 1 {
		return nil, fmt.Errorf("%d calls of Shuffle instead of one", len(found))
	}
	at := found[0]
	return edit.Apply(src, []model.Edit{{Start: file.Offset(at.Pos()), End: file.Offset(at.End()), New: "pawlOrder(r.Int63(), textp, ldr.SymName)"}})
}
