package a

import "bytes"

// Bytes: Cut has them as well, but what is before may be appended to.

type frame[T ~[]byte] struct{ data T }

func (f frame[T]) verb() string {
	return string(bytes.SplitN(f.data, []byte(" "), 2)[0]) // want `bytes.SplitN allocates a slice for all segments, but only the first or the last are used; bytes.Cut allocates nothing`
}

func value(header []byte) []byte {
	pair := bytes.Split(header, []byte(": ")) // want `bytes.Split allocates`
	if len(pair) < 2 {
		return nil
	}
	return pair[1]
}

// What follows is left alone.

func bytesOf(data, sep []byte) (n int) {
	n += len(bytes.Split(data, sep)[0])
	for _, p := range bytes.Split(data, []byte(",")) {
		n += len(p)
	}
	return n
}
