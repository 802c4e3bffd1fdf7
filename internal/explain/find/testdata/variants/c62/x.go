package c62

// V1 renamed
func words(in string) (out []string) {
	w := ""
	for _, c := range in {
		if c == ',' {
			out = append(out, w)
			w = ""
			continue
		}
		w += string(c)
	}
	return append(out, w)
}

// V2 method
type lexer struct {
	src  string
	toks []string
}

func (l *lexer) run() {
	cur := ""
	for i := 0; i < len(l.src); i++ {
		if l.src[i] == ' ' {
			l.toks = append(l.toks, cur)
			cur = ""
		} else {
			cur += string(l.src[i])
		}
	}
}

// V3 closure
func stripper() func(string) string {
	return func(s string) string {
		r := ""
		for _, c := range s {
			if c != '-' {
				r = r + string(c)
			}
		}
		return r
	}
}

// V4 generic
func keep[S ~string](s S, ok func(rune) bool) string {
	var t string
	for _, c := range string(s) {
		if ok(c) {
			t += string(c)
		}
	}
	return t
}

// V5 two functions
func add(t string, c rune) string { return t + string(c) }
func digits(s string) string {
	d := ""
	for _, c := range s {
		if c >= '0' && c <= '9' {
			d = add(d, c)
		}
	}
	return d
}
