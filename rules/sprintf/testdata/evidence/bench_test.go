package evidence

import "testing"

// The arguments are variables: constants would be boxed at compile time.
var (
	users  = []string{"alice-0001", "bob-0002", "carol-0003", "dave-0004"}
	counts = []int{12345, 7, 999999, 4711}
	line   string
)

func BenchmarkLine(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for i, user := range users {
			line = Line(user, counts[i])
		}
	}
}
