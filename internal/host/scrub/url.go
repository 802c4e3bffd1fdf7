package scrub

import (
	"net/url"
	"strings"
)

// URL is the text of a URL without its password, and without the values of the
// query whose names say that they are secret.
func URL(u *url.URL) string {
	const hidden = "xxxxx" // as Redacted has it: angle quotes would be escaped
	shown := *u
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		key, value, _ := strings.Cut(part, "=")
		if name, err := url.QueryUnescape(key); value != "" && (err != nil || secretName(name)) {
			parts[i] = key + "=" + hidden
		}
	}
	shown.RawQuery = strings.Join(parts, "&")
	return shown.Redacted()
}
