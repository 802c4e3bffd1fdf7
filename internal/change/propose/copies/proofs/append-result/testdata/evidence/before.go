// Package evidence encodes trees of values.
package evidence

// A Value is a number, a text or a list.
type Value struct {
	Tag  uint
	Text string
	List []*Value
}

// Encode returns a value and those in it, each with its tag.
func Encode(v *Value) []byte {
	var b []byte
	b = append(b, encodeTag(v.Tag)...) // target
	b = append(b, v.Text...)
	for _, one := range v.List {
		b = append(b, Encode(one)...)
	}
	return append(b, 0)
}

func encodeTag(tag uint) []byte {
	b := make([]byte, 0, 4)
	for tag > 0x7f {
		b = append(b, byte(tag)|0x80)
		tag >>= 7
	}
	return append(b, byte(tag))
}
