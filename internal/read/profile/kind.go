package profile

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Kind is what a profile of Go's runtime counts.
type Kind string

// The kinds. Files name them by the types of their samples, except that mutex
// and block profiles have the same types.
const (
	KindCPU       Kind = "cpu"
	KindHeap      Kind = "heap" // of /debug/pprof/heap and /debug/pprof/allocs: both have all four types; a server of profiles may give one
	KindGoroutine Kind = "goroutine"
	KindLeak      Kind = "goroutineleak" // goroutines that nothing can wake, as the collector proved
	KindMutex     Kind = "mutex"         // time that others waited, on the stack that gave the lock back
	KindBlock     Kind = "block"         // time that a goroutine waited, on the stack that waited
	KindUnknown   Kind = ""
)

// Kind returns the profile's kind, by the types of its samples. One with the
// types of delays is a mutex profile when its stacks give locks back, and a
// block profile when they wait; without samples it is taken for a mutex
// profile.
func (p *Profile) Kind() Kind {
	types := p.Types()
	switch {
	case slices.Contains(types, "cpu"):
		return KindCPU
	case slices.ContainsFunc(types, func(t string) bool { return strings.HasPrefix(t, "alloc_") || strings.HasPrefix(t, "inuse_") }):
		return KindHeap
	case slices.Contains(types, "goroutineleak"):
		return KindLeak
	case slices.Contains(types, "goroutine"):
		return KindGoroutine
	case slices.Contains(types, "delay"):
		return p.delayKind()
	}
	return KindUnknown
}

func (p *Profile) delayKind() Kind {
	waits := 0
	giving := p.marks(gives)
	for i := range p.of {
		if p.marked(i, giving) {
			waits--
		} else {
			waits++
		}
	}
	if waits > 0 {
		return KindBlock
	}
	return KindMutex
}

// gives reports whether a frame gives a lock back: that of a mutex of package
// sync, or one that the runtime has inside.
func gives(f model.Frame) bool {
	return strings.HasPrefix(f.Func, "runtime.unlock") || f.Func == "runtime._LostContendedRuntimeLock" ||
		strings.HasPrefix(f.Func, "sync.(*") && strings.Contains(f.Func, "nlock") // Unlock, RUnlock, rUnlockSlow
}

// IsGo reports whether any function is of a Go file. Profiles of other
// languages come in the same format.
func (p *Profile) IsGo() bool { return p.isGo }

// Standard reports whether a symbol belongs to the standard library, or to no
// package at all, as the compiler's own helpers and C functions do.
func Standard(symbol string) bool { return moduleOf(words.SymbolPackage(symbol)) == "" }

// Package returns the import path in a symbol: that of "a.b/c.(*T).M" is
// "a.b/c".
func Package(symbol string) string { return words.SymbolPackage(symbol) }
