package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// kinds is the flag -allow: words with commas, given once or several times.
type kinds []model.SuspicionKind

func (k *kinds) String() string {
	words := make([]string, len(*k))
	for i, kind := range *k {
		words[i] = string(kind)
	}
	return strings.Join(words, ",")
}

func (k *kinds) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		kind := model.SuspicionKind(strings.TrimSpace(word))
		if !slices.Contains(model.Allowable(), kind) {
			return fmt.Errorf("%q is none of %s", word, allowable())
		}
		*k = append(*k, kind)
	}
	return nil
}

func allowable() string {
	all := kinds(model.Allowable())
	return strings.ReplaceAll(all.String(), ",", ", ")
}
