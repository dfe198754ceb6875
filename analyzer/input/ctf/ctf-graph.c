/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/ctf/ctf-graph.h"
#include "input/ctf/ctf-check.h"
#include "base/error.h"

#include <string.h>

/* The library prints nothing: its errors have texts. */
#define QUIET BT_LOGGING_LEVEL_NONE

struct stream {
	bt_message_iterator *iterator;
	bt_message_array_const messages; /* of the iterator; @next to @n - 1 are ours */
	guint64 next, n;
	gboolean ended;
};

struct iot_ctf_graph {
	char *path;
	bt_graph *graph;
	const bt_plugin *plugin;
	bt_component_class_sink *sink_class;
	GPtrArray *ports; /* of const bt_port_output *, of the source components */
	struct stream *streams;
	guint n_streams;
	struct stream *wanted; /* that the sink is to pull */
	guint64 last_ns;
};

/* ---- errors */

/* The first of the library's causes names the damage, in one sentence, mostly followed by values in
 * brackets. */
static void *refuse(const struct iot_ctf_graph *graph, GError **error)
{
	const bt_error *taken = bt_current_thread_take_error();
	g_autofree char *cause = NULL;

	if (taken && bt_error_get_cause_count(taken)) {
		const char *text =
			bt_error_cause_get_message(bt_error_borrow_cause_by_index(taken, 0));

		cause = g_strndup(text, strcspn(text, "\n"));
		g_strchomp(cause);
		if (g_str_has_suffix(cause, "."))
			cause[strlen(cause) - 1] = '\0';
	}
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT, "%s: this CTF trace cannot be read%s%s",
		    graph->path, cause ? ": " : "", cause ? cause : "");
	if (taken)
		bt_error_release(taken);
	return NULL;
}

/* ---- sink */

