// Package evidence tells sets of labels apart.
package evidence

import "hash"

// A Label is a name with a value.
type Label struct{ Name, Value string }

// A Hasher sums labels up.
type Hasher struct{ Hash hash.Hash64 }

// Sum returns what tells some labels from others.
func (h *Hasher) Sum(labels []Label) uint64 {
	h.Hash.Reset()
	var buf []byte
	for _, l := range labels {
		buf = append(buf[:0], l.Name...)
		h.Hash.Write(buf)
		buf = append(buf[:0], l.Value...)
		h.Hash.Write(buf) // target
	}
	return h.Hash.Sum64()
}
