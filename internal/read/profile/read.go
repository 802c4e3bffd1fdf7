package profile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/model"
)

// Largest is how many bytes a profile may have, packed or not.
const Largest = 1 << 30

// largestOld is how many those may have that are read by google's package:
// text, and what gperftools writes.
const largestOld = 64 << 20

// A Profile is one pprof file: stacks and what each costs. Samples of equal
// stacks are one row where their values have the same proportion. Labels but
// the sizes of objects, addresses and mappings are not kept.
//
// It is not changed once it is read, and may be used by several goroutines.
type Profile struct {
	types            []valueType
	unit             valueType // of the period
	period, duration int64
	taken            int64  // nanoseconds since 1970; 0 where it does not say
	build            string // of the program
	isGo             bool
	begins           map[string]int // the lines that functions begin at, of those that say it

	frames []model.Frame // of all locations, those of one from the innermost outwards
	starts []uint32      // of each location in frames, and the end
	stacks [][]uint32    // locations, the innermost first
	of     []uint32      // the stack of each row
	values []int64       // of all rows, one for each type
	sizes  []int64       // of the objects of each row, by its label; shorter where later rows have none
}

// A Source is one profile, and where it comes from.
type Source struct {
	Name    string // as it may be shown
	Profile *Profile
	Served  bool // by a program that runs, which gives another each time
}

// A valueType is what a value counts, and in which unit.
type valueType struct{ name, unit string }

func (p *Profile) location(i uint32) []model.Frame { return p.frames[p.starts[i]:p.starts[i+1]] }

func (p *Profile) row(i int) []int64 { return p.values[i*len(p.types) : (i+1)*len(p.types)] }

// ReadFile reads a pprof file, compressed or not.
func ReadFile(ctx context.Context, name string) (*Profile, error) {
	f, err := foreign.Open(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	defer f.Close()
	p, err := foreign.Do(ctx, func() (*Profile, error) { return Read(f) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Read reads a profile in pprof's format, compressed or not, of Largest bytes
// at most.
func Read(r io.Reader) (*Profile, error) { return ReadLimited(r, Largest) }

// What a reader can do something about, of the errors of Read.
var (
	// ErrTooLarge is that a profile has more bytes than the limit, packed or not.
	ErrTooLarge = errors.New("it is larger")
	// ErrPackedTwice is that what was unpacked is packed.
	ErrPackedTwice = errors.New("it is packed twice")
)

// ReadLimited is Read with another limit: it fails on what unpacks to more than
// limit bytes, and reads no more than that. It reads ahead, and returns when no
// goroutine of its own is left.
func ReadLimited(r io.Reader, limit int64) (*Profile, error) {
	s := open(r, limit)
	defer s.close()
	d := &decoder{table: newStackTable()}
	err := d.decode(s)
	var p *Profile
	if err == nil {
		p, err = d.link()
	}
	var bad *unreadable
	if err != nil && !errors.As(err, &bad) && !errors.Is(err, errEmpty) && !errors.Is(err, errTwice) {
		p, err = old(s, err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	return p, nil
}

// old reads what is not in pprof's format with google's package, which knows
// those that were before it. The error is cause where it does not, either.
func old(s *source, cause error) (*Profile, error) {
	data, ok := s.all(largestOld)
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}): // it would be unpacked without a limit
		return nil, fmt.Errorf("it is no profile: %w", ErrPackedTwice)
	case !ok:
		return nil, fmt.Errorf("not a pprof profile, or a damaged one: %w", cause)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, fmt.Errorf("not a pprof profile, or a damaged one: %w", cause)
	}
	return convert(p)
}

// convert makes a Profile of one of google's.
func convert(p *profile.Profile) (*Profile, error) {
	var buf bytes.Buffer
	if err := p.WriteUncompressed(&buf); err != nil {
		return nil, err
	}
	s := open(&buf, Largest)
	defer s.close()
	d := &decoder{table: newStackTable()}
	if err := d.decode(s); err != nil {
		return nil, err
	}
	return d.link()
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
	for i, t := range p.types {
		for j, name := range want {
			if t.name == name {
				index[j] = i
			}
		}
	}
	if index[0] < 0 || index[1] < 0 {
		return 0, 0, fmt.Errorf("the profile has no samples of type %q; take it with -cpuprofile for CPU time, -memprofile for allocations", want[0])
	}
	return index[0], index[1], nil
}
