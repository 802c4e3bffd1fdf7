package pawldrive

import (
	"reflect"
	"testing"
	"unsafe"
)

// Values are kept so that no other gets their addresses: not those of a whole benchmark, where each is large.
func TestLargeValuesAreLost(t *testing.T) {
	type call struct {
		Of       int16
		On, With int32
	}
	type large struct{ of []byte }
	s := &sequence{
		f: newFunction(Func{}), step: reflect.TypeFor[call](), zeros: true,
		values: map[unsafe.Pointer]*value{}, open: map[uint64]int{}, never: map[reflect.Type]bool{},
	}
	h := &hub{}
	h.sequences.Store(0, s)
	for range 40 {
		end := s.called(nil, nil, call{})
		x := &large{make([]byte, maxKept/8)}
		end(&x)
	}
	if n := len(s.values); n == 0 || n > 10 {
		t.Errorf("%d values", n)
	}
	if h.begin(); len(s.values) != 0 || s.full.Load() {
		t.Errorf("%d values", len(s.values))
	}
}
