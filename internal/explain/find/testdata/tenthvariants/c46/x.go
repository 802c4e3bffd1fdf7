package c46

import (
	"runtime"
	"sync"
)

type Block struct {
	Data []byte
	Sum  uint32
}

// V1 goroutines of a method, deferred closure, missed
type Pool struct {
	in  chan *Block
	out chan *Block
	wg  sync.WaitGroup
}

func (p *Pool) Start(n int) {
	for range n {
		p.wg.Add(1)
		go func() {
			runtime.LockOSThread()
			defer func() {
				runtime.UnlockOSThread()
				p.wg.Done()
			}()
			for b := range p.in {
				b.Sum = checksum(b.Data)
				p.out <- b
			}
		}()
	}
}

func checksum(data []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range data {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
