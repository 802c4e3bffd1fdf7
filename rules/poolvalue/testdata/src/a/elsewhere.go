//go:build neverbuilt

package a

func putsElsewhere(s []int) { tagged.Put(s) }
