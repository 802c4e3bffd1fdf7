package c43

import (
	"fmt"
	"regexp"
)

// V1 renamed

func parseRelease(tag string) (major, minor string, err error) {
	re, err := regexp.Compile(`^v(\d+)\.(\d+)(?:\.\d+)?$`)
	if err != nil {
		return "", "", err
	}
	m := re.FindStringSubmatch(tag)
	if m == nil {
		return "", "", fmt.Errorf("release %q has no version", tag)
	}
	return m[1], m[2], nil
}
