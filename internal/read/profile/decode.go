package profile

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// The fields of a profile, as pprof's profile.proto numbers them.
const (
	fieldType     = 1
	fieldSample   = 2
	fieldMapping  = 3
	fieldLocation = 4
	fieldFunction = 5
	fieldText     = 6
	fieldDrop     = 7
	fieldKeep     = 8
	fieldTime     = 9
	fieldDuration = 10
	fieldUnit     = 11 // of the period
	fieldPeriod   = 12
	fieldComment  = 13
	fieldDefault  = 14
	fieldDoc      = 15
)

// mostTypes is how many values a sample may have.
const mostTypes = 256

// A decoder keeps of a profile what costs are made of. It refuses what google's
// package refuses, labels and comments included, though these are not kept.
//
// There it makes an object of each thing and some of each sample; here a sample
// costs nothing that is not new. The order of fields is free: names come last in
// most files.
type decoder struct {
	types [][2]uint64 // type and unit, as indices of texts
	texts texts
	most  uint64 // of all indices of texts that were seen

	mappings  []uint64 // ids
	locations []uint64
	starts    []uint32 // of each location's lines
	lines     []rawLine
	functions []uint64
	names     [][2]uint64 // of a function and of its file, as indices of texts
	begins    []int64     // the lines that functions begin at; 0 where it is not said

	table  *stackTable
	ids    []byte // of one sample
	stack  []uint32
	values []int64
	size   [2]uint64 // of one sample: the last label that is a number, key and number

	sizeKey uint64  // what the first such label of all has for a key
	sizes   []int64 // of rows: the numbers of labels with that key
	build   uint64  // of the first mapping, as an index of texts

	time, duration, period int64
	unit                   [2]uint64
}

// A rawLine is a line of a location.
type rawLine struct {
	function uint64 // id
	line     int64
}

func (d *decoder) decode(s *source) error {
	any := false
	for {
		f, err := s.field()
		switch {
		case errors.Is(err, io.EOF):
			if !any {
				return errEmpty
			}
			return nil
		case err != nil:
			return err
		}
		any = true
		if err := d.field(f); err != nil {
			return err
		}
	}
}

var (
	errEmpty = errors.New("it is empty")
	errTwice = errors.New("it is several profiles, one after the other: give them as files of their own")
)

func (d *decoder) field(f field) error {
	switch f.num {
	case fieldSample:
		return d.sample(f)
	case fieldLocation:
		return d.location(f)
	case fieldFunction, fieldMapping, fieldType, fieldUnit:
		return d.entry(f)
	case fieldText:
		if f.wire != asBytes {
			return errKind
		}
		return d.texts.add(f.bytes)
	case fieldComment:
		return f.eachNumber(d.text)
	case fieldDrop, fieldKeep, fieldTime, fieldDuration, fieldPeriod, fieldDefault, fieldDoc:
		if f.wire != asVarint {
			return errKind
		}
		return d.number(f)
	}
	return nil
}

// text notes an index of a text.
func (d *decoder) text(i uint64) { d.most = max(d.most, i) }

// number reads a field of the profile itself. Of those that stand twice the
// last one holds.
func (d *decoder) number(f field) error {
	switch f.num {
	case fieldTime:
		if d.time != 0 {
			return errTwice
		}
		d.time = int64(f.value)
	case fieldDuration:
		d.duration = int64(f.value)
	case fieldPeriod:
		d.period = int64(f.value)
	default:
		d.text(f.value)
	}
	return nil
}

// entry reads what is made of numbers alone.
func (d *decoder) entry(f field) error {
	var n [11]uint64
	known := n[:3]
	switch f.num {
	case fieldFunction:
		known = n[:6]
	case fieldMapping:
		known = n[:11]
	}
	if err := f.numbers(known); err != nil {
		return err
	}
	switch f.num {
	case fieldFunction:
		d.functions, d.names = append(d.functions, n[1]), append(d.names, [2]uint64{n[2], n[4]})
		d.begins = append(d.begins, int64(n[5]))
		d.text(max(n[2], n[3], n[4]))
		return tooMany("functions", len(d.functions))
	case fieldMapping:
		if len(d.mappings) == 0 {
			d.build = n[6]
		}
		d.mappings = append(d.mappings, n[1])
		d.text(max(n[5], n[6]))
		return tooMany("mappings", len(d.mappings))
	case fieldType:
		d.types = append(d.types, [2]uint64{n[1], n[2]})
		if len(d.types) > mostTypes {
			return fmt.Errorf("it has more than %d types of samples", mostTypes)
		}
	case fieldUnit:
		d.unit = [2]uint64{n[1], n[2]}
	}
	d.text(max(n[1], n[2]))
	return nil
}

func tooMany(what string, n int) error {
	if n > mostEntries {
		return fmt.Errorf("it has more than %d %s: too much for one profile", mostEntries, what)
	}
	return nil
}

