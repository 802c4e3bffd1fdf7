package profile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

const (
	// mostFrames is how deep a stack may be, inlined calls expanded.
	mostFrames = 1 << 20
	// mostSteps is how many frames all stacks may have together: what is done with
	// a profile goes through them again and again.
	mostSteps = 1 << 30
)

var errDeep = fmt.Errorf("a stack has more than %d frames", mostFrames)

// An index finds entries by their ids, which in most files are 1, 2, 3 and so on.
type index struct {
	dense  []uint32 // one more than the place
	sparse map[uint64]uint32
}

// newIndex refuses an id of 0, and one that stands twice.
func newIndex(what string, ids []uint64) (*index, error) {
	x := &index{dense: make([]uint32, 2*len(ids)+1024), sparse: map[uint64]uint32{}}
	for i, id := range ids {
		if id == 0 {
			return nil, fmt.Errorf("a %s has the id 0, which stands for none", what)
		}
		if _, twice := x.at(id); twice {
			return nil, fmt.Errorf("two %ss have the id %d", what, id)
		}
		if id < uint64(len(x.dense)) {
			x.dense[id] = uint32(i + 1)
		} else {
			x.sparse[id] = uint32(i + 1)
		}
	}
	return x, nil
}

func (x *index) at(id uint64) (int, bool) {
	if id < uint64(len(x.dense)) {
		i := x.dense[id]
		return int(i) - 1, i > 0
	}
	i, ok := x.sparse[id]
	return int(i) - 1, ok
}

// link makes a profile of what was decoded: ids become places, and indices
// names.
func (d *decoder) link() (*Profile, error) {
	if most := d.most; most >= uint64(len(d.texts.all)) {
		return nil, fmt.Errorf("it names string %d of %d", most, len(d.texts.all))
	}
	p := &Profile{period: d.period, duration: d.duration, taken: d.time, unit: d.valueType(d.unit)}
	if d.build != 0 {
		p.build = strings.Clone(d.texts.all[d.build])
	}
	if d.sizeKey != 0 && d.texts.all[d.sizeKey] == "bytes" {
		p.sizes = d.sizes
	}
	for _, t := range d.types {
		p.types = append(p.types, d.valueType(t))
	}
	if n := d.table.width; n >= 0 && (n != len(d.types) || n == 0) {
		return nil, fmt.Errorf("samples have %d values, and there are %d types", n, len(d.types))
	}
	if _, err := newIndex("mapping", d.mappings); err != nil {
		return nil, err
	}
	if err := d.frames(p); err != nil {
		return nil, err
	}
	if err := d.places(p); err != nil {
		return nil, err
	}
	p.stacks, p.of, p.values = d.table.stacks, d.table.of, d.table.values
	return p, nil
}

// valueType copies the names, so that the texts can go.
func (d *decoder) valueType(t [2]uint64) valueType {
	return valueType{strings.Clone(d.texts.all[t[0]]), strings.Clone(d.texts.all[t[1]])}
}

func (d *decoder) frames(p *Profile) error {
	functions, err := newIndex("function", d.functions)
	if err != nil {
		return err
	}
	names := make([]model.Frame, len(d.names))
	p.begins = make(map[string]int)
	own := map[uint64]string{} // copies, for the texts hold those of all labels
	name := func(i uint64) string {
		t, ok := own[i]
		if !ok {
			t = strings.Clone(d.texts.all[i])
			own[i] = t
		}
		return t
	}
	for i, n := range d.names {
		names[i] = model.Frame{Func: name(n[0]), File: name(n[1])}
		p.isGo = p.isGo || strings.HasSuffix(names[i].File, ".go")
		if line := d.begins[i]; line > 0 {
			p.begins[names[i].Func] = int(line)
		}
	}
	p.frames = make([]model.Frame, len(d.lines))
	p.starts = append(d.starts, uint32(len(d.lines)))
	for i, l := range d.lines {
		if p.frames[i], err = d.frame(l, functions, names); err != nil {
			return err
		}
	}
	for i := range d.locations {
		of := p.location(uint32(i))
		for j := range of {
			of[j].Inline = j < len(of)-1
		}
	}
	return nil
}

// places puts the places of locations for their ids into all stacks.
func (d *decoder) places(p *Profile) error {
	locations, err := newIndex("location", d.locations)
	if err != nil {
		return err
	}
	steps := 0
	for _, stack := range d.table.stacks {
		deep := 0
		for i, token := range stack {
			at, ok := locations.at(d.table.id(token))
			if !ok {
				return fmt.Errorf("a sample is at location %d, which is not there", d.table.id(token))
			}
			stack[i] = uint32(at)
			deep += int(p.starts[at+1] - p.starts[at])
		}
		if deep > mostFrames {
			return errDeep
		}
		if steps += deep; steps > mostSteps {
			return errors.New("its stacks are too many and too deep for one profile")
		}
	}
	return nil
}
