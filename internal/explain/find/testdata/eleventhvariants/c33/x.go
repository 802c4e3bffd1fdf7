package c33

import (
	"context"
	"net/http"
)

// V5 two functions

type settings struct {
	Region, Bucket, Prefix string
	Limits                 [16]int64
	Features               map[string]bool
	Allowed                []string
}

type settingsKey struct{}

func withSettings(ctx context.Context, s settings) context.Context {
	return context.WithValue(ctx, settingsKey{}, s)
}

func settingsFrom(ctx context.Context) settings {
	s, _ := ctx.Value(settingsKey{}).(settings)
	return s
}

func configured(s settings, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(withSettings(r.Context(), s)))
	})
}
