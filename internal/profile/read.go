package profile

import (
	"bufio"
	"bytes"
	"compress/gzip"
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

// ReadLimited is Read for what comes from elsewhere: it fails on what unpacks
// to more than limit bytes, and reads no more than that.
func ReadLimited(r io.Reader, limit int64) (*Profile, error) {
	packed := &io.LimitedReader{R: r, N: limit + 1}
	in := bufio.NewReader(packed)
	var plain io.Reader = in
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("reading a profile: %w", err)
		}
		plain = z
	}
	data, err := io.ReadAll(io.LimitReader(plain, limit+1))
	switch {
	case int64(len(data)) > limit || packed.N == 0:
		return nil, fmt.Errorf("reading a profile: it is larger than %d MiB", limit>>20)
	case err != nil:
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	return Read(bytes.NewReader(data))
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
