package profile

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestKind(t *testing.T) {
	delay := func(frames ...string) *builder {
		return newBuilder("contentions", "delay").add([]int64{1, 1000}, frames...)
	}
	for name, tt := range map[string]struct {
		b    *builder
		want Kind
	}{
		"cpu":            {cpu(), KindCPU},
		"heap":           {heap(), KindHeap},
		"in use only":    {newBuilder("inuse_objects", "inuse_space"), KindHeap},
		"goroutine":      {newBuilder("goroutine"), KindGoroutine},
		"leaks":          {newBuilder("goroutineleak"), KindLeak},
		"mutex":          {delay("sync.(*Mutex).Unlock /go/src/sync/mutex.go:60", encode), KindMutex},
		"mutex, readers": {delay("sync.(*RWMutex).RUnlock /go/src/sync/rwmutex.go:60", encode), KindMutex},
		"mutex, runtime": {delay("runtime.unlock /go/src/runtime/lock.go:60", encode), KindMutex},
		"block":          {delay("sync.(*Mutex).Lock /go/src/sync/mutex.go:60", encode), KindBlock},
		"block, channel": {delay("runtime.chanrecv1 /go/src/runtime/chan.go:60", encode), KindBlock},
		"no delays":      {newBuilder("contentions", "delay"), KindMutex},
		"other":          {newBuilder("wall"), KindUnknown},
		"nothing":        {newBuilder(), KindUnknown},
	} {
		if got := tt.b.read(t).Kind(); got != tt.want {
			t.Errorf("%s: kind %q; want %q", name, got, tt.want)
		}
	}
}

func TestParts(t *testing.T) {
	p := cpu().add([]int64{30, 300}, alloc, encode).add([]int64{50, 500}, encode, encode).add([]int64{20, 200}, body).read(t)
	parts, err := p.Parts("cpu", func(stack []model.Frame) string { return stack[0].Func })
	if err != nil {
		t.Fatal(err)
	}
	got, sum := map[string]int64{}, 0.0
	for name, part := range parts {
		got[name[strings.LastIndexByte(name, '.')+1:]] = part.In
		sum += part.Share
		one, err := p.Part("cpu", func(stack []model.Frame) bool { return stack[0].Func == name })
		if err != nil || one != part {
			t.Errorf("%s: Parts says %+v, Part %+v (%v)", name, part, one, err)
		}
	}
	if diff := cmp.Diff(map[string]int64{"mallocgc": 30, "Encode": 50, "BenchmarkA": 20}, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the shares add up to %v", sum)
	}
	if total, n, err := p.Total("cpu"); total != 1000 || n != 100 || err != nil {
		t.Errorf("Total = %v, %v, %v", total, n, err)
	}
	if _, err := p.Parts("luck", nil); err == nil {
		t.Error("Parts of a type that is not there succeeded")
	}
	if err := cpu().add([]int64{-1, -1}, body).read(t).Stacks("cpu", func([]model.Frame, float64) {}); err == nil {
		t.Error("Stacks of a difference succeeded")
	}
}

func TestReadLimited(t *testing.T) {
	var packed, plain bytes.Buffer
	p := cpu().add([]int64{30, 300}, alloc, encode).p
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteUncompressed(&plain); err != nil {
		t.Fatal(err)
	}
	size := int64(plain.Len())
	for name, tt := range map[string]struct {
		data  []byte
		limit int64
		ok    bool
	}{
		"plain":            {plain.Bytes(), size, true},
		"plain, larger":    {plain.Bytes(), size - 1, false},
		"packed":           {packed.Bytes(), size + 64, true},
		"unpacks to more":  {packed.Bytes(), size - 1, false},
		"cut":              {packed.Bytes()[:packed.Len()/2], 1 << 20, false},
		"a head and no gz": {[]byte{0x1f, 0x8b, 1}, 1 << 20, false},
		"empty":            {nil, 1 << 20, false},
		"empty members":    {bytes.Repeat(slices.Concat([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}, []byte{3, 0}, make([]byte, 8)), 1000), 1 << 10, false},
	} {
		if _, err := ReadLimited(bytes.NewReader(tt.data), tt.limit); (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
