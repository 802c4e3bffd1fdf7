package equal

import (
	"math/rand/v2"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestKind(t *testing.T) {
	links := []string{"", "HTTP://", "http:/", "hTTpS://x", "http\u017f://", "MAILTO:\u212a", "about:BLAN\u212a", "about:blan\u212a\xff", "ABOUT:BLANK", "about:blank\x00", "\xc5\xbfhttp://"}
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"http", "HTTP", "s", "S", "\u017f", "://", ":", "about", "blan", "k", "K", "\u212a", "\u0130", "\xff", "mailto", "i"}
	for range 20_000 {
		link := ""
		for range r.IntN(5) {
			link += pieces[r.IntN(len(pieces))]
		}
		links = append(links, link)
	}
	for _, l := range links {
		if a, b := before.Kind(l), after.Kind(l); a != b {
			t.Errorf("%q: before %q, after %q", l, a, b)
		}
	}
}
