// Package audits shows what pawl tune says of the settings of builds and runs: as
// text, as SARIF and as a page.
package audits
