package profile

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
)

const (
	// mostEntries is how many strings, functions, locations, lines or stacks a
	// profile may have. Large ones have some million stacks and a tenth of that of
	// the others.
	mostEntries = 1 << 24
	// mostValues is how many values all rows may have.
	mostValues = 1 << 26
	// bigID is set in what stands for an id that does not fit below it.
	bigID = 1 << 31
	block = 1 << 16
)

// A stackTable has each stack once, and the values of the samples with it.
// Stacks are given by ids of locations, and become indices of locations when
// these are known.
type stackTable struct {
	stacks [][]uint32
	byHash map[uint64]uint32
	seed   maphash.Seed
	room   []uint32 // of the block that stacks are put into

	bigs  map[uint64]uint32
	bigOf []uint64

	width  int      // values of a row
	values []int64  // of all rows
	sums   []uint64 // of each value, whatever its sign
	of     []uint32
	lastOf []uint32 // of a stack: its last row, and one
}

func newStackTable() *stackTable {
	return &stackTable{byHash: map[uint64]uint32{}, seed: maphash.MakeSeed(), bigs: map[uint64]uint32{}, width: -1}
}

// token returns what stands for an id.
func (t *stackTable) token(id uint64) uint32 {
	if id < bigID {
		return uint32(id)
	}
	i, ok := t.bigs[id]
	if !ok {
		i = uint32(len(t.bigOf)) | bigID
		t.bigs[id], t.bigOf = i, append(t.bigOf, id)
	}
	return i
}

// id is the reverse of token.
func (t *stackTable) id(token uint32) uint64 {
	if token&bigID == 0 {
		return uint64(token)
	}
	return t.bigOf[token&^bigID]
}

// intern returns the number of a stack. Hash is of something that is equal
// where stacks are. The stack is copied where it is new.
func (t *stackTable) intern(hash uint64, stack []uint32) uint32 {
	for ; ; hash++ {
		i, ok := t.byHash[hash]
		if !ok {
			break
		}
		if slices.Equal(t.stacks[i], stack) {
			return i
		}
	}
	if len(stack) > len(t.room) {
		t.room = make([]uint32, max(block, len(stack)))
	}
	own := t.room[:copy(t.room, stack):len(stack)]
	t.room = t.room[len(stack):]
	i := uint32(len(t.stacks))
	t.byHash[hash], t.stacks, t.lastOf = i, append(t.stacks, own), append(t.lastOf, 0)
	return i
}

// add adds a row of values to a stack.
func (t *stackTable) add(stack uint32, values []int64) error {
	if t.width < 0 {
		t.width, t.sums = len(values), make([]uint64, len(values))
	}
	if len(values) != t.width {
		return fmt.Errorf("a sample has %d values and another %d", len(values), t.width)
	}
	for i, v := range values {
		sum, carry := bits.Add64(t.sums[i], magnitude(v), 0)
		if t.sums[i] = sum; carry > 0 || sum > math.MaxInt64 {
			return errOverflow
		}
	}
	if last := t.lastOf[stack]; last > 0 && join(t.row(int(last-1)), values) {
		return nil
	}
	if len(t.stacks) > mostEntries || len(t.values)+t.width > mostValues || len(t.of) >= mostEntries {
		return fmt.Errorf("it has more than %d samples with %d stacks: too much for one", len(t.of), len(t.stacks))
	}
	t.of, t.values = append(t.of, stack), append(t.values, values...)
	t.lastOf[stack] = uint32(len(t.of))
	return nil
}

// errOverflow is of figures that no program can have: 2⁶³ nanoseconds are 292
// years. A sum of them would be shown as another.
var errOverflow = errors.New("its values add up to more than 2⁶³: it is damaged, or was made up")

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

func (t *stackTable) row(i int) []int64 { return t.values[i*t.width : (i+1)*t.width] }

// join adds values to those of a row where they differ in nothing but their
// number: in the same proportion, so that the size of an object, say, is still
// told. Negative values are left as they are, for the difference that they show.
func join(row, values []int64) bool {
	pivot := 0
	for pivot < len(row)-1 && row[pivot] == 0 {
		pivot++
	}
	for i, v := range values {
		if v < 0 || row[i] < 0 || row[i]+v < 0 {
			return false
		}
		hi1, lo1 := bits.Mul64(uint64(v), uint64(row[pivot]))
		hi2, lo2 := bits.Mul64(uint64(row[i]), uint64(values[pivot]))
		if hi1 != hi2 || lo1 != lo2 {
			return false
		}
	}
	for i, v := range values {
		row[i] += v
	}
	return true
}
