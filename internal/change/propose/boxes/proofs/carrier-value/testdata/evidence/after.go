// Package evidence fills in templates.
package evidence

import "strings"

// Values are where a template's words come from.
type Values interface {
	Get(name string) string
}

// A mapValues has them in a map.
type mapValues struct{ m map[string]string }

func (v mapValues) Get(name string) string { return v.m[name] }

// Fill writes a template's words; callers may have another.
var Fill = func(b *strings.Builder, words []string, values Values) {
	for _, w := range words {
		b.WriteString(values.Get(w))
	}
}

// Render returns a template with its words filled in.
func Render(b *strings.Builder, words []string, m map[string]string) {
	Fill(b, words, mapValues{m}) // target
}
