package a

import (
	"bytes"
	"os"
)

func contentOf(name string) []byte {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return b
}

func alike(a, b string) bool {
	return bytes.Equal(contentOf(a), contentOf(b)) // want `both files are read to be compared`
}

// What follows is left alone.

func is(a string, want []byte) bool { return bytes.Equal(contentOf(a), want) }
