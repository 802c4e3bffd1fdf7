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
	l := &ledger{
		f: newFunction(Func{}), step: reflect.TypeFor[call](), zeros: true,
		values: map[unsafe.Pointer]*value{}, open: map[uint64]int{}, inner: map[uint64]bool{}, never: map[reflect.Type]bool{},
	}
	h := &hub{}
	h.ledgers.Store(0, l)
	for range 40 {
		end := l.called(nil, nil, call{})
		x := &large{make([]byte, maxKept/8)}
		end(&x)
	}
	if n := len(l.values); n == 0 || n > 10 {
		t.Errorf("%d values", n)
	}
	if h.begin(); len(l.values) != 0 || l.full.Load() {
		t.Errorf("%d values", len(l.values))
	}
}

func TestStartedBy(t *testing.T) {
	const top = "goroutine 7 [running]:\ngopkg.in/a%2ev3.(*T).run(0x1)\n\t/x/a.go:3 +0x1\n"
	for stack, want := range map[string]bool{
		top: false,
		top + "created by gopkg.in/a%2ev3.(*T).Start in goroutine 1\n\t/x/a.go:9 +0x1\n":        true,
		top + "created by gopkg.in/a%2ev3.TestT in goroutine 1\n\t/x/a_test.go:9 +0x1\n":        false,
		top + "created by gopkg.in/a%2ev3/other.Start in goroutine 1\n\t/x/other/b.go:9 +0x1\n": false,
		top + "created by testing.(*T).Run in goroutine 1\n\t/go/testing.go:9 +0x1\n":           false,
	} {
		if startedBy(stack, "gopkg.in/a.v3") != want {
			t.Errorf("not %t: %s", want, stack)
		}
	}
}
