package pawldrive

import (
	"math"
	"reflect"
	"strconv"
	"time"
)

// What takes any value takes those of types that no test has: of a type that says itself how it is
// written, of one that only looks like text or a number, and numbers that are written in another way.

type label string

func (l label) String() string { return "<" + string(l) + ">" }

type number int

func (n number) String() string { return "no. " + strconv.Itoa(int(n)) }

type fault float64

func (fault) Error() string { return "a fault" }

type flag bool

func (f flag) MarshalText() ([]byte, error) { return []byte("flag"), nil }

type (
	word  string
	total uint8
)

var oddValues = []any{
	nil, label("a"), number(-3), fault(2), flag(true), word("a<b"), total(200), (*int)(nil), []byte("a\xff"), []any{nil, 1}, map[string]any{"b": 2, "a": nil},
	1500 * time.Millisecond, days[6], 1e21, 1e20, 1e-7, math.NaN(), math.Inf(-1), math.Copysign(0, -1), float32(0.1), float32(1e21), 3 + 4i, 'x',
	int8(-128), int64(math.MinInt64), uint64(math.MaxUint64), "", "é\u2028\xff", []string(nil), []int{}, [2]bool{true}, struct{ A, b int }{1, 2}, new(label),
}

var valueType = reflect.TypeFor[reflect.Value]()

// oddValue puts a value of another type into an interface that takes any, or into a reflect.Value.
func (m *mutator) oddValue(s site) {
	x := oddValues[m.r.n(len(oddValues))]
	if s.t == valueType {
		*(*reflect.Value)(s.p) = reflect.ValueOf(x)
	} else if v := at(s.t, s.p); x == nil {
		v.SetZero()
	} else {
		v.Set(reflect.ValueOf(x))
	}
}

// reflected collects what a reflect.Value holds, and itself.
func (m *mutator) reflected(p *reflect.Value, depth int, put func()) {
	if v := *p; v.IsValid() && v.CanInterface() {
		box := reflect.New(v.Type())
		box.Elem().Set(v)
		m.collect(v.Type(), box.UnsafePointer(), depth+1, func() {
			if *p = box.Elem(); !v.CanAddr() && v.Kind() != reflect.Interface {
				*p = reflect.ValueOf(box.Elem().Interface())
			}
			put()
		})
	}
	m.sites = append(m.sites, site{valueType, reflect.ValueOf(p).UnsafePointer(), put})
}
