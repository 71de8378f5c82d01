// Package sa is the subnet administration of the managers of package sim/sm: it
// answers queries of all record types by what the agents of the fabric tell now,
// keeps multicast groups, services and subscriptions, and sends tables of any
// length by RMPP.
//
// It is the other side of package saclient and shares no code with it beyond the
// attributes of mad/sa. The rules are those of IBA vol. 1, 15.2 and 15.4; where
// these leave a choice it is that of OpenSM.
package sa
