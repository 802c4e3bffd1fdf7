package pawldrive

import (
	"bytes"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

func (c *copier) syncMap(p unsafe.Pointer) {
	var pairs [2][]any
	(*sync.Map)(p).Range(func(k, v any) bool {
		pairs[0], pairs[1] = append(pairs[0], k), append(pairs[1], v)
		c.spend(32, 2)
		return true
	})
	c.syncs[p] = &pairs
	for i := range pairs {
		for j := range pairs[i] {
			c.iface(anyType, unsafe.Pointer(&pairs[i][j]))
		}
	}
}

// lock takes a mutex of the user for as long as the copy is made, where it is
// free, so that nobody writes what it guards meanwhile.
func (c *copier) lock(s special, p unsafe.Pointer) {
	if c.locked[p] || c.held[p] {
		return
	}
	if !c.live {
		return
	}
	if s == mutex {
		if m := (*sync.Mutex)(p); m.TryLock() {
			c.locked[p] = true
			c.unlocks = append(c.unlocks, m.Unlock)
			return
		}
	} else if m := (*sync.RWMutex)(p); m.TryRLock() {
		c.locked[p] = true
		c.unlocks = append(c.unlocks, m.RUnlock)
		return
	}
	if !c.heldOK {
		c.refuse(mutexHeld)
	}
	c.held[p] = true
	c.note("who holds a mutex at the call: copies hold it too")
}

// file lets /dev/null stand in for the standard streams; other files are the
// machine's state and not the program's.
func (c *copier) file(q unsafe.Pointer) {
	switch (*os.File)(q) {
	case os.Stdin, os.Stdout, os.Stderr:
		c.note("what is written to the standard streams")
		c.subst[q] = unsafe.Pointer(devNull())
	case nullFile.Load():
		c.asIs[q] = true
	default:
		c.refuse("holds an open file")
	}
}

var devNull = sync.OnceValue(func() *os.File {
	f, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		panic(refusal("holds a standard stream, and there is no null device: " + err.Error()))
	}
	nullFile.Store(f)
	return f
})

// nullFile is what devNull opened, nil before.
var nullFile atomic.Pointer[os.File]

// streams lets buffers stand in for files among the arguments that any io.Writer or io.Reader may be: what is
// written to one is compared, and one for reading holds what is left of its file.
func (f *function) streams(args []any) []any {
	if len(f.Writers)+len(f.Readers) == 0 {
		return args
	}
	args = slices.Clone(args)
	for _, i := range f.Writers {
		if file, ok := args[i].(*os.File); ok && file != nil {
			f.notes["what else than a writer a file is: a buffer stands in for it"] = true
			args[i] = new(bytes.Buffer)
		}
	}
	for _, i := range f.Readers {
		if file, ok := args[i].(*os.File); ok && file != nil {
			if b := unread(file); b != nil {
				f.notes["what else than a reader a file is: a buffer stands in for it"] = true
				args[i] = b
			}
		}
	}
	return args
}

// unread returns what is left to read of a file, and nil where reading would take it away, or where it is too much.
func unread(f *os.File) *bytes.Buffer {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || info.Size()-at > maxBytes {
		return nil
	}
	b := new(bytes.Buffer)
	if _, err := b.ReadFrom(io.NewSectionReader(f, at, info.Size()-at)); err != nil {
		return nil
	}
	return b
}
