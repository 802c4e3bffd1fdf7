package profile

import (
	"fmt"
	"io"
	"os"

	"github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Profile is one pprof file.
type Profile struct {
	p *profile.Profile
}

// ReadFile reads a pprof file, compressed or not.
func ReadFile(name string) (*Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	defer f.Close()
	p, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Read reads a profile in pprof's format, compressed or not.
func Read(r io.Reader) (*Profile, error) {
	p, err := profile.Parse(r)
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	return &Profile{p}, nil
}

// columns returns the indices of the sample values that a resource needs.
// For allocations the second is that of the bytes, else it equals the first.
func (p *Profile) columns(res model.Resource) (value, second int, err error) {
	names := map[model.Resource][2]string{
		model.CPU:    {"cpu", "cpu"},
		model.Allocs: {"alloc_objects", "alloc_space"},
		model.Bytes:  {"alloc_space", "alloc_objects"},
		model.Mutex:  {"delay", "contentions"},
	}
	want, ok := names[res]
	if !ok {
		return 0, 0, fmt.Errorf("no profile has the resource %q", res)
	}
	index := [2]int{-1, -1}
	for i, t := range p.p.SampleType {
		for j, name := range want {
			if t.Type == name {
				index[j] = i
			}
		}
	}
	if index[0] < 0 || index[1] < 0 {
		return 0, 0, fmt.Errorf("the profile has no samples of type %q; take it with -cpuprofile for CPU time, -memprofile for allocations", want[0])
	}
	return index[0], index[1], nil
}
