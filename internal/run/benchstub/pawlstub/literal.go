package pawlstub

import (
	"math"
	"reflect"
	"strconv"
	"strings"
)

// constant writes a constant; def is the type that it has by itself.
func (p *writer) constant(t reflect.Type, w want, def reflect.Type, text string) {
	if w != bare || t == def {
		p.write(text)
		return
	}
	p.typ(t)
	p.write("(" + text + ")")
}

// null writes the nil of a type.
func (p *writer) null(t reflect.Type, w want) {
	if w != bare {
		p.write("nil")
		return
	}
	p.write("(")
	p.typ(t)
	p.write(")(nil)")
}

func (p *writer) float(t reflect.Type, w want, f float64) {
	switch {
	case math.IsNaN(f), math.IsInf(f, 0), f == 0 && math.Signbit(f):
		if t != reflect.TypeFor[float64]() {
			p.typ(t)
			p.write("(")
			defer p.write(")")
		}
		p.oddFloat(f)
	default:
		text := strconv.FormatFloat(f, 'g', -1, t.Bits())
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		p.constant(t, w, reflect.TypeFor[float64](), text)
	}
}

// oddFloat writes what no constant is.
func (p *writer) oddFloat(f float64) {
	name, args := "NaN", "()"
	switch {
	case math.IsInf(f, 1):
		name, args = "Inf", "(1)"
	case math.IsInf(f, -1):
		name, args = "Inf", "(-1)"
	case f == 0:
		name, args = "Copysign", "(0, -1)"
	}
	p.named("math", name)
	p.write(args)
}

// composite writes a composite literal, on one line where it is short.
func (p *writer) composite(t reflect.Type, w want, list [][]Part) {
	if w != elided {
		p.typ(t)
	}
	if t.Kind() == reflect.Struct && t.Name() != "" && len(list) == 0 && w == bare {
		p.write("{}")
		return
	}
	long, n, most := false, 0, 0
	for _, parts := range list {
		n += textLen(parts) + 2
		most = max(most, textLen(parts))
		long = long || lines(parts)
	}
	width := 0 // of a line
	switch {
	case long && len(list) > 1, n > lineWidth && (most > lineWidth/4 || t.Kind() == reflect.Struct || t.Kind() == reflect.Map):
		width = 1
	case n > lineWidth:
		width = lineWidth
	}
	p.write("{")
	p.list(list, width)
	p.write("}")
}

// lineWidth is how long the lines of a literal get.
const lineWidth = 90

// list writes elements on lines of about that width; 0 is a single line.
func (p *writer) list(list [][]Part, width int) {
	at := width
	for i, parts := range list {
		switch {
		case width > 0 && at >= width:
			p.write("\n")
			at = 0
		case i > 0:
			p.write(" ")
		}
		p.append(parts...)
		if at += textLen(parts) + 2; width > 0 || i < len(list)-1 {
			p.write(",")
		}
	}
	if width > 0 && len(list) > 0 {
		p.write("\n")
	}
}
