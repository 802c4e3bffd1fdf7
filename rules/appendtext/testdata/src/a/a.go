package a

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

type row struct {
	buf  []byte
	head bytes.Buffer
	out  *bufio.Writer
}

func (r *row) number(n int, x float64, ok bool) {
	r.buf = append(r.buf, strconv.Itoa(n)...)                        // want `the text is allocated only to be copied; AppendInt writes it where it belongs`
	r.buf = append(append(r.buf, ' '), strconv.FormatUint(9, 16)...) // want `AppendUint writes`
	r.buf = append(r.buf, strconv.FormatFloat(x, 'f', -1, 64)...)    // want `AppendFloat writes`
	r.head.WriteString(strconv.Itoa(n + 1))                          // want `AppendInt writes`
	r.head.WriteString(strconv.FormatBool(ok))                       // want `AppendBool writes`
	if _, err := r.out.WriteString(strconv.Quote("x")); err != nil { // want `AppendQuote writes`
		return
	}
}

func (r *row) calling(next func() int, b []byte) []byte {
	r.head.WriteString(strconv.Itoa(next()))       // want `AppendInt writes`
	r.buf = append(r.buf, strconv.Itoa(next())...) // want `AppendInt writes`
	return append(b, strconv.Itoa(next())...)      // want `AppendInt writes`
}

func line[T any](b []byte, at time.Time, values []T, args ...any) []byte {
	for _, v := range values {
		b = append(b, fmt.Sprintf("%v,", v)...) // want `Appendf writes`
	}
	func() { b = append(b, fmt.Sprint(args...)...) }()                // want `Append writes`
	b = append(b, at.UTC().Format(time.RFC3339)...)                   // want `AppendFormat writes`
	b = append(b, hex.EncodeToString(b)...)                           // want `AppendEncode writes`
	return append(b[:0], base64.StdEncoding.EncodeToString(b[4:])...) // want `AppendEncode writes`
}

// What follows is left alone.

type text []byte

type own struct{ bytes.Buffer }

func (*own) Write([]byte) (int, error) { return 0, nil }

func alone(t text, b []byte, w *strings.Builder, head *bytes.Buffer, more func() *bytes.Buffer, n int, all []string, o *own) {
	o.WriteString(strconv.Itoa(n))
	defer head.WriteString(strconv.Itoa(n))
	t = append(t, strconv.Itoa(n)...)
	s := strconv.Itoa(n)
	b = append(b, s...)
	b = append(b, strconv.Itoa(n)[0])
	b = append(b, strings.ToLower(s)...)
	all = append(all, strconv.Itoa(n))
	w.WriteString(strconv.Itoa(n))
	head.WriteString(fmt.Sprintf("%d", n))
	more().WriteString(strconv.Itoa(n))
	{
		type int64 int
		b = append(b, strconv.Itoa(n)...)
	}
}
