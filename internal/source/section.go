package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

var errNoExport = errors.New("no export data in it")

// section returns the export data in a file. Up to go1.27 go list
// -export names the package as it was compiled, an archive whose first member
// has the data between two marks; later ones name a file that has nothing else.
func section(r io.Reader) ([]byte, error) {
	const (
		archive = "!<arch>\n"
		header  = 60 // of a member, with its size at 48
		begin   = "\n$$B\n"
		end     = "\n$$\n"
	)
	b := bufio.NewReader(r)
	if start, _ := b.Peek(len(archive)); string(start) != archive {
		return io.ReadAll(b)
	}
	head := make([]byte, len(archive)+header)
	if _, err := io.ReadFull(b, head); err != nil {
		return nil, err
	}
	size, err := strconv.ParseInt(strings.TrimSpace(string(head[len(archive)+48:len(archive)+58])), 10, 40)
	if err != nil {
		return nil, errNoExport
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(b, data); err != nil {
		return nil, err
	}
	_, data, ok := bytes.Cut(data, []byte(begin))
	last := bytes.LastIndex(data, []byte(end))
	if !ok || last < 0 {
		return nil, errNoExport
	}
	return data[:last], nil
}
