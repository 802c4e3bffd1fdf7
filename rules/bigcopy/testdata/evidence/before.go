// Package evidence scores pages.
package evidence

// A Page has a head and a body.
type Page struct {
	Head [1024]byte
	Body [1024]byte
}

// Score returns the sum of the scores of the pages at a place.
func Score(pages []Page, at int) (sum int) {
	for _, p := range pages {
		sum += int(p.Head[at]) + int(p.Body[at])
	}
	return sum
}

// Best returns the page with the highest score at a place, -1 if there is none.
func Best(pages []Page, at int) int {
	best, found := -1, -1
	for i := range pages {
		if s := score(pages[i], at); s > best {
			best, found = s, i
		}
	}
	return found
}

func score(p Page, at int) int { return int(p.Head[at]) * int(p.Body[at]) }
