package b

import "a"

func Twice(x int) int { return a.Double(a.Double(x)) } // want Twice:"pure keeps 0"

func Load(name string) { // want Load:"io"
	_ = a.Deep(name)
}

func Add(b []byte) int { return a.Sum(b) } // want Add:"keeps 0"

func Store(b []byte) { a.Keep(b) } // want Store:"keeps 1"
