package metrics

// hostCounter is a counter of a port of this machine.
type hostCounter struct {
	word  string // in the name of the metric, behind node_infiniband_
	dir   hostDir
	file  string // in sysfs
	words bool   // counts 4 bytes each
	help  string
}

// hostDir is the directory of a counter.
type hostDir uint8

const (
	portDir hostDir = iota // counters, and counters_ext of old kernels
	driverDir
)

// hostCounters are the counters of node_exporter's infiniband collector.
var hostCounters = []hostCounter{
	{"legacy_multicast_packets_received_total", portDir, "port_multicast_rcv_packets", false, "Multicast packets received, as older kernels count them."},
	{"legacy_multicast_packets_transmitted_total", portDir, "port_multicast_xmit_packets", false, "Multicast packets sent, as older kernels count them."},
	{"legacy_data_received_bytes_total", portDir, "port_rcv_data_64", true, "Bytes received, as older kernels count them."},
	{"legacy_packets_received_total", portDir, "port_rcv_packets_64", false, "Packets received, as older kernels count them."},
	{"legacy_unicast_packets_received_total", portDir, "port_unicast_rcv_packets", false, "Unicast packets received, as older kernels count them."},
	{"legacy_unicast_packets_transmitted_total", portDir, "port_unicast_xmit_packets", false, "Unicast packets sent, as older kernels count them."},
	{"legacy_data_transmitted_bytes_total", portDir, "port_xmit_data_64", true, "Bytes sent, as older kernels count them."},
	{"legacy_packets_transmitted_total", portDir, "port_xmit_packets_64", false, "Packets sent, as older kernels count them."},
	{"excessive_buffer_overrun_errors_total", portDir, "excessive_buffer_overrun_errors", false, "How often buffers overran for several flow control periods in turn."},
	{"link_downed_total", portDir, "link_downed", false, "How often the link failed to recover and went down."},
	{"link_error_recovery_total", portDir, "link_error_recovery", false, "How often the link recovered from errors by training anew."},
	{"local_link_integrity_errors_total", portDir, "local_link_integrity_errors", false, "How often errors of the link came faster than its threshold."},
	{"multicast_packets_received_total", portDir, "multicast_rcv_packets", false, "Multicast packets received."},
	{"multicast_packets_transmitted_total", portDir, "multicast_xmit_packets", false, "Multicast packets sent."},
	{"port_constraint_errors_received_total", portDir, "port_rcv_constraint_errors", false, "Packets thrown away on receipt because of partition or raw filters."},
	{"port_constraint_errors_transmitted_total", portDir, "port_xmit_constraint_errors", false, "Packets not sent because of partition or raw filters."},
	{"port_data_received_bytes_total", portDir, "port_rcv_data", true, "Bytes received, on all virtual lanes."},
	{"port_data_transmitted_bytes_total", portDir, "port_xmit_data", true, "Bytes sent, on all virtual lanes."},
	{"port_discards_received_total", portDir, "port_rcv_discards", false, "Packets thrown away on receipt because the port was down or congested."},
	{"port_discards_transmitted_total", portDir, "port_xmit_discards", false, "Packets thrown away before sending because the port was down or congested."},
	{"port_errors_received_total", portDir, "port_rcv_errors", false, "Packets received with an error."},
	{"port_packets_received_total", portDir, "port_rcv_packets", false, "Packets received, on all virtual lanes."},
	{"port_packets_transmitted_total", portDir, "port_xmit_packets", false, "Packets sent, on all virtual lanes."},
	{"port_transmit_wait_total", portDir, "port_xmit_wait", false, "Ticks in which the port had data to send and could send none."},
	{"unicast_packets_received_total", portDir, "unicast_rcv_packets", false, "Unicast packets received."},
	{"unicast_packets_transmitted_total", portDir, "unicast_xmit_packets", false, "Unicast packets sent."},
	{"port_receive_remote_physical_errors_total", portDir, "port_rcv_remote_physical_errors", false, "Packets received that were marked as bad by an earlier hop."},
	{"port_receive_switch_relay_errors_total", portDir, "port_rcv_switch_relay_errors", false, "Packets received that could not be forwarded."},
	{"symbol_error_total", portDir, "symbol_error", false, "Minor errors of a lane."},
	{"vl15_dropped_total", portDir, "VL15_dropped", false, "Subnet management packets dropped for want of buffers."},

	{"duplicate_requests_packets_total", driverDir, "duplicate_request", false, "Requests received that had been answered before."},
	{"implied_nak_seq_errors_total", driverDir, "implied_nak_seq_err", false, "Acknowledgements received that were ahead of what was expected."},
	{"local_ack_timeout_errors_total", driverDir, "local_ack_timeout_err", false, "Acknowledgements that did not come in time at the sender."},
	{"np_cnp_packets_sent_total", driverDir, "np_cnp_sent", false, "Congestion notifications sent."},
	{"np_ecn_marked_roce_packets_received_total", driverDir, "np_ecn_marked_roce_packets", false, "RoCE packets received that were marked for congestion."},
	{"out_of_buffer_drops_total", driverDir, "out_of_buffer", false, "Packets dropped because no receive request was posted."},
	{"out_of_sequence_packets_received_total", driverDir, "out_of_sequence", false, "Packets received out of order."},
	{"packet_sequence_errors_total", driverDir, "packet_seq_err", false, "Refusals received because packets came out of order."},
	{"req_cqes_errors_total", driverDir, "req_cqe_error", false, "Requests that completed with an error."},
	{"req_cqes_flush_errors_total", driverDir, "req_cqe_flush_error", false, "Requests that were flushed."},
	{"req_remote_access_errors_total", driverDir, "req_remote_access_errors", false, "Requests that the far end refused for want of access."},
	{"req_remote_invalid_request_errors_total", driverDir, "req_remote_invalid_request", false, "Requests that the far end refused as invalid."},
	{"resp_cqes_errors_total", driverDir, "resp_cqe_error", false, "Responses that completed with an error."},
	{"resp_cqes_flush_errors_total", driverDir, "resp_cqe_flush_error", false, "Responses that were flushed."},
	{"resp_local_length_errors_total", driverDir, "resp_local_length_error", false, "Requests received that were longer than the buffer posted."},
	{"resp_remote_access_errors_total", driverDir, "resp_remote_access_errors", false, "Requests received that were refused for want of access."},
	{"rnr_nak_retry_packets_received_total", driverDir, "rnr_nak_retry_err", false, "Refusals received because the far end had no receive request posted."},
	{"roce_adp_retransmits_total", driverDir, "roce_adp_retrans", false, "Adaptive retransmissions of RoCE."},
	{"roce_adp_retransmits_timeout_total", driverDir, "roce_adp_retrans_to", false, "Adaptive retransmissions of RoCE that ran out of time."},
	{"roce_slow_restart_used_total", driverDir, "roce_slow_restart", false, "How often RoCE restarted slowly."},
	{"roce_slow_restart_cnps_total", driverDir, "roce_slow_restart_cnps", false, "Congestion notifications made by slow restarts of RoCE."},
	{"roce_slow_restart_total", driverDir, "roce_slow_restart_trans", false, "How often RoCE went into slow restart."},
	{"rp_cnp_packets_handled_total", driverDir, "rp_cnp_handled", false, "Congestion notifications that the sender acted on."},
	{"rp_cnp_ignored_packets_received_total", driverDir, "rp_cnp_ignored", false, "Congestion notifications that the sender ignored."},
	{"rx_atomic_requests_total", driverDir, "rx_atomic_requests", false, "Atomic requests received."},
	{"rx_dct_connect_requests_total", driverDir, "rx_dct_connect", false, "Connection requests received for dynamically connected transport."},
	{"rx_read_requests_total", driverDir, "rx_read_requests", false, "RDMA reads received."},
	{"rx_write_requests_total", driverDir, "rx_write_requests", false, "RDMA writes received."},
	{"rx_icrc_encapsulated_errors_total", driverDir, "rx_icrc_encapsulated", false, "RoCE packets received with a wrong checksum."},
}
