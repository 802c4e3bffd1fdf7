package ring

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/store"
)

// A Capture is what was taken of a service at one time, or a gap in which nothing was.
type Capture struct {
	Seq   int64     `json:"seq"`
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	// Gap is why nothing was taken; "" where something was.
	Gap string `json:"gap,omitempty"`
	// Instance is which of several programs of the service it is; "" where there is one.
	Instance string `json:"instance,omitempty"`
	// Run counts the starts of the program that were noticed.
	Run int `json:"run"`
	// Build identifies the program, where its CPU profile names that.
	Build string `json:"build,omitempty"`
	// Metrics are the values of the runtime by their names.
	Metrics  map[string]float64 `json:"metrics,omitempty"`
	Profiles []Profile          `json:"profiles,omitempty"`
	// Missing says which profiles were asked for and did not come, and why.
	Missing map[string]string `json:"missing,omitempty"`
	// CPU is the CPU time of the program in its CPU profile, and Taking the part of it
	// in which profiles were taken, in ns.
	CPU    float64 `json:"cpu_ns,omitempty"`
	Taking float64 `json:"taking_ns,omitempty"`
}

// A Profile is one of a capture.
type Profile struct {
	Kind    string `json:"kind"`
	Sum     string `json:"sum"` // SHA-256 of its bytes
	Bytes   int64  `json:"bytes"`
	Seconds int    `json:"seconds,omitempty"` // of CPU time
	// Delta says that it is of its own time alone, whatever its kind.
	Delta bool `json:"delta,omitempty"`
}

const (
	captureEnd = ".json"
	profileEnd = ".pprof"
	lockName   = "lock" // as package store calls it
)

// A Ring is open for writing.
type Ring struct {
	dir   string
	most  int64
	lock  *os.File
	all   []Capture        // the oldest first
	sizes map[string]int64 // of all files, by name
	used  map[string]int   // how many captures name a profile
	total int64
}

// Open opens the ring in dir, which it makes, for at most so many bytes. The error is a
// *store.BusyError where another process writes there.
func Open(dir string, most int64) (*Ring, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a directory for captures: %w", err)
	}
	lock, err := store.Hold(dir, filepath.Base(dir))
	if err != nil {
		return nil, err
	}
	r := &Ring{dir: dir, most: most, lock: lock, sizes: map[string]int64{}, used: map[string]int{}}
	if err := r.load(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return r, nil
}

// Close lets another process write.
func (r *Ring) Close() error { return r.lock.Close() }

// Has reports whether a capture names a profile with that content.
func (r *Ring) Has(data []byte) bool {
	sum := sha256.Sum256(data)
	return r.used[hex.EncodeToString(sum[:])] > 0
}

// Captures are all that are there, the oldest first. The caller does not change them.
func (r *Ring) Captures() []Capture { return r.all }

// load reads what is there, and removes what a kill left.
func (r *Ring) load() error {
	var err error
	if r.all, err = Read(r.dir); err != nil {
		return err
	}
	named := map[string]bool{lockName: true}
	for _, c := range r.all {
		named[fileOf(c.Seq)] = true
		for _, p := range c.Profiles {
			named[p.Sum+profileEnd] = true
			r.used[p.Sum]++
		}
	}
	files, err := os.ReadDir(r.dir)
	if err != nil {
		return fmt.Errorf("reading captures: %w", err)
	}
	for _, f := range files {
		info, err := f.Info()
		switch {
		case err != nil || f.IsDir():
		case named[f.Name()]:
			r.grow(f.Name(), info.Size())
		case ours(f.Name()):
			if err := os.Remove(filepath.Join(r.dir, f.Name())); err != nil {
				return fmt.Errorf("removing what a kill left: %w", err)
			}
		}
	}
	return r.makeRoom(0, 0)
}

