package c54

import (
	"io"
	"runtime"
)

// V4 generic
type handle[C io.Closer] struct{ c C }

func open[C io.Closer](c C) *handle[C] {
	h := &handle[C]{c: c}
	runtime.SetFinalizer(h, func(h *handle[C]) { h.c.Close() })
	return h
}
