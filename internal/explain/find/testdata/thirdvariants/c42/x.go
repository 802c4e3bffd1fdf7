package c42

import "regexp"

// V1 renamed
var emailPattern = regexp.MustCompile(`^(?:[a-zA-Z0-9!#$%&'*+/=?^_{|}~-]+(?:\.[a-zA-Z0-9!#$%&'*+/=?^_{|}~-]+)*)@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.){1,8}[a-zA-Z]{2,63}(?:\p{L}|\p{N}){0,200}$`)

func Valid(s string) bool { return emailPattern.MatchString(s) }
