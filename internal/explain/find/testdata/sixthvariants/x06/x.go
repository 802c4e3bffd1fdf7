package x06

import "reflect"

// V1 generic, missed
func Changed[K comparable](before, after map[K]int) bool {
	return !reflect.DeepEqual(before, after)
}

// V2 field, switch
type digest [16]byte

type object struct {
	name string
	sum  digest
}

func (o *object) State(other *object) string {
	switch {
	case o.name != other.name:
		return "renamed"
	case !reflect.DeepEqual(o.sum, other.sum):
		return "changed"
	}
	return "same"
}
