package wire

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

var key = []byte("a key that only the two ends know")

type frame struct {
	kind    Kind
	flags   uint8
	stream  uint32
	payload []byte
}

func frames() []frame {
	long := bytes.Repeat([]byte("0123456789abcdef"), 40)
	return []frame{
		{KindPing, 0, 1, nil},
		{KindData, 0, 70_000, []byte("hello")},
		{KindData, 0, 2, long},
		{KindData, FlagPacked, 3, Pack(bytes.Repeat([]byte{7}, 5000))},
		{KindClose, 0, 0, []byte{0}},
	}
}

func send(t testing.TB, fs []frame) []byte {
	t.Helper()
	var out bytes.Buffer
	s := NewSender(key)
	for _, f := range fs {
		if err := s.Seal(f.kind, f.flags, f.stream, f.payload); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Flush(&out); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestRoundTrip(t *testing.T) {
	fs := frames()
	v := NewReceiver(iotest.OneByteReader(bytes.NewReader(send(t, fs))), key)
	for i, f := range fs {
		m, err := v.Next()
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		want := f.payload
		if f.flags&FlagPacked != 0 {
			want = bytes.Repeat([]byte{7}, 5000)
		}
		if m.Kind != f.kind || m.Stream != f.stream || !bytes.Equal(m.Payload, want) {
			t.Errorf("frame %d: got kind %d stream %d %q", i, m.Kind, m.Stream, m.Payload)
		}
	}
	if _, err := v.Next(); err != io.EOF {
		t.Errorf("at the end: %v, want EOF", err)
	}
}

// Messages belong to the caller: a later one must not change an earlier one.
func TestMessagesAreIndependent(t *testing.T) {
	fs := frames()
	v := NewReceiver(bytes.NewReader(send(t, fs)), key)
	var got []*Message
	for range fs {
		m, err := v.Next()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m)
	}
	if !bytes.Equal(got[1].Payload, fs[1].payload) || !bytes.Equal(got[2].Payload, fs[2].payload) {
		t.Error("an earlier message has changed")
	}
}

func TestTampered(t *testing.T) {
	good := send(t, frames())
	for _, i := range []int{0, 5, 13, len(good) - 1} {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		v := NewReceiver(bytes.NewReader(bad), key)
		var err error
		for err == nil {
			_, err = v.Next()
		}
		if err == io.EOF {
			t.Errorf("byte %d changed: not noticed", i)
		}
	}
}

func TestReplayed(t *testing.T) {
	one := send(t, frames()[1:2])
	v := NewReceiver(bytes.NewReader(append(bytes.Clone(one), one...)), key)
	if _, err := v.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Next(); !errors.Is(err, ErrTag) {
		t.Errorf("replayed frame: %v, want %v", err, ErrTag)
	}
}

// limitedWriter takes n bytes a call and reports that it was not enough.
type limitedWriter struct {
	bytes.Buffer
	n int
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if len(p) <= w.n {
		return w.Buffer.Write(p)
	}
	n, _ := w.Buffer.Write(p[:w.n])
	return n, io.ErrShortWrite
}

func TestFlushGoesOn(t *testing.T) {
	f := frames()[2]
	s := NewSender(key)
	if err := s.Seal(f.kind, f.flags, f.stream, f.payload); err != nil {
		t.Fatal(err)
	}
	w := &limitedWriter{n: 7}
	for {
		_, err := s.Flush(w)
		if err == nil {
			break
		}
		if e := s.Seal(f.kind, 0, 1, nil); e != ErrPending {
			t.Fatalf("Seal while a frame waits: %v, want %v", e, ErrPending)
		}
	}
	if !bytes.Equal(w.Bytes(), send(t, []frame{f})) {
		t.Error("what was flushed in parts differs from what was flushed at once")
	}
}

func TestSealChecksItsCaller(t *testing.T) {
	defer func() {
		const want = "wire: stream 9: payload of 16385 bytes"
		if got := recover(); got != want {
			t.Errorf("panic %v, want %q", got, want)
		}
	}()
	NewSender(key).Seal(KindData, 0, 9, make([]byte, MaxPayload+1))
}

func TestMalformedPacked(t *testing.T) {
	for _, p := range [][]byte{nil, {1, 2, 3, 4, 5}, {0, 0, 0, 0, 0xff, 0xff, 1}} {
		v := NewReceiver(bytes.NewReader(send(t, []frame{{KindData, FlagPacked, 1, p}})), key)
		if _, err := v.Next(); !errors.Is(err, ErrPacked) {
			t.Errorf("packed %x: %v, want %v", p, err, ErrPacked)
		}
	}
}
