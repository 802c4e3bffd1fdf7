package a

import (
	"errors"
	"strings"
)

func first(s string) string {
	parts := strings.Split(s, "/") // want `strings.Split allocates a slice for all segments`
	return parts[0]
}

func route(path string) (string, string) {
	parts := strings.Split(path, "/") // want `strings.Cut allocates nothing`
	if len(parts) < 2 {
		return parts[0], ""
	}
	return parts[0], parts[1]
}

func pair(s string) (string, string, error) {
	kv := strings.SplitN(s, "=", 2) // want `strings.SplitN allocates`
	if len(kv) != 2 {
		return "", "", errors.New("no =")
	}
	return kv[0], kv[1], nil
}

func inside(s string) string {
	kv := strings.SplitN(s, "=", 2) // want `strings.SplitN allocates`
	if len(kv) == 2 && kv[1] != "" {
		return kv[1]
	} else if len(kv) > 1 {
		return kv[0]
	}
	return s
}

func taken(s string) bool {
	head := s
	parts := strings.Split(head, ",") // want `strings.Split allocates`
	return parts[0] == head
}

// The panic of the unguarded index would be lost: no fix.
func unguarded(s string) string {
	parts := strings.Split(s, "/") // want `strings.Split allocates`
	return parts[1]
}

func scope(path string) (string, string) {
	parts := strings.Split(path, "/") // want `strings.Cut allocates nothing`
	if len(parts) == 0 || parts[0] == "" {
		return "", ""
	}
	if len(parts) > 1 {
		return parts[0], parts[1]
	}
	return parts[0], ""
}

func named(path string) string {
	parts := strings.Split(path, "/") // want `strings.Cut allocates nothing`
	if len(parts) == 0 {
		return ""
	}
	return parts[0]
}

func segments(path string) []string { return strings.Split(path, "/") }

func second(path string) string {
	s := segments(path) // want `segments allocates a slice for all segments`
	if len(s) < 2 {
		return ""
	}
	return s[1]
}

// Without a fix: there is no room for it.
func clause(s string) string {
	if parts := strings.Split(s, "/"); len(parts) > 1 { // want `strings.Cut allocates nothing`
		return parts[1]
	}
	return ""
}

func contentType(header string) string {
	value := ""
	parts := strings.Split(header, ";") // want `strings.Split allocates`
	if len(parts) > 0 {
		value = parts[0]
	}
	return value
}

func neverNone(s string, ok bool) (string, error) {
	parts := strings.Split(s, ":") // want `strings.Split allocates`
	if len(parts) == 0 {
		return "", nil
	}
	head := parts[0]
	return head, nil
}

// The error would be used no more: no fix.
func unread(s string, f func() error) (string, error) {
	err := f()
	parts := strings.Split(s, ":") // want `strings.Split allocates`
	if len(parts) == 0 {
		return "", err
	}
	return parts[0], nil
}

// An if would be left over: no fix.
func among(s string, ok bool) string {
	parts := strings.Split(s, ":") // want `strings.Split allocates`
	if ok && len(parts) >= 1 {
		return parts[0]
	}
	return ""
}

func said(s string) string {
	parts := strings.Split(s, ":") // want `strings.Split allocates`
	if len(parts) > 0 {
		// The first is the host.
		return parts[0]
	}
	return ""
}

func last(s string) string {
	parts := strings.Split(s, "/") // want `strings.Split allocates`
	return parts[len(parts)-1]
}

type file struct{ path string }

func ends(f *file) (string, string) {
	parts := strings.Split(f.path, "/") // want `strings.Split allocates`
	return parts[0], parts[len(parts)-1]
}

func pieces(s string) []string { return strings.Split(s, "://") }

func scheme(s string) string { return pieces(s)[0] } // want `pieces allocates`

// What follows is left alone.

func empty(s, sep string) string {
	parts := strings.Split(s, sep) // a separator that may be empty
	return parts[0]
}

func exact(s string) bool {
	parts := strings.Split(s, ".")
	return len(parts) == 3 && parts[0] != ""
}

func exactTwo(s string) string {
	parts := strings.Split(s, ".")
	if len(parts) == 2 { // a third segment matters
		return parts[1]
	}
	return ""
}

func ranged(s string) (n int) {
	parts := strings.Split(s, "/")
	for range parts {
		n++
	}
	return n + len(parts[0])
}

func lastOfTwo(s string) string {
	parts := strings.Split(s, "::") // two bytes
	return parts[len(parts)-1]
}

func lastOfCall(s func() string) string {
	parts := strings.Split(s(), "/")
	return parts[len(parts)-1]
}

func lastButOne(s string) string {
	parts := strings.Split(s, "/")
	return parts[len(parts)-2]
}

func lastSet(s string) string {
	parts := strings.Split(s, "/")
	parts[len(parts)-1] = "x"
	return parts[0]
}

func lastOfOther(s string, others []string) string {
	parts := strings.Split(s, "/")
	return parts[len(others)-1]
}

func kept(s string) []string {
	parts := strings.Split(s, "/")
	_ = parts[0]
	return parts
}

func assigned(s string) string {
	parts := strings.Split(s, "/")
	parts[0] = "x"
	return parts[0]
}

func three(s string) string {
	parts := strings.SplitN(s, "/", 3)
	return parts[0]
}

func indexed(s string) string {
	return strings.Split(s, "/")[0] // want `strings.Split allocates`
}

type host struct{ name string }

func (h *host) indexed(s string, names []string) (string, bool) {
	name := strings.SplitN(s, ":", 2)[0] // want `strings.SplitN allocates`
	for _, n := range names {
		n = strings.Split(n, ":")[0]          // want `strings.Split allocates`
		if n == strings.Split(name, ".")[0] { // want `strings.Split allocates`
			return n, true
		}
	}
	h.name = strings.Split(s, ":")[1]         // want `strings.Split allocates`
	return strings.Split(name, ":")[0], false // want `strings.Split allocates`
}

func indexedLate(s string) []string {
	strings.Split(s, "/")[0] = "x"
	return []string{strings.Split(s, "/")[2]}
}
