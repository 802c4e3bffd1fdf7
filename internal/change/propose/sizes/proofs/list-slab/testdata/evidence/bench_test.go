package evidence

import "testing"

const head = "Host: example.com\nAccept: text/html\nUser-Agent: a browser\nCookie: a=1\nCookie: b=2\nAccept-Language: en\nVia: one\nDate: today\nAge: 3"

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if len(Parse(head)) != 8 {
			b.Fatal("wrong number of fields")
		}
	}
}