static bt_component_class_initialize_method_status
sink_begin(bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	   const bt_value *params, void *data)
{
	struct iot_ctf_graph *graph = data;

	(void)configuration, (void)params;
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), graph);
	for (guint i = 0; i < graph->n_streams; i++) {
		char name[16];

		g_snprintf(name, sizeof(name), "%u", i);
		if (bt_self_component_sink_add_input_port(self, name, NULL, NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
			return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	}
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static struct iot_ctf_graph *graph_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

static bt_component_class_sink_graph_is_configured_method_status
sink_configured(bt_self_component_sink *self)
{
	struct iot_ctf_graph *graph = graph_of(self);

	for (guint i = 0; i < graph->n_streams; i++)
		if (bt_message_iterator_create_from_sink_component(
			    self, bt_self_component_sink_borrow_input_port_by_index(self, i),
			    &graph->streams[i].iterator) !=
		    BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK)
			return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

/* It never ends, as it is asked only for streams that have not. */
static bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink *self)
{
	struct stream *stream = graph_of(self)->wanted;

	switch (bt_message_iterator_next(stream->iterator, &stream->messages, &stream->n)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		stream->n = 0;
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		stream->n = 0;
		stream->ended = TRUE;
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	default:
		stream->n = 0;
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
	}
}

/* ---- open */

/* The answer of the class of sources to a question about folders; NULL: none. */
static const bt_value *query(const bt_component_class_source *source, const char *object,
			     const bt_value *params)
{
	bt_query_executor *executor = bt_query_executor_create(
		bt_component_class_source_as_component_class_const(source), object, params);
	const bt_value *answer = NULL;

	if (!executor)
		return NULL;
	bt_query_executor_set_logging_level(executor, QUIET);
	if (bt_query_executor_query(executor, &answer) != BT_QUERY_EXECUTOR_QUERY_STATUS_OK)
		answer = NULL;
	bt_query_executor_put_ref(executor);
	return answer;
}

static const bt_value *entry(const bt_value *map, const char *key)
{
	return map && bt_value_is_map(map) ? bt_value_map_borrow_entry_value_const(map, key) : NULL;
}

/* Folders with one identifier are parts of one trace, such as the archives of a rotated LTTng
 * session. A trace without identifier is a group of its own. */
static char *group_of(const bt_component_class_source *source, const char *trace)
{
	bt_value *params = bt_value_map_create();
	const bt_value *answer, *group;
	char *name;

	bt_value_map_insert_string_entry(params, "type", "directory");
	bt_value_map_insert_string_entry(params, "input", trace);
	answer = query(source, "babeltrace.support-info", params);
	group = entry(answer, "group");
	name = g_strdup(group && bt_value_is_string(group) ? bt_value_string_get(group) : trace);
	bt_value_put_ref(answer);
	bt_value_put_ref(params);
	return name;
}

static guint64 end_of(const bt_value *stream)
{
	const bt_value *end = entry(entry(stream, "range-ns"), "end");

	return end && bt_value_is_signed_integer(end)
		       ? (guint64)MAX(bt_value_integer_signed_get(end), 0)
		       : 0;
}

/* When the last packet of any stream of these folders ends. */
static void find_end(struct iot_ctf_graph *graph, const bt_component_class_source *source,
		     const bt_value *params)
{
	const bt_value *answer = query(source, "babeltrace.trace-infos", params);
	guint64 n = answer && bt_value_is_array(answer) ? bt_value_array_get_length(answer) : 0;

	for (guint64 i = 0; i < n; i++) {
		const bt_value *streams = entry(
			bt_value_array_borrow_element_by_index_const(answer, i), "stream-infos");
		guint64 m = streams && bt_value_is_array(streams)
				    ? bt_value_array_get_length(streams)
				    : 0;

		for (guint64 k = 0; k < m; k++)
			graph->last_ns = MAX(
				graph->last_ns,
				end_of(bt_value_array_borrow_element_by_index_const(streams, k)));
	}
	bt_value_put_ref(answer);
	bt_current_thread_clear_error();
}

static gboolean add_source(struct iot_ctf_graph *graph, const bt_component_class_source *source,
			   const bt_value *params)
{
	const bt_component_source *component;
	g_autofree char *name = g_strdup_printf("trace %u", graph->ports->len);

	if (bt_graph_add_source_component(graph->graph, source, name, params, QUIET, &component) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return FALSE;
	for (guint64 i = 0; i < bt_component_source_get_output_port_count(component); i++)
		g_ptr_array_add(graph->ports,
				(gpointer)bt_component_source_borrow_output_port_by_index_const(
					component, i));
	return TRUE;
}

static gboolean add_sources(struct iot_ctf_graph *graph, const bt_component_class_source *source,
			    const GPtrArray *traces)
{
	g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(g_free);
	gboolean ok = TRUE;

	for (guint i = 0; i < traces->len; i++)
		g_ptr_array_add(groups, group_of(source, traces->pdata[i]));
	bt_current_thread_clear_error();
	for (guint i = 0; ok && i < traces->len; i++) {
		bt_value *params = bt_value_map_create(), *inputs;
		guint first = 0;

		bt_value_map_insert_empty_array_entry(params, "inputs", &inputs);
		while (strcmp(groups->pdata[first], groups->pdata[i]))
			first++;
		for (guint k = i; first == i && k < traces->len; k++)
			if (!strcmp(groups->pdata[k], groups->pdata[i]))
				bt_value_array_append_string_element(inputs, traces->pdata[k]);
		ok = first < i || add_source(graph, source, params);
		if (ok && first == i)
			find_end(graph, source, params);
		bt_value_put_ref(params);
	}
	return ok;
}

static gboolean add_sink(struct iot_ctf_graph *graph)
{
	const bt_component_sink *component;

	graph->n_streams = graph->ports->len;
	graph->streams = g_new0(struct stream, graph->n_streams);
	if (!graph->n_streams)
		return TRUE;
	graph->sink_class = bt_component_class_sink_create("iotrace", sink_consume);
	bt_component_class_sink_set_initialize_method(graph->sink_class, sink_begin);
	bt_component_class_sink_set_graph_is_configured_method(graph->sink_class, sink_configured);
	if (bt_graph_add_sink_component_with_initialize_method_data(
		    graph->graph, graph->sink_class, "iotrace", NULL, graph, QUIET, &component) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return FALSE;
	for (guint i = 0; i < graph->n_streams; i++)
		if (bt_graph_connect_ports(
			    graph->graph, graph->ports->pdata[i],
			    bt_component_sink_borrow_input_port_by_index_const(component, i),
			    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return FALSE;
	return TRUE;
}

/* The library's reader of CTF is a plugin of it: only its own one will do. */
static const bt_component_class_source *find_source(struct iot_ctf_graph *graph, GError **error)
{
	const bt_component_class_source *source = NULL;

	if (bt_plugin_find("ctf", BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &graph->plugin) ==
	    BT_PLUGIN_FIND_STATUS_OK)
		source = bt_plugin_borrow_source_component_class_by_name_const(graph->plugin, "fs");
	if (source)
		return source;
	bt_current_thread_clear_error();
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: CTF traces cannot be read, because the plugin ctf of libbabeltrace2 is "
		    "missing; install libbabeltrace2 again",
		    graph->path);
	return NULL;
}

static gboolean open_graph(struct iot_ctf_graph *graph, const GPtrArray *traces, GError **error)
{
	const bt_component_class_source *source;

	for (guint i = 0; i < traces->len; i++)
		if (!iot_ctf_check(graph->path, traces->pdata[i], error))
			return FALSE;
	source = find_source(graph, error);
	if (!source)
		return FALSE;
	graph->graph = bt_graph_create(0);
	return (add_sources(graph, source, traces) && add_sink(graph)) || refuse(graph, error);
}

struct iot_ctf_graph *iot_ctf_graph_new(const char *path, const GPtrArray *traces, GError **error)
{
	struct iot_ctf_graph *graph = g_new0(struct iot_ctf_graph, 1);

	bt_logging_set_global_level(QUIET);
	graph->path = g_strdup(path);
	graph->ports = g_ptr_array_new();
	if (open_graph(graph, traces, error))
		return graph;
	iot_ctf_graph_free(graph);
	return NULL;
}

void iot_ctf_graph_free(struct iot_ctf_graph *graph)
{
	if (!graph)
		return;
	for (guint i = 0; i < graph->n_streams; i++) {
		struct stream *stream = &graph->streams[i];

		for (; stream->next < stream->n; stream->next++)
			bt_message_put_ref(stream->messages[stream->next]);
		bt_message_iterator_put_ref(stream->iterator);
	}
	bt_graph_put_ref(graph->graph);
	bt_component_class_sink_put_ref(graph->sink_class);
	bt_plugin_put_ref(graph->plugin);
	g_ptr_array_unref(graph->ports);
	g_free(graph->streams);
	g_free(graph->path);
	g_free(graph);
}

guint iot_ctf_graph_n_streams(const struct iot_ctf_graph *graph)
{
	return graph->n_streams;
}

guint64 iot_ctf_graph_last_ns(const struct iot_ctf_graph *graph)
{
	return graph->last_ns;
}

/* ---- read */

const bt_message *iot_ctf_graph_peek(struct iot_ctf_graph *graph, guint index, GError **error)
{
	struct stream *stream = &graph->streams[index];

	while (stream->next == stream->n && !stream->ended) {
		graph->wanted = stream;
		stream->next = stream->n = 0;
		if (bt_graph_run_once(graph->graph) != BT_GRAPH_RUN_ONCE_STATUS_OK)
			return refuse(graph, error);
	}
	return stream->ended ? NULL : stream->messages[stream->next];
}

void iot_ctf_graph_take(struct iot_ctf_graph *graph, guint index)
{
	struct stream *stream = &graph->streams[index];

	bt_message_put_ref(stream->messages[stream->next++]);
}
