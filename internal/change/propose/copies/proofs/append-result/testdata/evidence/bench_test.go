package evidence

import "testing"

func BenchmarkEncode(b *testing.B) {
	v := &Value{Tag: 1, Text: "a list of some length"}
	for i := range 20 {
		v.List = append(v.List, &Value{Tag: uint(1000 * i), Text: "an element that has a text", List: []*Value{{Tag: uint(i), Text: "and one below it"}}})
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Encode(v)) == 0 {
			b.Fatal("nothing")
		}
	}
}
