package page

import (
	"testing"
)

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"pawl find -bench shows it":        `pawl find <span class="flag">-bench</span> shows it`,
		`-trimpath (-ldflags=-randlayout)`: `<span class="flag">-trimpath</span> (<span class="flag">-ldflags=-randlayout</span>)`,
		"well-kept, 3 - 4, <b> -x":         `well-kept, 3 - 4, &lt;b&gt; <span class="flag">-x</span>`,
		`"-x<script>"`:                     `&#34;<span class="flag">-x</span>&lt;script&gt;&#34;`,
		"−3 %":                             "−3 %",
	} {
		if got := string(prose(text)); got != want {
			t.Errorf("prose(%q) = %s, want %s", text, got, want)
		}
	}
}
