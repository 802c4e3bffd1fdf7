package c42

import "regexp"

// V4 generic, missed

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var address = must(regexp.Compile(`(?i)^(?:[a-z0-9!#$%&'*+/=?^_{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_{|}~-]+)*)@(?:(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})$`))

func validAddress(s string) bool { return address.MatchString(s) }
