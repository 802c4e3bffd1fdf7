package main

import "io"

func (l *lab) tables(out io.Writer, all []subject) error { return nil }
