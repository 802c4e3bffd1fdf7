// Package evidence parses trees of names in parentheses.
package evidence

// A Node has a name and what stands in the parentheses behind it.
type Node struct {
	Name  string
	First *Node // of what stands in the parentheses
	Next  *Node // beside it
}

type parser struct {
	text string
	at   int

	// nodeSlab are those that newNode has left.
	nodeSlab []Node
}

// Parse parses names such as a(b c(d e)).
func Parse(text string) *Node {
	p := &parser{text: text}
	return p.list()
}

func (p *parser) list() *Node {
	var first, last *Node
	for p.at < len(p.text) && p.text[p.at] != ')' {
		n := p.node()
		if first == nil {
			first = n
		} else {
			last.Next = n
		}
		last = n
		if p.at < len(p.text) && p.text[p.at] == ' ' {
			p.at++
		}
	}
	return first
}

func (p *parser) node() *Node {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != ' ' && p.text[p.at] != '(' && p.text[p.at] != ')' {
		p.at++
	}
	n := p.newNode(Node{Name: p.text[start:p.at]}) // target
	if p.at < len(p.text) && p.text[p.at] == '(' {
		p.at++
		n.First = p.list()
		p.at++
	}
	return n
}

// newNode returns a pointer to a Node that is value: one allocation makes 16.
func (p *parser) newNode(value Node) *Node {
	if len(p.nodeSlab) == 0 {
		p.nodeSlab = make([]Node, 16)
	}
	one := &p.nodeSlab[0]
	p.nodeSlab = p.nodeSlab[1:]
	*one = value
	return one
}
