package c33

import "context"

// V2 method
type limits struct {
	rates [64]int
	names [64]string
}

type limitsKey struct{}

type service struct{ lim limits }

func (s *service) scope(parent context.Context) context.Context {
	return context.WithValue(parent, limitsKey{}, s.lim)
}
