package profile

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
)

// resourceOf names what the sample types of Go's profiles count.
var resourceOf = map[string]string{"cpu": "cpu", "alloc_objects": "allocs", "alloc_space": "bytes", "delay": "block"}

// Lines returns what each line costs, for all resources of the profile. A
// sample counts for the innermost line outside the standard library and, where
// its stack passes through several modules, for the innermost line of each:
// the line that could do something about it. Lines that only lead there have
// no cost.
//
// The rate of delay profiles is not known here; mutex profiles have the same
// types as block profiles and are called "block" as well.
func (p *Profile) Lines() ([]model.LineCost, error) {
	var out []model.LineCost
	for col, t := range p.p.SampleType {
		res, ok := resourceOf[t.Type]
		if !ok {
			continue
		}
		out = append(out, p.lines(col, res)...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the profile has samples of %s, of which none costs a line of a Go program", strings.Join(p.Types(), ", "))
	}
	slices.SortFunc(out, func(a, b model.LineCost) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Resource, b.Resource))
	})
	return out, nil
}

func (p *Profile) lines(col int, res string) []model.LineCost {
	type line struct {
		pkg, file string
		n         int
	}
	costs := map[line]int64{}
	var total int64
	for _, s := range p.p.Sample {
		v := s.Value[col]
		total += v
		if v == 0 {
			continue
		}
		seen := map[string]bool{}
		eachFrame(s, func(f *profile.Line) {
			if f.Function == nil {
				return
			}
			pkg := packageOf(f.Function.Name)
			mod := moduleOf(pkg)
			if mod == "" || seen[mod] {
				return
			}
			seen[mod] = true
			costs[line{pkg, path.Base(strings.ReplaceAll(f.Function.Filename, `\`, "/")), int(f.Line)}] += v
		})
	}
	var out []model.LineCost
	for l, v := range costs {
		out = append(out, model.LineCost{Pkg: l.pkg, File: l.file, Line: l.n, Resource: res, Share: float64(v) / float64(total)})
	}
	return out
}

// eachFrame calls f for each frame of a sample, innermost first.
func eachFrame(s *profile.Sample, f func(*profile.Line)) {
	for _, loc := range s.Location {
		for i := range loc.Line {
			f(&loc.Line[i])
		}
	}
}

// packageOf returns the import path in a symbol: "a.b/c.(*T).M" is of "a.b/c".
// The compiler writes a dot in the last element as %2e.
func packageOf(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "[") // type arguments hold paths of their own
	slash := strings.LastIndexByte(symbol, '/') + 1
	dot := strings.IndexByte(symbol[slash:], '.')
	if dot < 0 {
		return ""
	}
	pkg := symbol[:slash+dot]
	if strings.Contains(pkg, "%") {
		if clear, err := url.PathUnescape(pkg); err == nil {
			pkg = clear
		}
	}
	return pkg
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
