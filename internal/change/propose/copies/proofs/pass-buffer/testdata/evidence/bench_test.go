package evidence

import "testing"

func BenchmarkPrint(b *testing.B) {
	e := &Element{Name: "a document"}
	for i := range 10 {
		chapter := &Element{Name: "a chapter of some length", Size: i}
		for j := range 10 {
			chapter.Sub = append(chapter.Sub, &Element{Name: "a page with a title", Size: j})
		}
		e.Sub = append(e.Sub, chapter)
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Print(e)) == 0 {
			b.Fatal("nothing")
		}
	}
}
