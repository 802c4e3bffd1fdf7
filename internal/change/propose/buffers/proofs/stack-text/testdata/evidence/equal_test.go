package equal

import (
	"strconv"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestFind(t *testing.T) {
	numbers := []int{0, 9, 10, 99, 100, -1, -100, 1 << 31, -1 << 31, 1<<63 - 1, -1 << 63}
	for i := range numbers {
		book := map[string]string{strconv.Itoa(numbers[i]): strconv.Itoa(i), "": "none"}
		for j := range numbers {
			some := numbers[:j]
			if a, b := before.Book(book).Find(some), after.Book(book).Find(some); a != b {
				t.Errorf("%v in %v: %q, then %q", some, book, a, b)
			}
		}
	}
}
