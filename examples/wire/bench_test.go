package wire

import (
	"bytes"
	"io"
	"testing"
)

// BenchmarkSend seals and flushes frames of half a kilobyte.
func BenchmarkSend(b *testing.B) {
	payload := bytes.Repeat([]byte("x"), 512)
	s := NewSender(key)
	b.ReportAllocs()
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		if err := s.Seal(KindData, 0, 70_000, payload); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Flush(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReceive reads short frames. One in eight is packed.
func BenchmarkReceive(b *testing.B) {
	var fs []frame
	for i := range 64 {
		f := frame{kind: KindData, stream: 70_000, payload: []byte("a short message")}
		if i%8 == 7 {
			f.flags, f.payload = FlagPacked, Pack(bytes.Repeat([]byte{' '}, 60))
		}
		fs = append(fs, f)
	}
	in := bytes.NewReader(send(b, fs))
	v := NewReceiver(in, key)
	b.ReportAllocs()
	for b.Loop() {
		_, err := v.Next()
		if err == io.EOF {
			in.Seek(0, io.SeekStart)
			v.Reset(in)
			_, err = v.Next()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
