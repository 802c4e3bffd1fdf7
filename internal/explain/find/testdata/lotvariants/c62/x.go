package x

// V4 in generic code
func word[T ~string](src T) (toks []string) {
	tok := ""
	for _, c := range string(src) {
		if c == ',' {
			toks = append(toks, tok)
			tok = ""
			continue
		}
		tok += string(c)
	}
	return append(toks, tok)
}
