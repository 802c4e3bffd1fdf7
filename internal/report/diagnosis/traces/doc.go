// Package traces shows execution traces: what goroutines waited for, which of them and
// where, the collector, and the processors.
package traces
