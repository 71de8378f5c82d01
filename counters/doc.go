// Package counters reads the counters of many ports: of a whole fabric, again and
// again, with many requests in flight and few to each node (IBA vol. 1, 16.1).
//
// Collect reads once, a Collector as often as it is asked, and remembers what the
// agents can do. Either gives a Sample of each port: the counters in their full
// width, which of them the agent has, which stand at their ends, and between
// which times they were read. What could not be read is a Problem, and never more
// than that: a node that does not answer costs two requests without a reply,
// however many ports it has.
//
// Reading changes nothing. Resets set counters to 0.
package counters
