package c03

import "bytes"

// V2 method
type encoder struct{ dst bytes.Buffer }

func (e *encoder) all(rows [][]string) {
	for _, row := range rows {
		tmp := make([]byte, 0, 256)
		for _, cell := range row {
			tmp = append(tmp, cell...)
			tmp = append(tmp, ',')
		}
		e.dst.Write(tmp)
	}
}
