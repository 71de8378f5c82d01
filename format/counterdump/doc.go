// Package counterdump reads counters of ports as tools have printed them:
// perfquery, ibqueryerrors, and the .pm files of ibdiagnet. It has no graph; Join
// finds the ports of a fabric that the counters belong to.
package counterdump
