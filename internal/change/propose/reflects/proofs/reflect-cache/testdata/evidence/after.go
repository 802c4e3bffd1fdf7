// Package evidence reads members of structs by the names that a template
// language gives them.
package evidence

import (
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
)

// Get returns the member of a struct whose tag or, without one, whose name is
// member. It is nil if there is none.
func Get(from any, member string) any {
	v := reflect.ValueOf(from)
	f := getFieldByName(v, member)
	if !f.IsValid() {
		return nil
	}
	return f.Interface()
}

var getFields fieldIndexCache

// getFieldByName returns the field that Get looks for. It remembers where it has found it.
func getFieldByName(v reflect.Value, member string) reflect.Value {
	if v.Kind() != reflect.Struct {
		return v.FieldByNameFunc(nil) // panics
	}
	typ := v.Type()
	if index, ok := getFields.get(typ, member); ok {
		return v.FieldByIndex(index)
	}
	f, ok := typ.FieldByNameFunc(func(name string) bool { // frame
		field, _ := v.Type().FieldByName(name) // hot
		if tag, ok := field.Tag.Lookup("t"); ok {
			return tag == member
		}
		return name == member
	})
	if !ok {
		return reflect.Value{}
	}
	getFields.add(typ, strings.Clone(member), f.Index)
	return v.FieldByIndex(f.Index)
}

// A fieldIndexCache remembers what was found for a type and a name. The map is replaced,
// never changed, so that it is read without a lock.
type fieldIndexCache struct {
	mu    sync.Mutex   // held while the map is replaced
	known atomic.Value // map[fieldIndexKey][]int
}

type fieldIndexKey struct {
	typ  reflect.Type
	name string
}

// maxFieldIndexCache bounds each fieldIndexCache. What does not fit is looked up every time.
const maxFieldIndexCache = 1024

func (s *fieldIndexCache) get(typ reflect.Type, name string) ([]int, bool) {
	known, _ := s.known.Load().(map[fieldIndexKey][]int)
	found, ok := known[fieldIndexKey{typ, name}]
	return found, ok
}

func (s *fieldIndexCache) add(typ reflect.Type, name string, found []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, _ := s.known.Load().(map[fieldIndexKey][]int)
	if len(known) >= maxFieldIndexCache {
		return
	}
	more := make(map[fieldIndexKey][]int, len(known)+1)
	for k, v := range known {
		more[k] = v
	}
	more[fieldIndexKey{typ, name}] = found
	s.known.Store(more)
}
