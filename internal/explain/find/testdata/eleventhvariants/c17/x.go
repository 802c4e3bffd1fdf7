package c17

import "sync"

// V2 method

type packetBuffers struct {
	free sync.Pool
	size int
}

func newPacketBuffers(size int) *packetBuffers {
	return &packetBuffers{size: size}
}

func (p *packetBuffers) take() []byte {
	if b, ok := p.free.Get().([]byte); ok {
		return b
	}
	return make([]byte, p.size)
}

func (p *packetBuffers) give(packet []byte) {
	if cap(packet) < p.size {
		return
	}
	p.free.Put(packet[:p.size])
}
