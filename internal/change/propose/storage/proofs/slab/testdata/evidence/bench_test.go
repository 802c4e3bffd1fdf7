package evidence

import "testing"

const text = "server(listen(address port tls(key certificate)) log(level file(name size age)) routes(get(path handler) put(path handler) delete(path handler)))"

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if n := Parse(text); n.Name != "server" {
			b.Fatal("wrong name")
		}
	}
}
