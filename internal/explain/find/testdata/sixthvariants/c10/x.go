package c10

import (
	"sync"
	"time"
)

// V1 map in a field, method
type gauges struct {
	mu   sync.Mutex
	last map[string]any
}

func (g *gauges) raise(name string, by float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	old, _ := g.last[name].(float64)
	g.last[name] = old + by
}

func (g *gauges) read(name string) float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	v, ok := g.last[name].(float64)
	if !ok {
		return 0
	}
	return v
}

func Gauge(names []string) float64 {
	g := &gauges{last: map[string]any{}}
	for _, n := range names {
		g.raise(n, 1.5)
	}
	return g.read("all")
}

// V2 embedded type, type switch
type slot struct{ spent any }

type phase struct {
	slot
	title string
}

func (p *phase) book(d time.Duration) {
	switch old := p.spent.(type) {
	case time.Duration:
		p.spent = old + d
	default:
		p.spent = d
	}
}

func (p *phase) longer(than time.Duration) bool {
	d, ok := p.spent.(time.Duration)
	return ok && d > than
}

func Book(p *phase, all []time.Duration) bool {
	for _, d := range all {
		p.book(d)
	}
	return p.longer(time.Second) && p.title != ""
}
