package a

import (
	"encoding/base64"
	"net/netip"
	"strings"
	"sync"
)

const amp = "&amp;"

type page struct {
	once    sync.Once
	escaper *strings.Replacer
}

func (p *page) escape(s string) string {
	return strings.NewReplacer("&", amp, "<", "&lt;").Replace(s) // want `the replacer is built anew on each call of escape, and is always the same`
}

func lines[T ~string](all []T) (out []string) {
	r := strings.NewReplacer("\r\n", "\n", "`", "'") // want `the replacer is built anew on each call of lines`
	for _, s := range all {
		out = append(out, r.Replace(string(s)))
	}
	return out
}

func key[T any](data []byte) (s string) {
	func() {
		s = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._").EncodeToString(data) // want `the encoding is built anew`
	}()
	return s
}

func private(a netip.Addr) bool {
	return netip.MustParsePrefix("10.0.0.0/8").Contains(a) || a == netip.MustParseAddr("::1") // want `the prefix is built anew`
}

// What follows is left alone.

var kept = strings.NewReplacer("a", "b")

func init() { kept = strings.NewReplacer("a", "c") }

func alone(p *page, from, s string, pairs []string) *page {
	p.once.Do(func() { p.escaper = strings.NewReplacer("a", "b") })
	if p.escaper == nil {
		r := strings.NewReplacer("a", "b")
		s = r.Replace(s)
	}
	strings.NewReplacer(from, "b").Replace(s)
	strings.NewReplacer(pairs...).Replace(s)
	strings.NewReplacer("odd").Replace(s)
	base64.NewEncoding("short").EncodeToString(nil)
	netip.MustParseAddr("none").Is4()
	p.escaper = strings.NewReplacer("a", "b")
	given := strings.NewReplacer("a", "b")
	later := strings.NewReplacer("a", "b")
	defer func() { later.Replace(s) }()
	return &page{escaper: given}
}
