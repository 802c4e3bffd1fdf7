// Package evidence writes addresses the way reverse lookups ask for them.
package evidence

import "net"

const hexDigit = "0123456789abcdef"

// Reverse returns the name below ip6.arpa for an address, "" for anything else.
func Reverse(addr string) string {
	ip := net.ParseIP(addr)
	if ip == nil {
		return ""
	}
	buf := make([]byte, 0, net.IPv6len*4+len("ip6.arpa.")) // target
	for i := len(ip) - 1; i >= 0; i-- {
		buf = append(buf, hexDigit[ip[i]&0xF], '.', hexDigit[ip[i]>>4], '.')
	}
	buf = append(buf, "ip6.arpa."...)
	return string(buf)
}
