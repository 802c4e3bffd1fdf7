package profile

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// resourceOf names what the sample types of Go's profiles count.
var resourceOf = map[string]string{"cpu": "cpu", "alloc_objects": "allocs", "alloc_space": "bytes", "delay": "block"}

// ErrNoLine is that a profile has no cost of any line of a program.
var ErrNoLine = errors.New("none costs a line of a Go program")

// Lines returns what each line costs, for all resources of the profile. A
// sample counts for the innermost line outside the standard library and, where
// its stack passes through several modules, for the innermost line of each:
// the line that could do something about it. Lines that only lead there have
// no cost.
//
// The error is ErrNoLine for a profile that costs no line, and another for one with negative
// values, which the difference of two profiles has.
//
// The rate of delay profiles is not known here; mutex profiles have the same
// types as block profiles and are called "block" as well.
func (p *Profile) Lines() ([]model.LineCost, error) {
	var out []model.LineCost
	lines := p.lineTable()
	for col, t := range p.types {
		res, ok := resourceOf[t.name]
		if !ok {
			continue
		}
		costs, err := lines.costs(p, col, res)
		if err != nil {
			return nil, err
		}
		out = append(out, costs...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the profile has samples of %s, and %w", strings.Join(p.Types(), ", "), ErrNoLine)
	}
	sorted.By(out, func(a, b model.LineCost) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Resource, b.Resource))
	})
	return out, nil
}

// A line is where a cost is told.
type line struct {
	pkg, file string
	n         int
}

// A lineTable has, for each frame of a profile, its line and its module by
// number; the module of the standard library is 0.
type lineTable struct {
	lines   []line
	of      []uint32
	modules []uint32
	seen    []uint32 // of a module: the last row that it was seen in, and one
}

func (p *Profile) lineTable() *lineTable {
	t := &lineTable{of: make([]uint32, len(p.frames)), modules: make([]uint32, len(p.frames)), seen: make([]uint32, 1)}
	lines, modules := map[line]uint32{}, map[string]uint32{"": 0}
	for i, f := range p.frames {
		pkg := words.SymbolPackage(f.Func)
		mod := moduleOf(pkg)
		if _, ok := modules[mod]; !ok {
			modules[mod] = uint32(len(modules))
			t.seen = append(t.seen, 0)
		}
		l := line{pkg, path.Base(strings.ReplaceAll(f.File, `\`, "/")), f.Line}
		if _, ok := lines[l]; !ok {
			lines[l] = uint32(len(t.lines))
			t.lines = append(t.lines, l)
		}
		t.of[i], t.modules[i] = lines[l], modules[mod]
	}
	return t
}

// costs returns what each line costs, by the values of one column. The error is
// for negative values: there are no shares of these.
func (t *lineTable) costs(p *Profile, col int, res string) ([]model.LineCost, error) {
	costs := make([]int64, len(t.lines))
	touched := make([]bool, len(t.lines))
	var total int64
	clear(t.seen)
	for i := range p.of {
		v := p.row(i)[col]
		total += v
		switch {
		case v == 0:
			continue
		case v < 0:
			return nil, errNegative
		}
		for _, l := range p.stacks[p.of[i]] {
			for f := p.starts[l]; f < p.starts[l+1]; f++ {
				if mod := t.modules[f]; mod > 0 && t.seen[mod] != uint32(i+1) {
					t.seen[mod] = uint32(i + 1)
					costs[t.of[f]] += v
					touched[t.of[f]] = true
				}
			}
		}
	}
	var out []model.LineCost
	for i, l := range t.lines {
		if touched[i] {
			out = append(out, model.LineCost{Pkg: l.pkg, File: l.file, Line: l.n, Resource: res, Share: float64(costs[i]) / float64(total)})
		}
	}
	return out, nil
}

// standard has the first elements of the standard library's packages, as of Go
// 1.26. Profiles do not say which packages are of it.
var standard = func() map[string]bool {
	m := map[string]bool{"": true}
	for _, name := range strings.Fields(`archive bufio bytes cmp cmd compress container context crypto database debug
		embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path
		plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time type unicode
		unique unsafe vendor weak`) {
		m[name] = true
	}
	return m
}()

// moduleOf returns what stands for the module of a package: its first three
// elements, two where the host is not a forge, one where there is no host; ""
// for the standard library.
func moduleOf(pkg string) string {
	first, rest, _ := strings.Cut(pkg, "/")
	if !strings.Contains(first, ".") {
		if standard[first] {
			return ""
		}
		return first
	}
	n := 1
	switch first {
	case "github.com", "gitlab.com", "bitbucket.org", "golang.org", "codeberg.org":
		n = 2
	}
	parts := strings.SplitN(rest, "/", n+1)
	return first + "/" + strings.Join(parts[:min(n, len(parts))], "/")
}
