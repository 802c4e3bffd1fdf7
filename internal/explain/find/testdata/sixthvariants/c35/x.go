package c35

import (
	"net"
	"os"
)

// V1 connection, counting loop
func Frames(conn *net.TCPConn, frames [][]byte) error {
	for i := 0; i < len(frames); i++ {
		if _, err := conn.Write([]byte{byte(len(frames[i]))}); err != nil {
			return err
		}
		if _, err := conn.Write(frames[i]); err != nil {
			return err
		}
	}
	return nil
}

// V2 two functions
func line(f *os.File, key, value string) error {
	_, err := f.WriteString(key + "=" + value + "\n")
	return err
}

func Save(name string, values map[string]string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	for k, v := range values {
		if err := line(f, k, v); err != nil {
			f.Close()
			return err
		}
	}
	return f.Close()
}
