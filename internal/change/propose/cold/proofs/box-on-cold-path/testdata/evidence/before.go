// Package evidence checks the pages of a file before it walks over them.
package evidence

import "fmt"

// A Page is the head of one page.
type Page struct {
	ID    uint64
	Flags uint16
}

// Sum adds up the flags of the pages, whose numbers count up from zero. It
// panics when one is out of place.
func Sum(pages []Page) int {
	n := 0
	for i := range pages {
		n += pages[i].check(uint64(i) + 1000)
	}
	return n
}

func (p *Page) check(id uint64) int {
	assert(p.ID == id, "page %d stands where %d should be", p.ID, id) // target
	return int(p.Flags)
}

func assert(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}