func (d *decoder) location(f field) error {
	if f.wire != asBytes {
		return errKind
	}
	var id uint64
	d.starts = append(d.starts, uint32(len(d.lines)))
	for b := f.bytes; len(b) > 0; {
		var part field
		var err error
		if part, b, err = cut(b); err != nil {
			return err
		}
		switch part.num {
		case 1, 2, 3, 5: // id, mapping, address, is_folded
			if part.wire != asVarint {
				return errKind
			}
			if part.num == 1 {
				id = part.value
			}
		case 4:
			var n [4]uint64
			if err := part.numbers(n[:]); err != nil {
				return err
			}
			d.lines = append(d.lines, rawLine{n[1], int64(n[2])})
		}
	}
	d.locations = append(d.locations, id)
	return errors.Join(tooMany("locations", len(d.locations)), tooMany("lines", len(d.lines)))
}

// sample reads a sample, and adds its values to those of its stack.
func (d *decoder) sample(f field) error {
	if f.wire != asBytes {
		return errKind
	}
	d.ids, d.values, d.size = d.ids[:0], d.values[:0], [2]uint64{}
	ids := d.ids
	for b := f.bytes; len(b) > 0; {
		part, rest, err := cut(b)
		if err != nil {
			return err
		}
		switch {
		case part.num == 1 && part.wire == asBytes && len(ids) == 0:
			ids = part.bytes[:len(part.bytes):len(part.bytes)]
		case part.num == 1 && part.wire == asBytes:
			ids = append(ids, part.bytes...)
		case part.num == 1 && part.wire == asVarint:
			ids = append(ids, number(b, rest)...)
		case part.num == 2:
			err = part.eachNumber(func(v uint64) { d.values = append(d.values, int64(v)) })
		case part.num == 3:
			err = d.label(part)
		case part.num == 1:
			err = errKind
		}
		if err != nil {
			return err
		}
		if len(d.values) > mostTypes {
			return fmt.Errorf("a sample has more than %d values", mostTypes)
		}
		b = rest
	}
	return d.row(ids)
}

// number returns the bytes of a field's number: what is behind the tag.
func number(b, rest []byte) []byte {
	_, n := uvarint(b)
	return b[n : len(b)-len(rest)]
}

func (d *decoder) row(ids []byte) error {
	d.stack = d.stack[:0]
	for b := ids; len(b) > 0; {
		var id uint64
		switch {
		case b[0] < 0x80:
			id, b = uint64(b[0]), b[1:]
		case len(b) > 1 && b[1] < 0x80:
			id, b = uint64(b[0]&0x7f)|uint64(b[1])<<7, b[2:]
		case len(b) > 2 && b[2] < 0x80:
			id, b = uint64(b[0]&0x7f)|uint64(b[1]&0x7f)<<7|uint64(b[2])<<14, b[3:]
		default:
			v, n := uvarint(b)
			if n == 0 {
				return errVarint
			}
			id, b = v, b[n:]
		}
		if id < bigID {
			d.stack = append(d.stack, uint32(id))
		} else {
			d.stack = append(d.stack, d.table.token(id))
		}
	}
	if len(d.stack) > mostFrames {
		return errDeep
	}
	return d.add(d.table.intern(maphash.Bytes(d.table.seed, ids), d.stack))
}

// add adds the values of one sample to those of its stack. Objects of another
// size are a row of their own.
func (d *decoder) add(stack uint32) error {
	size := int64(0)
	if d.size[1] != 0 && (d.sizeKey == 0 || d.sizeKey == d.size[0]) {
		d.sizeKey, size = d.size[0], int64(d.size[1])
	}
	if last := d.table.lastOf[stack]; last > 0 && d.sizeOf(int(last-1)) != size {
		d.table.lastOf[stack] = 0
	}
	if err := d.table.add(stack, d.values); err != nil {
		return err
	}
	if row := int(d.table.lastOf[stack]) - 1; size != 0 && row >= len(d.sizes) {
		d.sizes = append(d.sizes, make([]int64, row+1-len(d.sizes))...)
		d.sizes[row] = size
	}
	return nil
}

// sizeOf is the size of the objects of a row, 0 where it has no label.
func (d *decoder) sizeOf(row int) int64 {
	if row < len(d.sizes) {
		return d.sizes[row]
	}
	return 0
}

// label reads a label. What is kept of it is a number, which may be the size of
// objects: names come last.
func (d *decoder) label(f field) error {
	var n [5]uint64 // key, text, number, unit
	if err := f.numbers(n[:]); err != nil {
		return err
	}
	d.text(max(n[1], n[2]))
	if n[2] == 0 { // a unit belongs to a number
		d.text(n[4])
		d.size = [2]uint64{n[1], n[3]}
	}
	return nil
}

// texts are the strings of a profile, put together in few pieces.
type texts struct {
	all []string
	in  strings.Builder
}

func (t *texts) add(b []byte) error {
	if len(t.all) == 0 && len(b) > 0 {
		return errors.New("its first string is not the empty one")
	}
	if t.in.Len()+len(b) > t.in.Cap() {
		t.in = strings.Builder{}
		t.in.Grow(max(piece, len(b)))
	}
	at := t.in.Len()
	t.in.Write(b)
	t.all = append(t.all, t.in.String()[at:])
	return tooMany("strings", len(t.all))
}

func (d *decoder) frame(l rawLine, functions *index, names []model.Frame) (model.Frame, error) {
	i, ok := functions.at(l.function)
	if !ok || l.function == 0 {
		return model.Frame{}, fmt.Errorf("a line is of function %d, which is not there", l.function)
	}
	f := names[i]
	f.Line = int(l.line)
	return f, nil
}
