package x

import (
	"bufio"
	"os"
)

// V1 other names
func wordCount(logs []string) (words int, err error) {
	for _, lg := range logs {
		src, err := os.Open(lg)
		if err != nil {
			return 0, err
		}
		defer src.Close()
		sc := bufio.NewScanner(src)
		sc.Split(bufio.ScanWords)
		for sc.Scan() {
			words++
		}
	}
	return words, nil
}
