// Package evidence writes numbers to a record and adds them up.
package evidence

import "encoding/binary"

// Append adds a number to a record.
func Append(record []byte, n int32) []byte {
	return binary.BigEndian.AppendUint32(record, uint32(n))
}

// Sum returns the sum of the numbers in a record.
func Sum(record []byte) (sum int64) {
	for len(record) >= 4 {
		sum += int64(int32(binary.BigEndian.Uint32(record)))
		record = record[4:]
	}
	return sum
}
