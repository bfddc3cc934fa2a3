/*
 * babeltrace - pointers to the functions of libbabeltrace2 that ctf_worker.c calls.  The pointers
 * are named without the prefix bt_.  Private to ctf_worker.c.
 *
 * The library is loaded only in a worker (base/library.h).
 */
#ifndef READER_CTF_BABELTRACE_H
#define READER_CTF_BABELTRACE_H

#include <babeltrace2/babeltrace.h>

/* clang-format off */
#define BABELTRACE_CALLS(F) \
	F(clock_class_get_frequency) F(clock_snapshot_get_value) \
	F(component_sink_borrow_input_port_by_index_const) \
	F(component_source_borrow_output_port_by_index_const) \
	F(component_source_get_output_port_count) F(current_thread_take_error) \
	F(error_borrow_cause_by_index) F(error_cause_get_message) \
	F(error_get_cause_count) F(event_borrow_class_const) \
	F(event_borrow_common_context_field_const) F(event_borrow_payload_field_const) \
	F(event_class_borrow_payload_field_class_const) F(event_class_get_id) \
	F(event_class_get_name) F(field_array_borrow_element_field_by_index_const) \
	F(field_array_get_length) F(field_bool_get_value) F(field_borrow_class_const) \
	F(field_class_get_type) F(field_class_structure_borrow_member_by_index_const) \
	F(field_class_structure_borrow_member_by_name_const) \
	F(field_class_structure_get_member_count) \
	F(field_class_structure_member_borrow_field_class_const) \
	F(field_class_structure_member_get_name) F(field_get_class_type) \
	F(field_integer_signed_get_value) F(field_integer_unsigned_get_value) \
	F(field_real_double_precision_get_value) \
	F(field_real_single_precision_get_value) F(field_string_get_value) \
	F(field_structure_borrow_member_field_by_index_const) \
	F(field_structure_borrow_member_field_by_name_const) \
	F(graph_add_simple_sink_component) F(graph_add_source_component) \
	F(graph_connect_ports) F(graph_create) F(graph_run) F(logging_set_global_level) \
	F(message_discarded_events_get_count) F(message_discarded_packets_get_count) \
	F(message_event_borrow_default_clock_snapshot_const) \
	F(message_event_borrow_event_const) \
	F(message_event_borrow_stream_class_default_clock_class_const) \
	F(message_get_type) F(message_iterator_next) \
	F(message_packet_beginning_borrow_packet_const) F(message_put_ref) \
	F(message_stream_beginning_borrow_stream_const) \
	F(packet_borrow_context_field_const) \
	F(plugin_borrow_source_component_class_by_name_const) \
	F(plugin_find_all_from_file) F(plugin_set_borrow_plugin_by_index_const) \
	F(plugin_set_get_plugin_count) F(stream_borrow_trace_const) \
	F(trace_borrow_environment_entry_value_by_name_const) \
	F(value_array_append_string_element) F(value_get_type) \
	F(value_integer_signed_get) F(value_map_create) \
	F(value_map_insert_empty_array_entry) F(value_string_get)
/* clang-format on */

struct babeltrace {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration has no parentheses */
#define BABELTRACE_MEMBER(name) __typeof__(bt_##name) *name;
	BABELTRACE_CALLS(BABELTRACE_MEMBER)
#undef BABELTRACE_MEMBER
};

#endif
