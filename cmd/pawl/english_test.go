package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// longestSentence is how many words a sentence of the manual may have.
const longestSentence = 35

var (
	markedPart  = regexp.MustCompile(`(?s)<!-- (arrows|signatures|metrics) -->.*?<!-- /(arrows|signatures|metrics) -->`)
	fencedCode  = regexp.MustCompile("(?ms)^```.*?^```")
	quotedCode  = regexp.MustCompile("`[^`]*`")
	linkTarget  = regexp.MustCompile(`\]\([^)]*\)`)
	listItem    = regexp.MustCompile(`^\s*([*-]|\d+\.) `)
	sentenceEnd = regexp.MustCompile(`[.!?][)”"*]*\s+`)
	foreignWord = regexp.MustCompile(`(?i)\b(folders?|at the least|mend(s|ed|ing)?|sa(ys|id) of|of which|whoever)\b`)
)

// Nobody should have to read a sentence of the manual twice: none is longer
// than 35 words, and none has the words that Go's users do not use.
func TestManualEnglish(t *testing.T) {
	for page, text := range pages(t) {
		if strings.HasPrefix(page, "pawl help") {
			continue
		}
		prose, tables := paragraphs(text)
		for _, p := range prose {
			for _, s := range sentenceEnd.Split(p, -1) {
				if n := countWords(s); n > longestSentence {
					t.Errorf("%s: a sentence of %d words: %s", page, n, s)
				}
			}
		}
		for _, p := range append(prose, tables...) {
			if m := foreignWord.FindString(p); m != "" {
				t.Errorf("%s has %q: %s", page, m, p)
			}
		}
	}
}

// paragraphs returns the paragraphs and items of lists of a page, each as one
// line, and apart from them its headings and the rows of its tables. Code,
// marked parts and targets of links are left out.
func paragraphs(text string) (prose, tables []string) {
	text = fencedCode.ReplaceAllString(markedPart.ReplaceAllString(text, ""), "")
	var lines []string
	flush := func() {
		if p := plain(strings.Join(lines, " ")); p != "" {
			prose = append(prose, p)
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "<"):
			flush()
		case strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#"):
			flush()
			tables = append(tables, plain(line))
		case listItem.MatchString(line):
			flush()
			lines = []string{listItem.ReplaceAllString(line, "")}
		default:
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	flush()
	return prose, tables
}

// plain returns a text with one word for each piece of code, and without the
// targets of its links.
func plain(text string) string {
	return linkTarget.ReplaceAllString(quotedCode.ReplaceAllString(text, "code"), "]")
}

// countWords counts what has a letter or a digit.
func countWords(sentence string) int {
	n := 0
	for _, w := range strings.Fields(sentence) {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

func TestParagraphs(t *testing.T) {
	prose, tables := paragraphs("# Title\n\nOne `a. b`\ntwo. [Three](x.md)!\n\n    code. code\n\n* four\n  five\n* six\n\n| cell |\n\n```\nfence\n```\n<!-- metrics -->\nfolder\n<!-- /metrics -->\n")
	if want := []string{"One code two. [Three]!", "four five", "six"}; !slices.Equal(prose, want) {
		t.Errorf("prose %q, want %q", prose, want)
	}
	if want := []string{"# Title", "| cell |"}; !slices.Equal(tables, want) {
		t.Errorf("tables %q, want %q", tables, want)
	}
	if got := sentenceEnd.Split(prose[0], -1); len(got) != 2 || countWords(got[0]) != 3 {
		t.Errorf("sentences %q", got)
	}
}
