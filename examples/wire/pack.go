package wire

import (
	"encoding/binary"
	"hash"
	"hash/crc32"
)

// maxRun is the longest run of one byte, in bytes.
const maxRun = 1024

// Pack returns payload in the coding of FlagPacked.
func Pack(payload []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(payload))
	for i := 0; i < len(payload); {
		n := 1
		for i+n < len(payload) && n < maxRun && payload[i+n] == payload[i] {
			n++
		}
		out = binary.BigEndian.AppendUint16(out, uint16(n))
		out = append(out, payload[i])
		i += n
	}
	return out
}

// unpack replaces the payload by what it unpacks to, and checks that with crc.
func (m *Message) unpack(crc hash.Hash32) error {
	in := m.Payload
	if len(in) < 4 {
		return ErrPacked
	}
	want := binary.BigEndian.Uint32(in)
	in = in[4:]
	crc.Reset()
	var out []byte
	var run [maxRun]byte
	for len(in) >= 3 {
		n := int(binary.BigEndian.Uint16(in))
		if n > maxRun || len(out)+n > MaxPayload {
			return ErrPacked
		}
		for i := range run[:n] {
			run[i] = in[2]
		}
		crc.Write(run[:n])
		out = append(out, run[:n]...)
		in = in[3:]
	}
	if len(in) != 0 || crc.Sum32() != want {
		return ErrPacked
	}
	m.Payload = out
	m.packed = false
	return nil
}
