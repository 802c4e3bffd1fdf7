// Package evidence reads words.
package evidence

import "strings"

type word struct {
	text string
	last bool
}

type lexer struct {
	text  string
	state func(*lexer)
	words chan word
}

// next returns the next word.
func (l *lexer) next() word {
	for {
		select {
		case w := <-l.words:
			return w
		default:
			l.text = strings.TrimSpace(l.text)
			l.state(l)
		}
	}
}

func (l *lexer) emit(text string, last bool) {
	l.words <- word{text, last} // hot
}

func words(l *lexer) {
	text, rest, ok := strings.Cut(l.text, " ")
	l.text = rest
	l.emit(text, !ok)
}

// Words returns how many words a text has, and how long the longest is.
func Words(text string) (n, longest int) {
	l := &lexer{text: text, state: words, words: make(chan word, 2)}
	for {
		w := l.next()
		n++
		longest = max(longest, len(w.text))
		if w.last {
			return n, longest
		}
	}
}
