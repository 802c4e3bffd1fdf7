package pawldrive

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// A special is a type that is not copied, or not compared, field by field.
type special uint8

const (
	ordinary   special = iota
	mutex              // sync.Mutex: a fresh one, unlocked
	rwMutex            // sync.RWMutex: the same
	fresh              // sync.WaitGroup: the zero value
	pool               // sync.Pool: empty, New kept
	cond               // sync.Cond: fresh, L kept
	syncMap            // sync.Map: its pairs
	onceType           // sync.Once: copied
	atomicPtr          // atomic.Pointer[T]: a pointer to T
	reflectVal         // reflect.Value
	opaque             // copied as bytes: identity is all they have
	shared             // what a pointer to it points to is used as it is
	timer              // time.Timer, time.Ticker: a stopped one
	file               // os.File
	undrivable         // the input is dropped
	builder            // strings.Builder: compared by content
	buffer             // bytes.Buffer: the same
	bufReader          // bufio.Reader: the same
	bufWriter          // bufio.Writer: the same
)

var specials = map[string]special{
	"sync.Mutex": mutex, "sync.RWMutex": rwMutex, "sync.WaitGroup": fresh, "sync.Pool": pool,
	"sync.Cond": cond, "sync.Map": syncMap, "sync.Once": onceType, "reflect.Value": reflectVal,
	"time.Location": shared, "regexp.Regexp": shared, "reflect.rtype": shared, "internal/abi.Type": shared,
	"errors.errorString": shared, "time.Timer": timer, "time.Ticker": timer, "os.File": file,
	"internal/poll.FD": undrivable, "os.Process": undrivable, "os.Root": undrivable, "reflect.MapIter": undrivable,
	"plugin.Plugin": undrivable, "strings.Builder": builder, "bytes.Buffer": buffer,
	"bufio.Reader": bufReader, "bufio.Writer": bufWriter,
}

func specialOf(t reflect.Type) special {
	pkg, name := t.PkgPath(), t.Name()
	if pkg == "" || name == "" {
		return ordinary
	}
	if s, ok := specials[pkg+"."+name]; ok {
		return s
	}
	switch {
	case t == reflect.TypeFor[standReader]():
		return fresh
	case pkg == "sync/atomic" && strings.HasPrefix(name, "Pointer["):
		return atomicPtr
	case (pkg == "unique" || pkg == "weak") && t.Kind() == reflect.Struct:
		return opaque
	case (pkg == "testing" || pkg == "database/sql") && t.Kind() == reflect.Struct:
		return undrivable
	case pkg == "context" && t.Kind() == reflect.Struct:
		return shared
	}
	return ordinary
}

// An info is what the walks need to know of a type.
type info struct {
	special special
	flat    bool // no pointers in it, and nothing special: bytes say all
	size    uintptr
	fields  []field // of a struct, mutexes first, so that they are held when the rest is read
	elem    reflect.Type
}

type field struct {
	name     string
	typ      reflect.Type
	off      uintptr
	exported bool
	index    int
}

// infos caches the infos of types: reflection is slow, and tests call a lot.
var infos sync.Map // reflect.Type → *info

func infoOf(t reflect.Type) *info {
	if v, ok := infos.Load(t); ok {
		return v.(*info)
	}
	in := &info{special: specialOf(t), size: t.Size()}
	switch t.Kind() {
	case reflect.Struct:
		in.structFields(t)
	case reflect.Array:
		in.elem = t.Elem()
		in.flat = infoOf(t.Elem()).flat
	case reflect.Slice, reflect.Pointer, reflect.Map, reflect.Chan:
		in.elem = t.Elem()
	case reflect.String, reflect.Interface, reflect.Func, reflect.UnsafePointer:
	default:
		in.flat = true
	}
	if in.special != ordinary {
		in.flat = in.special == opaque
	}
	if in.special == atomicPtr {
		in.elem = atomicElem(t)
	}
	infos.Store(t, in)
	return in
}

func (in *info) structFields(t reflect.Type) {
	in.flat = true
	var rest []field
	for i := 0; i < t.NumField(); i++ {
		sf := t.Field(i)
		f := field{name: sf.Name, typ: sf.Type, off: sf.Offset, exported: sf.IsExported(), index: i}
		if s := specialOf(sf.Type); s == mutex || s == rwMutex {
			in.fields = append(in.fields, f)
		} else {
			rest = append(rest, f)
		}
		in.flat = in.flat && infoOf(sf.Type).flat
	}
	in.fields = append(in.fields, rest...)
}

// atomicElem returns T of an atomic.Pointer[T], whose struct holds a [0]*T so
// that pointers of different T do not convert into each other.
func atomicElem(t reflect.Type) reflect.Type {
	for i := 0; i < t.NumField(); i++ {
		if ft := t.Field(i).Type; ft.Kind() == reflect.Array && ft.Elem().Kind() == reflect.Pointer {
			return ft.Elem().Elem()
		}
	}
	return nil
}

// atomicOffset is where an atomic.Pointer keeps its pointer: after fields
// without size.
const atomicOffset = 0 // checked by a test

// heapProbe is an object on the heap, to tell heap addresses from others.
var heapProbe = sync.OnceValue(func() uintptr {
	return uintptr(reflect.New(reflect.TypeFor[[64]uintptr]()).UnsafePointer())
})

// staticProbe is a package-level variable, to tell those from the heap.
var staticProbe byte

// onHeap reports whether p points into Go's heap rather than to a package
// level variable or to foreign memory. The runtime asks for arenas next to each
// other, mostly far from where the linker and mmap put things. Since Go 1.26 the first
// of them stands anywhere: by chance not far from the program, or close below a multiple
// of a power of two.
func onHeap(p unsafe.Pointer) bool {
	const (
		heap    = 1 << 36 // 64 GiB, to either side
		program = 1 << 30 // what the linker puts around a package-level variable
	)
	if unsafe.Sizeof(uintptr(0)) == 4 {
		return true
	}
	return between(uintptr(p), heapProbe()) < heap && between(uintptr(p), uintptr(unsafe.Pointer(&staticProbe))) >= program
}

// between is how far one address is from another.
func between(a, b uintptr) uint64 { return uint64(max(a, b) - min(a, b)) }

// The shapes of slices, strings and interface values in memory.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// at returns the value of type t that lies at p, settable whatever its field
// was called.
func at(t reflect.Type, p unsafe.Pointer) reflect.Value { return reflect.NewAt(t, p).Elem() }
