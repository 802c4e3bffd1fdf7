package pawldrive

import (
	"reflect"
	"sync"
	"time"
	"unsafe"
)

func (c *copier) fillSpecial(in *info, src, dst unsafe.Pointer) bool {
	switch in.special {
	case mutex:
		if c.held[src] || !c.live && isLocked(mutex, src) {
			(*sync.Mutex)(dst).Lock()
		}
	case rwMutex:
		if c.held[src] || !c.live && isLocked(rwMutex, src) {
			c.holdRW((*sync.RWMutex)(src), (*sync.RWMutex)(dst))
		}
	case fresh:
	case pool:
		(*sync.Pool)(dst).New = (*sync.Pool)(src).New
	case cond:
		c.fill(lockerType, condL(src), condL(dst))
	case syncMap:
		pairs := c.syncs[src]
		for i := range pairs[0] {
			var k, v any
			c.fill(anyType, unsafe.Pointer(&pairs[0][i]), unsafe.Pointer(&k))
			c.fill(anyType, unsafe.Pointer(&pairs[1][i]), unsafe.Pointer(&v))
			(*sync.Map)(dst).Store(k, v)
		}
	case atomicPtr:
		*(*unsafe.Pointer)(unsafe.Add(dst, atomicOffset)) = c.translate(*(*unsafe.Pointer)(unsafe.Add(src, atomicOffset)))
	case reflectVal:
		c.fillReflect(src, dst)
	default:
		return false
	}
	return true
}

// holdRW leaves dst held the way src is: by a reader or by a writer.
func (c *copier) holdRW(src, dst *sync.RWMutex) {
	if src.TryRLock() {
		src.RUnlock()
		dst.RLock()
		return
	}
	dst.Lock()
}

// isLocked reports whether a mutex that only this goroutine uses is held.
func isLocked(s special, p unsafe.Pointer) bool {
	if s == mutex {
		if m := (*sync.Mutex)(p); m.TryLock() {
			m.Unlock()
			return false
		}
		return true
	}
	if m := (*sync.RWMutex)(p); m.TryLock() {
		m.Unlock()
		return false
	}
	return true
}

// condL is where a sync.Cond keeps its Locker.
func condL(p unsafe.Pointer) unsafe.Pointer { return unsafe.Pointer(&(*sync.Cond)(p).L) }

func stoppedTimer(t reflect.Type) unsafe.Pointer {
	if t.Name() == "Ticker" {
		k := time.NewTicker(time.Hour)
		k.Stop()
		return unsafe.Pointer(k)
	}
	k := time.NewTimer(time.Hour)
	k.Stop()
	return unsafe.Pointer(k)
}

// A valueHeader is a reflect.Value in memory. Its layout has been the same
// since Go 1.4; a test holds it.
type valueHeader struct {
	typ  unsafe.Pointer
	ptr  unsafe.Pointer
	flag uintptr
}

const (
	flagIndirect = 1 << 7
	flagMethod   = 1 << 9
)

func (c *copier) reflectValue(p unsafe.Pointer, root bool) {
	v, h := *(*reflect.Value)(p), (*valueHeader)(p)
	if !v.IsValid() {
		return
	}
	switch {
	case h.flag&flagMethod != 0:
		c.refuse("holds a method value in a reflect.Value")
	case h.flag&flagIndirect != 0:
		c.pointer(h.ptr, v.Type(), root)
	default:
		c.walk(v.Type(), unsafe.Pointer(&h.ptr), root)
	}
}

func (c *copier) fillReflect(src, dst unsafe.Pointer) {
	v, h := *(*reflect.Value)(src), (*valueHeader)(src)
	if !v.IsValid() {
		return
	}
	d := (*valueHeader)(dst)
	*d = *h
	if h.flag&flagIndirect != 0 {
		d.ptr = c.translate(h.ptr)
		return
	}
	d.ptr = nil
	c.fill(v.Type(), unsafe.Pointer(&h.ptr), unsafe.Pointer(&d.ptr))
}
