package a

import (
	"reflect"
	"strings"
	"sync"
)

func expensiveFetch(k string) []byte { return []byte(k) }

var blobCache = map[string][]byte{}

func load(k string) []byte {
	if v, ok := blobCache[k]; ok {
		return v
	}
	v := expensiveFetch(k)
	blobCache[k] = v // want `each new key stays in blobCache for as long as the process lives; nothing is ever deleted`
	return v
}

var shared = struct {
	sync.Mutex
	byName map[string]int
}{byName: map[string]int{}}

type parser struct{ strict bool }

func (p *parser) id(name string) int {
	shared.Lock()
	defer shared.Unlock()
	id, ok := shared.byName[name]
	if !ok {
		id = len(name)
		shared.byName[name] = id // want `each new key stays in shared`
	}
	return id
}

var interned sync.Map

func intern[T ~string](s T) T {
	if v, ok := interned.Load(s); ok {
		return v.(T)
	}
	v, _ := interned.LoadOrStore(s, T(strings.Clone(string(s)))) // want `each new key stays in interned`
	return v.(T)
}

var lengths map[string]int

func counter() func(string) int {
	lengths = nil
	seen := 0
	return func(s string) int {
		if n, ok := counted[s]; ok {
			return n
		}
		seen++
		counted[s] = seen // want `each new key stays in counted`
		return seen
	}
}

var counted = make(map[string]int)

// What follows is left alone.

var bounded = map[string][]byte{}

func limited(k string) []byte {
	if v, ok := bounded[k]; ok {
		return v
	}
	if len(bounded) > 1000 {
		clear(bounded)
	}
	bounded[k] = expensiveFetch(k)
	return bounded[k]
}

var sessions = map[string]int{}

func session(k string) int {
	if _, ok := sessions[k]; !ok {
		sessions[k] = 1
	}
	return sessions[k]
}

func logout(k string) { delete(sessions, k) }

func length(s string) int { // the map is replaced
	if n, ok := lengths[s]; ok {
		return n
	}
	lengths[s] = len(s)
	return len(s)
}

var fields = map[reflect.Type]int{}

func fieldsOf(t reflect.Type) int { // a program has so many types
	if n, ok := fields[t]; ok {
		return n
	}
	fields[t] = t.NumField()
	return fields[t]
}

type kind int

const (
	small kind = iota
	large
)

var names = map[kind]string{}

func (k kind) String() string {
	if s, ok := names[k]; ok {
		return s
	}
	names[k] = [...]string{"small", "large"}[k]
	return names[k]
}

var drivers = map[string]func(){}

func Register(name string, open func()) { drivers[name] = open } // a registry

func Open(name string) { drivers[name]() }

func RegisterOnce(name string, open func()) bool {
	if _, found := drivers[name]; found {
		return false
	}
	drivers[name] = open
	return true
}

var started = map[string]bool{}

func init() { begin("a") }

func begin(k string) {
	if !started[k] {
		started[k] = true
	}
}

func local(ks []string) int {
	seen := map[string]bool{}
	for _, k := range ks {
		if !seen[k] {
			seen[k] = true
		}
	}
	return len(seen)
}
