package c75

import "strings"

// V2 method
type dispatch struct{ routes map[string]func(string) }

func (d *dispatch) handle(path string) {
	segs := strings.Split(path, "/")
	if len(segs) < 2 {
		return
	}
	if f, ok := d.routes[segs[0]]; ok {
		f(segs[1])
	}
}

// V3 closure
func users() func(string) string {
	return func(addr string) string {
		at := strings.Split(addr, "@")
		return at[0]
	}
}
