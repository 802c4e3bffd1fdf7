package c08

import "fmt"

// V5 two functions
func checkByte(b byte) error {
	if b < 0x20 || b == 0x7f {
		return fmt.Errorf("control character in header")
	}
	return nil
}

func checkHeader(value string) error {
	for i := range len(value) {
		if err := checkByte(value[i]); err != nil {
			return err
		}
	}
	return nil
}
