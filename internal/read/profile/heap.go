package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A HeapSample is one row of a heap profile: objects of one size from one
// stack. What was sampled is the file's values without their scaling.
type HeapSample struct {
	Size   float64 // bytes of an object
	Chance float64 // that one is sampled: 1 where all are
	Allocs float64 // objects that were sampled since the program started
	InUse  float64 // of these, objects that were alive after the last mark
}

// Weight is how many bytes of the program one sampled object stands for.
func (h HeapSample) Weight() float64 { return h.Size / h.Chance }

// Heap calls f for each row of a heap profile with its stack, as in Stacks. The
// error is for a profile without the four types of samples that Go writes, and
// for negative values, which the difference of two profiles has.
func (p *Profile) Heap(f func(stack []model.Frame, h HeapSample)) error {
	var col [4]int
	for i, typ := range []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"} {
		if col[i] = slices.Index(p.Types(), typ); col[i] < 0 {
			return fmt.Errorf("the profile has no samples of type %q, only of %s", typ, strings.Join(p.Types(), ", "))
		}
	}
	var e expander
	for i := range p.of {
		values := p.row(i)
		if slices.ContainsFunc(values, func(v int64) bool { return v < 0 }) {
			return errNegative
		}
		h := HeapSample{Size: p.objectSize(i, values[col[0]], values[col[1]]), Chance: 1}
		if h.Size <= 0 {
			continue
		}
		if p.period > 1 {
			h.Chance = -math.Expm1(-h.Size / float64(p.period))
		}
		// By bytes, since the file's numbers of objects are cut to whole ones.
		h.Allocs = float64(values[col[1]]) / h.Weight()
		h.InUse = float64(values[col[3]]) / h.Weight()
		f(e.stack(p, p.frames, i), h)
	}
	return nil
}

// objectSize returns the size of a row's objects: its label, or what the values
// come to where a tool has dropped that.
func (p *Profile) objectSize(row int, objects, space int64) float64 {
	if row < len(p.sizes) && p.sizes[row] > 0 {
		return float64(p.sizes[row])
	}
	if objects <= 0 {
		return 0
	}
	return float64(space) / float64(objects)
}

// Taken returns when the profile was taken; the zero time where it does not
// say.
func (p *Profile) Taken() time.Time {
	if p.taken <= 0 {
		return time.Time{}
	}
	return time.Unix(0, p.taken)
}

// Rate returns how many bytes are allocated per object that a heap profile
// shows, on average: the program's runtime.MemProfileRate; 0 where the profile
// does not say.
func (p *Profile) Rate() int64 { return max(p.period, 0) }

// Build returns what identifies the program that the profile is of; "" where
// it does not say.
func (p *Profile) Build() string { return p.build }
