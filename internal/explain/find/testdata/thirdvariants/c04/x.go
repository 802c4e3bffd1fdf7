package c04

import "io"

// V3 closure
func copier(dst io.Writer) func(io.Reader) error {
	return func(src io.Reader) error {
		chunk := make([]byte, 1<<16)
		for {
			n, err := src.Read(chunk)
			if n > 0 {
				if _, werr := dst.Write(chunk[:n]); werr != nil {
					return werr
				}
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
}
