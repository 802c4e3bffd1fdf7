package single

import "fmt"

func id(kind string, n uint64, sum []byte) string {
	return fmt.Sprintf("%s-%d-%x", kind, n, sum) // want `a concatenation says the same`
}
