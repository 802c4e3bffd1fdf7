package a

import (
	"os"
	"sync"
)

type guarded struct {
	mu   sync.Mutex
	path string
	n    int
}

func (g *guarded) with(do func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	do()
}

func (g *guarded) Save(text []byte) (err error) {
	g.with(func() {
		g.n++
		err = os.WriteFile(g.path, text, 0o600) // want `all who want g.mu wait while os.WriteFile waits`
	})
	return err
}

// What follows is left alone.

func (g *guarded) Count() { g.with(func() { g.n++ }) }

func (g *guarded) then(do func()) {
	g.mu.Lock()
	g.n++
	g.mu.Unlock()
	do()
}

func (g *guarded) Remove() (err error) {
	g.then(func() { err = os.Remove(g.path) })
	return err
}
