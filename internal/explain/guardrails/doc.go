// Package guardrails writes Prometheus rules, and a Grafana dashboard, for the Go runtime
// of one program. Which there are goes by the metrics that its page really has: a rule
// whose metric is missing would never fire, and nobody would know.
//
// Counters are only looked at through rate, gauges through deriv. Shares of CPU time are of
// the time that was used: the runtime's total counts idle processors, too. All is by job and
// instance, since a sum over instances hides the one that is ill.
package guardrails
