// Package evidence writes rows of values as text.
package evidence

import (
	"fmt"
	"strconv"
)

// Row appends the cells of a row to text, each followed by a tab.
func Row(text []byte, cells []any) []byte {
	for _, c := range cells {
		text = append(text, cell(c)...)
		text = append(text, '\t')
	}
	return text
}

func cell(value any) string {
	return textOf(value) // target
}

// textOf returns fmt.Sprint(v). Strings, bools and common numbers do not go through fmt.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		var buf [24]byte
		return string(strconv.AppendFloat(buf[:0], v, 'g', -1, 64))
	}
	return fmt.Sprint(v)
}
