package c67

import (
	"bytes"
	"os"
)

// V1 generic
type path interface{ ~string }

func Changed[P path](old, now P) (bool, error) {
	a, err := os.ReadFile(string(old))
	if err != nil {
		return false, err
	}
	b, err := os.ReadFile(string(now))
	if err != nil {
		return false, err
	}
	return !bytes.Equal(a, b), nil
}
