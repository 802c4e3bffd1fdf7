package a

import (
	"crypto/sha256"
	"sync"
)

func started(blobs [][]byte) [][32]byte {
	out := make([][32]byte, len(blobs))
	var wg sync.WaitGroup
	start := func(i int) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = sha256.Sum256(blobs[i])
		}()
	}
	for i := range blobs {
		start(i) // want `a goroutine for each item`
	}
	wg.Wait()
	return out
}

func parallel[T any](items []T, do func(T)) {
	var wg sync.WaitGroup
	for _, it := range items {
		wg.Go(func() { do(it) }) // want `a goroutine for each item`
	}
	wg.Wait()
}

// What follows is left alone.

func placed(blobs [][]byte) [][32]byte {
	out := make([][32]byte, len(blobs))
	places := make(chan struct{}, 4)
	start := func(i int) {
		places <- struct{}{}
		go func() { out[i] = sha256.Sum256(blobs[i]) }()
	}
	for i := range blobs {
		start(i)
	}
	return out
}

func changed(blobs [][]byte, other func(int)) [][32]byte {
	out := make([][32]byte, len(blobs))
	start := func(i int) {
		go func() { out[i] = sha256.Sum256(blobs[i]) }()
	}
	if len(blobs) > 9 {
		start = other
	}
	for i := range blobs {
		start(i)
	}
	return out
}

// What do waits for, nobody says.
func given(items []string, do func(string)) {
	for _, it := range items {
		go do(it)
	}
}
