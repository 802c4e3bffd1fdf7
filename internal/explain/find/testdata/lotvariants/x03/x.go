package x

import (
	"strings"
)

// V4 in generic code
func render[T interface{ Name() string }](xs []T) string {
	var sb strings.Builder
	for _, x := range xs {
		sb.WriteString("<li>" + x.Name() + "</li>")
	}
	return sb.String()
}
