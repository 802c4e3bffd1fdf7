package c34

import "sync"

// V1 sync.Map, two functions
var resolved sync.Map

func remember(host, addr string) { resolved.Store(host, addr) }

func Resolve(host string, look func(string) string) string {
	if a, ok := resolved.Load(host); ok {
		return a.(string)
	}
	a := look(host)
	remember(host, a)
	return a
}
