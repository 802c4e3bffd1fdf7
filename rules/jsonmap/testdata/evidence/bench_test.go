package evidence

import "testing"

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	data := []byte(`{"user":"ada","freight":4.5,"lines":[{"price":1.5,"count":2,"name":"pen"},{"price":10,"count":1,"name":"ink"},{"price":3,"count":4,"name":"pad"}]}`)
	for b.Loop() {
		if user, amount, err := Total(data); user != "ada" || amount != 29.5 || err != nil {
			b.Fatal(user, amount, err)
		}
	}
}
