package a

func plusRune(s string, r rune) string { return s + string(r) }

func spelledOut(in string) string {
	out := ""
	for _, r := range in {
		out = plusRune(out, r) // want `\+= copies out for each character`
	}
	return out
}

func bytewise(in string) string {
	out := ""
	for i := range len(in) {
		out += in[i : i+1] // want `\+= copies out for each character`
	}
	return out
}

// What follows is left alone.

func frontRune(s string, r rune) string { return string(r) + s }

func backwards(in string) string {
	out := ""
	for _, r := range in {
		out = frontRune(out, r)
	}
	return out
}

func cutAt(in string, at []int) string {
	out := ""
	for _, i := range at {
		out += in[i : i+8]
	}
	return out
}
