// Package baseboard is the baseboard management agent of simulated nodes (IBA
// vol. 1, 16.2): its key, B_Key, and nothing behind it. There are no modules, so
// all calls to them are refused.
package baseboard
