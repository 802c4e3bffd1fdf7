package profile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Merge adds up profiles of the same kind: of several hosts, or several times.
// Places are the same where function, file and line are, whatever the address.
// The error says which of them is of another kind, by its place in the list.
func Merge(ps ...*Profile) (*Profile, error) {
	if len(ps) == 0 {
		return nil, errors.New("merging profiles: there is none")
	}
	if len(ps) == 1 {
		return ps[0], nil
	}
	m := &merger{table: newStackTable(), places: map[string]uint32{}}
	m.out.begins = map[string]int{}
	m.out.types, m.out.unit = ps[0].types, ps[0].unit
	for i, p := range ps {
		switch {
		case !slices.Equal(p.Types(), ps[0].Types()):
			return nil, fmt.Errorf("merging profiles: number %d has samples of %s, the first of %s", i+1, strings.Join(p.Types(), ", "), strings.Join(ps[0].Types(), ", "))
		case !slices.Equal(p.types, ps[0].types) || p.unit != ps[0].unit:
			return nil, fmt.Errorf("merging profiles: number %d has other units than the first", i+1)
		}
		if err := m.add(p); err != nil {
			return nil, fmt.Errorf("merging profiles: with number %d %w", i+1, err)
		}
	}
	m.out.starts = append(m.out.starts, uint32(len(m.out.frames)))
	m.out.stacks, m.out.of, m.out.values = m.table.stacks, m.table.of, m.table.values
	return &m.out, nil
}

// A merger puts profiles together.
type merger struct {
	out    Profile
	table  *stackTable
	places map[string]uint32 // locations by what their frames are
	key    []byte
}

func (m *merger) add(p *Profile) error {
	m.out.duration += p.duration
	m.out.period = max(m.out.period, p.period)
	m.out.isGo = m.out.isGo || p.isGo
	maps.Copy(m.out.begins, p.begins)
	places := make([]uint32, len(p.starts)-1)
	for i := range places {
		places[i] = m.place(p.location(uint32(i)))
	}
	stacks := make([]uint32, len(p.stacks))
	var stack []uint32
	for i, s := range p.stacks {
		stack, m.key = stack[:0], m.key[:0]
		for _, l := range s {
			stack = append(stack, places[l])
			m.key = binary.LittleEndian.AppendUint32(m.key, places[l])
		}
		stacks[i] = m.table.intern(maphash.Bytes(m.table.seed, m.key), stack)
	}
	for i, of := range p.of {
		if err := m.table.add(stacks[of], p.row(i)); err != nil {
			return err
		}
	}
	return nil
}

// place returns the number of the location with these frames.
func (m *merger) place(frames []model.Frame) uint32 {
	m.key = m.key[:0]
	for _, f := range frames {
		for _, t := range []string{f.Func, f.File} {
			m.key = append(binary.AppendUvarint(m.key, uint64(len(t))), t...)
		}
		m.key = binary.AppendVarint(m.key, int64(f.Line))
	}
	i, ok := m.places[string(m.key)]
	if !ok {
		i = uint32(len(m.places))
		m.places[string(m.key)] = i
		m.out.starts = append(m.out.starts, uint32(len(m.out.frames)))
		m.out.frames = append(m.out.frames, frames...)
	}
	return i
}
