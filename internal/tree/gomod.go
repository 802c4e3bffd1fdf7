package tree

import (
	"path/filepath"
	"slices"
	"strings"
)

// A modDir is a directory that a go.mod or go.work file names.
type modDir struct {
	Verb       string // "use" or "replace"
	Path       string // as written, unquoted
	Start, End int    // where it stands in the file, quotes included
}

// parseMod returns the directories that the use and replace lines of a go.mod or
// go.work file name, in their order. It reads these two verbs and nothing
// else, and skips what it does not understand: the go command says better
// what is wrong with a file. Grammar: https://go.dev/ref/mod#go-mod-file.
func parseMod(data []byte) []modDir {
	var dirs []modDir
	block := ""
	for start := 0; start < len(data); {
		end := start
		for end < len(data) && data[end] != '\n' {
			end++
		}
		toks := modTokens(data, start, end)
		start = end + 1
		switch {
		case len(toks) == 0:
			continue
		case block != "" && toks[0].text == ")":
			block = ""
			continue
		case block == "" && len(toks) == 2 && toks[1].text == "(":
			block = toks[0].text
			continue
		}
		verb, args := block, toks
		if verb == "" {
			verb, args = toks[0].text, toks[1:]
		}
		if d, ok := modLine(verb, args); ok {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// modLine reads one line: "use DIR", or "replace OLD [VERSION] => DIR".
func modLine(verb string, args []modToken) (modDir, bool) {
	switch verb {
	case "use":
		if len(args) == 1 {
			return modDir{verb, args[0].text, args[0].start, args[0].end}, true
		}
	case "replace":
		for i, t := range args {
			if t.text == "=>" && i+2 == len(args) && isDirPath(args[i+1].text) {
				a := args[i+1]
				return modDir{verb, a.text, a.start, a.end}, true
			}
		}
	}
	return modDir{}, false
}

// isDirPath reports whether the right side of a replace line is a directory and
// not a module path.
func isDirPath(s string) bool {
	if s == "." || s == ".." || filepath.IsAbs(s) {
		return true
	}
	return slices.ContainsFunc([]string{"./", "../", "/", `.\`, `..\`, `\`}, func(p string) bool { return strings.HasPrefix(s, p) })
}

// A modToken is a word of a go.mod line and its place in the file.
type modToken struct {
	text       string
	start, end int
}

// modTokens splits data[i:end], one line, into words. A comment ends it.
func modTokens(data []byte, i, end int) []modToken {
	var toks []modToken
	for i < end {
		c := data[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '/' && i+1 < end && data[i+1] == '/':
			return toks
		case c == '(' || c == ')' || c == ',':
			toks = append(toks, modToken{string(c), i, i + 1})
			i++
		case c == '"' || c == '`':
			tok := quotedToken(data, i, end)
			toks = append(toks, tok)
			i = tok.end
		default:
			j := i
			for j < end && !strings.ContainsRune(" \t\r(),\"`", rune(data[j])) && !(data[j] == '/' && j+1 < end && data[j+1] == '/') {
				j++
			}
			toks = append(toks, modToken{string(data[i:j]), i, j})
			i = j
		}
	}
	return toks
}

// quotedToken reads the string that opens at data[i]. A backslash in an
// interpreted string stands for the byte after it, which is all that paths
// need.
func quotedToken(data []byte, i, end int) modToken {
	q, text, j := data[i], []byte(nil), i+1
	for j < end && data[j] != q {
		if q == '"' && data[j] == '\\' && j+1 < end {
			j++
		}
		text = append(text, data[j])
		j++
	}
	return modToken{string(text), i, min(j+1, end)}
}
