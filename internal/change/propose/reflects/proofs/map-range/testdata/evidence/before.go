// Package evidence looks into maps of any type.
package evidence

import "reflect"

// Flat returns how many names a map has, and those of the maps in it, and the sum
// of the numbers in them.
func Flat(v reflect.Value) (names int, sum int64) {
	for _, k := range v.MapKeys() { // hot
		e := v.MapIndex(k)
		if e.Kind() == reflect.Interface {
			e = e.Elem()
		}
		names += len(k.String())
		switch e.Kind() {
		case reflect.Int:
			sum += e.Int()
		case reflect.Map:
			n, s := Flat(e)
			names, sum = names+n, sum+s
		}
	}
	return names, sum
}
