package code

import (
	"bytes"
	"go/scanner"
	"go/token"
	"strings"
)

// A piece is a part of a line of source and what it is: "kw", "str", "com" or
// "num"; "" is everything else.
type piece struct{ Class, Text string }

// goLines returns the lines of Go source in pieces. The lines may be cut out
// of a file anywhere: what the scanner takes for an error stays as it is. The
// pieces of a line are its text again, whatever it is.
func goLines(lines []string) [][]piece {
	src := []byte(strings.Join(lines, "\n"))
	out := make([][]piece, len(lines))
	p := painter{src: src, out: out}
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if class := classOf(tok); class != "" {
			from := file.Offset(pos)
			p.paint("", from)
			p.paint(class, from+len(lit))
		}
	}
	p.paint("", len(src))
	return out
}

func classOf(t token.Token) string {
	switch {
	case t.IsKeyword():
		return "kw"
	case t == token.STRING, t == token.CHAR:
		return "str"
	case t == token.COMMENT:
		return "com"
	case t == token.INT, t == token.FLOAT, t == token.IMAG:
		return "num"
	}
	return ""
}

// A painter hands the source out to its lines, from the start to the end.
type painter struct {
	src  []byte
	out  [][]piece
	at   int // offset of what was not handed out yet
	line int // that it stands in
}

// paint hands out the source up to an offset, as one class.
func (p *painter) paint(class string, to int) {
	to = min(to, len(p.src))
	for p.at < to {
		end := bytes.IndexByte(p.src[p.at:to], '\n')
		more := end >= 0
		if !more {
			end = to - p.at
		}
		if end > 0 {
			p.out[p.line] = append(p.out[p.line], piece{class, string(p.src[p.at : p.at+end])})
		}
		p.at += end
		if more {
			p.at++
			p.line++
		}
	}
}

// plainLines returns lines that are not Go, each in one piece.
func plainLines(lines []string) [][]piece {
	out := make([][]piece, len(lines))
	for i, l := range lines {
		out[i] = []piece{{Text: l}}
	}
	return out
}

// sourceLines returns the lines of a file in pieces.
func sourceLines(file string, lines []string) [][]piece {
	if strings.HasSuffix(file, ".go") {
		return goLines(lines)
	}
	return plainLines(lines)
}
