/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result tables as JSON for programs: docs/formats/json.md, "Tables". */
#ifndef IOT_SINKS_RESULT_JSON_H
#define IOT_SINKS_RESULT_JSON_H

#include "base/out.h"
#include "timeline/result-table.h"

/** iot_result_add_columns - the member "columns"; without @all blank columns are left out */
void iot_result_add_columns(GString *json, const struct iot_result_table *table, gboolean all);
/** iot_results_write_json - one object with all tables */
void iot_results_write_json(const struct iot_results *results, const struct iot_timeline *tl,
			    struct iot_out *out);

#endif
