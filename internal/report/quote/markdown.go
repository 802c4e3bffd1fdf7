package quote

import (
	"strings"
)

// markup keeps Markdown from reading names and messages as markup.
var markup = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "|", `\|`, "<", "&lt;", ">", "&gt;", "[", `\[`, "]", `\]`, "&", "&amp;", "#", `\#`, "~", `\~`, "$", `\$`)

// Markdown makes one line of text that others wrote, as it may stand in Markdown.
func Markdown(s string) string { return markup.Replace(Line(s)) }
