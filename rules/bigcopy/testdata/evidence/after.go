// Package evidence scores pages.
package evidence

// A Page has a head and a body.
type Page struct {
	Head [1024]byte
	Body [1024]byte
}

// Score returns the sum of the scores of the pages.
func Score(pages []Page) (sum int) {
	for i := range pages {
		p := &pages[i]
		sum += int(p.Head[0]) + int(p.Body[0])
	}
	return sum
}

// Best returns the page with the highest score, -1 if there is none.
func Best(pages []Page) int {
	best, at := -1, -1
	for i := range pages {
		if s := score(&pages[i]); s > best {
			best, at = s, i
		}
	}
	return at
}

func score(p *Page) int { return int(p.Head[1]) * int(p.Body[1]) }
