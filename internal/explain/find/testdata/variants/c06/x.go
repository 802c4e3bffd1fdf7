package c06

import (
	"fmt"
)

// V1 renamed
func key(id int, kind string) string { return fmt.Sprintf("%s:%d", kind, id) }

// V2 method
type pt struct{ X, Y int }

func (p pt) String() string { return fmt.Sprintf("(%d,%d)", p.X, p.Y) }

// V3 closure
func namer(prefix string) func(int) string {
	return func(i int) string { return fmt.Sprintf("%s-%d", prefix, i) }
}

// V4 generic
func label[T ~string](t T, n int) string { return fmt.Sprintf("%s=%d", string(t), n) }

// V5 two functions
func format(f string, a string, n int) string { return fmt.Sprintf(f, a, n) }
func row(a string, n int) string              { return format("%s;%d", a, n) }
