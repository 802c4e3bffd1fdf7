package c46

import "runtime"

// V1 across two functions, missed

type tile struct {
	x, y   int
	pixels []uint8
}

func pinned(work func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	work()
}

func shade(t *tile) {
	for i := range t.pixels {
		t.pixels[i] = uint8((t.x*31 + t.y*17 + i) & 0xff)
	}
}

func renderTiles(tiles <-chan *tile, done chan<- *tile) {
	pinned(func() {
		for t := range tiles {
			shade(t)
			done <- t
		}
	})
}
