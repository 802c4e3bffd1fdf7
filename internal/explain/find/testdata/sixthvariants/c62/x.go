package c62

// V1 field, two functions
type lexer struct {
	word string
	out  []string
}

func (l *lexer) feed(r rune) {
	if r == ',' {
		l.out = append(l.out, l.word)
		l.word = ""
		return
	}
	l.word += string(r)
}

func Fields(line string) []string {
	var l lexer
	for _, r := range line {
		l.feed(r)
	}
	return append(l.out, l.word)
}

// V2 closure, counting loop
func Numbers(text string) (all []string) {
	cur := ""
	flush := func() {
		if cur != "" {
			all = append(all, cur)
			cur = ""
		}
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < '0' || c > '9' {
			flush()
			continue
		}
		cur = cur + string(c)
	}
	flush()
	return all
}
