package archive

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/fetch"
)

// appendText adds a field of text, of bytes or of a message.
func appendText(b []byte, field byte, text string) []byte {
	b = binary.AppendUvarint(append(b, field<<3|2), uint64(len(text)))
	return append(b, text...)
}

// appendNumber adds a field of a number that is not negative.
func appendNumber(b []byte, field byte, n int64) []byte {
	return binary.AppendUvarint(append(b, field<<3), uint64(n))
}

var errMessage = errors.New("what it answered is damaged, or no message of this kind")

// fieldOf is a field of text, bytes or a message in a message; nil where it is not there.
func fieldOf(b []byte, field uint64) ([]byte, error) {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, errMessage
		}
		b = b[n:]
		size, skip := uint64(0), 0
		switch tag & 7 {
		case 0:
			_, skip = binary.Uvarint(b)
		case 1:
			size = 8
		case 2:
			size, skip = binary.Uvarint(b)
		case 5:
			size = 4
		default:
			return nil, errMessage
		}
		if skip < 0 || skip == 0 && size == 0 || size > uint64(len(b)-skip) {
			return nil, errMessage
		}
		if b = b[skip:]; tag == field<<3|2 {
			return b[:size], nil
		}
		b = b[size:]
	}
	return nil, nil
}

// A frame of gRPC-Web is a byte that says what it is, its length in four, and its content.
const (
	frameHead = 5
	ending    = 0x80 // the content is what a server says at the end, as lines of a header
)

// call asks for a method of one answer by gRPC-Web. Where the server says no, the error is a
// *fetch.Refusal with the code of HTTP for it.
func call(ctx context.Context, by fetch.Client, u *url.URL, message []byte) ([]byte, error) {
	body := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
	b, header, err := by.Post(ctx, u, "application/grpc-web+proto", body, mostAnswered)
	if err != nil {
		return nil, err
	}
	if err := refusal(header.Get("Grpc-Status"), header.Get("Grpc-Message")); err != nil {
		return nil, err
	}
	var answer []byte
	for len(b) > 0 {
		if len(b) < frameHead || uint64(binary.BigEndian.Uint32(b[1:])) > uint64(len(b)-frameHead) {
			return nil, errors.New("what it answered is no gRPC-Web; is this the address of the server?")
		}
		content := b[frameHead:][:binary.BigEndian.Uint32(b[1:])]
		if b[0]&ending == 0 {
			answer = content
		} else if err := refusal(trailer(content, "grpc-status"), trailer(content, "grpc-message")); err != nil {
			return nil, err
		}
		b = b[frameHead+len(content):]
	}
	return answer, nil
}

// trailer is a value of the lines at the end; "" where there is none.
func trailer(lines []byte, key string) string {
	for line := range bytes.Lines(lines) {
		name, value, _ := strings.Cut(string(line), ":")
		if strings.EqualFold(name, key) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// codes are the codes of HTTP for those of gRPC; 500 for all others.
var codes = map[int]int{3: 400, 5: 404, 7: 403, 8: 429, 14: 503, 16: 401}

// grpcStatus begins what a *fetch.Refusal has for a status of HTTP.
const grpcStatus = "gRPC status "

// refusal is what a status of gRPC other than 0 means.
func refusal(status, text string) error {
	n, err := strconv.Atoi(status)
	if status == "" || n == 0 && err == nil {
		return nil
	}
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	r := &fetch.Refusal{Code: codes[n], Status: grpcStatus + status, Text: text[:min(len(text), 200)]}
	r.Code = cmp.Or(r.Code, 500)
	return r
}
