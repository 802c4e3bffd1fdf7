package c27

import (
	"bufio"
	"context"
	"net"
)

// V1 renamed

func banners(ctx context.Context, addrs []string) map[string]string {
	found := make(map[string]string, len(addrs))
	var dialer net.Dialer
	for _, addr := range addrs {
		conn, err := dialer.DialContext(ctx, "tcp", addr)
		if err != nil {
			continue
		}
		defer conn.Close()
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil {
			continue
		}
		found[addr] = line
	}
	return found
}
