package a

import (
	"io"
	"runtime"
)

type owned[T io.Closer] struct{ v T }

func own[T io.Closer](v T) *owned[T] {
	o := &owned[T]{v: v}
	runtime.SetFinalizer(o, func(o *owned[T]) { o.v.Close() }) // want `nothing but this finalizer calls \(io.Closer\).Close for a owned`
	return o
}

// What follows is left alone.

type closing[T io.Closer] struct{ v T }

func (c *closing[T]) Close() error { return c.v.Close() }

func closingOf[T io.Closer](v T) *closing[T] {
	c := &closing[T]{v: v}
	runtime.SetFinalizer(c, func(c *closing[T]) { c.v.Close() })
	return c
}

type around[T io.Closer] struct{ in within[T] }

func (a *around[T]) Close() error { return a.in.v.Close() }

type within[T io.Closer] struct{ v T }

func innerOf[T io.Closer](v T) *within[T] {
	in := &within[T]{v: v}
	runtime.SetFinalizer(in, func(in *within[T]) { in.v.Close() })
	return in
}
