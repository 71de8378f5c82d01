// Package congestion is the congestion control agent of simulated nodes (IBA
// vol. 1, annex A10): its settings are kept and given back, nothing is slowed
// down by them.
//
// Switches and adapters have the attributes that are theirs. A CC_Key that has
// been set is wanted for every Set; a request with a wrong one is not answered.
package congestion
