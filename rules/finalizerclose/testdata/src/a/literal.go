package a

import (
	"net"
	"runtime"
)

type upstream struct{ conn net.Conn }

func connect(addr string) (*upstream, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	up := &upstream{conn: conn}
	hangUp := func(u *upstream) { u.conn.Close() }
	runtime.SetFinalizer(up, hangUp) // want `nothing but this finalizer calls`
	return up, nil
}

// What follows is left alone.

type downstream struct{ conn net.Conn }

func accept(conn net.Conn, other func(*downstream)) *downstream {
	down := &downstream{conn: conn}
	end := func(d *downstream) { d.conn.Close() }
	if other != nil {
		end = other
	}
	runtime.SetFinalizer(down, end)
	return down
}
