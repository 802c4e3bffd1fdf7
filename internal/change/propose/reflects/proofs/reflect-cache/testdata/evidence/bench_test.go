package evidence

import "testing"

type page struct {
	Title  string `t:"title"`
	Author string `t:"author"`
	Words  int
	Draft  bool
}

func BenchmarkGet(b *testing.B) {
	var from any = page{Title: "a", Author: "b", Draft: true}
	b.ReportAllocs()
	for b.Loop() {
		if Get(from, "author") != "b" || Get(from, "Draft") != true {
			b.Fatal("wrong member")
		}
	}
}
