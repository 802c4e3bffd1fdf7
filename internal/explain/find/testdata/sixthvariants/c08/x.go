package c08

import "errors"

// V1 generic, results
func At[T any](list []T, i int) (T, error) {
	if i < 0 || i >= len(list) {
		var zero T
		return zero, errors.New("index out of range")
	}
	return list[i], nil
}

// V2 closure, switch
func Digits(text string) (sum int, err error) {
	value := func(b byte) (int, error) {
		switch {
		case b >= '0' && b <= '9':
			return int(b - '0'), nil
		case b >= 'a' && b <= 'f':
			return int(b-'a') + 10, nil
		default:
			return 0, errors.New("not a digit")
		}
	}
	for i := range len(text) {
		n, err := value(text[i])
		if err != nil {
			return sum, err
		}
		sum += n
	}
	return sum, nil
}
