package a

import "strings"

const head = "HEAD"

type request struct{ method, encoding string }

func (r *request) plain(names []string) (n int) {
	if strings.ToUpper(r.method) == head && n == 0 { // want `strings.ToUpper may copy the text only to compare it; strings.EqualFold compares it as it is`
		n++
	}
	for _, name := range names {
		func() {
			if "gzlb-9" != strings.ToLower(name) { // want `strings.ToLower may copy`
				n++
			}
		}()
	}
	return n
}

func letters[S ~string](s S, t string) bool {
	return strings.ToLower(string(s)) == "utf-8" || // want `strings.ToLower may copy`
		strings.ToLower(t) == "list" || // want `strings.ToLower may copy`
		strings.ToUpper(t) == "KEEP" || // want `strings.ToUpper may copy`
		strings.ToLower(t) == "é" // want `strings.ToLower may copy`
}

func answers(lines []string) (yes, others int) {
	for _, line := range lines {
		switch strings.ToUpper(line) { // want `strings.ToUpper may copy`
		default:
			others++
		case "YES":
			yes++
		}
	}
	return yes, others
}

// What follows is left alone.

type flag bool

func alone(s, t string) {
	_ = strings.ToLower(s) == strings.ToLower(t)
	_ = strings.ToLower(s) == t
	_ = strings.ToLower(s) == "Upper"
	_ = strings.ToLower(s) == "123"
	_ = strings.ToLower(s) == ""
	_ = strings.ToLower(s) < "a"
	_ = strings.Title(s) == "A"
	switch strings.ToLower(s) {
	case "a", "b":
	}
	switch strings.ToUpper(s) {
	case "A":
	case "B":
	}
	switch strings.ToLower(s) {
	case t:
	}
	switch strings.ToLower(s) {
	default:
	}
	var named flag = strings.ToLower(s) == "a"
	_ = named
}