// ours reports whether a name is one that a ring gives: other files in the directory are
// somebody else's.
func ours(name string) bool {
	sum, ok := strings.CutSuffix(name, profileEnd)
	_, err := hex.DecodeString(sum)
	return strings.HasPrefix(name, store.TempPrefix) || ok && err == nil && len(sum) == 2*sha256.Size || seqOf(name) > 0
}

func (r *Ring) grow(name string, size int64) {
	if name == lockName {
		return
	}
	r.total += size - r.sizes[name]
	r.sizes[name] = size
}

// Add keeps a capture with the content of its profiles, by their kinds, and gives it
// the next number. It removes the oldest captures that leave no room for it. Where
// there is an error, the capture is not kept.
func (r *Ring) Add(c Capture, content map[string][]byte) error {
	c.Seq = 1
	if n := len(r.all); n > 0 {
		c.Seq = r.all[n-1].Seq + 1
	}
	return r.put(c, content, 0)
}

// Extend writes the last capture anew, as a gap that goes on.
func (r *Ring) Extend(c Capture) error {
	c.Seq = r.all[len(r.all)-1].Seq
	return r.put(c, nil, 1)
}

func (r *Ring) put(c Capture, content map[string][]byte, stay int) error {
	bodies := map[string][]byte{}
	for i, p := range c.Profiles {
		data := content[p.Kind]
		sum := sha256.Sum256(data)
		c.Profiles[i].Sum, c.Profiles[i].Bytes = hex.EncodeToString(sum[:]), int64(len(data))
		bodies[c.Profiles[i].Sum] = data
	}
	head, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("keeping a capture: %w", err)
	}
	need := int64(len(head))
	for sum, data := range bodies {
		if r.used[sum] == 0 {
			need += int64(len(data))
		}
	}
	if need > r.most {
		return fmt.Errorf("a capture of %d bytes is larger than all that may be kept, %d bytes: allow more (-size)", need, r.most)
	}
	if err := r.makeRoom(need, stay); err != nil {
		return err
	}
	return r.write(c, head, bodies)
}

// write writes the profiles, and then the capture that names them.
func (r *Ring) write(c Capture, head []byte, bodies map[string][]byte) error {
	for sum, data := range bodies {
		if r.used[sum] > 0 {
			continue
		}
		if err := r.file(sum+profileEnd, data); err != nil {
			return errors.Join(err, r.unnamed(bodies))
		}
	}
	if err := r.file(fileOf(c.Seq), head); err != nil {
		return errors.Join(err, r.unnamed(bodies))
	}
	for _, p := range c.Profiles {
		r.used[p.Sum]++
	}
	if n := len(r.all); n > 0 && r.all[n-1].Seq == c.Seq {
		r.all[n-1] = c
	} else {
		r.all = append(r.all, c)
	}
	return nil
}

func (r *Ring) file(name string, data []byte) error {
	err := store.Replace(filepath.Join(r.dir, name), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping a capture: %w", err)
	}
	r.grow(name, int64(len(data)))
	return nil
}

// unnamed removes profiles of a capture that could not be kept.
func (r *Ring) unnamed(bodies map[string][]byte) error {
	var errs []error
	for sum := range bodies {
		if r.used[sum] == 0 {
			errs = append(errs, r.remove(sum+profileEnd))
		}
	}
	return errors.Join(errs...)
}

// makeRoom removes the oldest captures until there is room for so many bytes, or as many
// are left as are to stay.
func (r *Ring) makeRoom(need int64, stay int) error {
	for r.total+need > r.most && len(r.all) > stay {
		c := r.all[0]
		if err := r.remove(fileOf(c.Seq)); err != nil {
			return err
		}
		r.all = slices.Delete(r.all, 0, 1)
		for _, p := range c.Profiles {
			if r.used[p.Sum]--; r.used[p.Sum] == 0 {
				delete(r.used, p.Sum)
				if err := r.remove(p.Sum + profileEnd); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (r *Ring) remove(name string) error {
	err := os.Remove(filepath.Join(r.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing an old capture: %w", err)
	}
	r.total -= r.sizes[name]
	delete(r.sizes, name)
	return nil
}
