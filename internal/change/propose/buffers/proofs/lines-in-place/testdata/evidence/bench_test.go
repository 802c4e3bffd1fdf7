package evidence

import "testing"

func BenchmarkParse(b *testing.B) {
	text := "# where it listens\nhost = localhost\nport = 8080\n\n# how long it waits\ntimeout = 30s\nretries = 3\nname = a service of some name\n"
	b.ReportAllocs()
	for b.Loop() {
		if found, err := Parse(text); len(found) != 5 || err != nil {
			b.Fatal(found, err)
		}
	}
}
