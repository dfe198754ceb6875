/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The definitions as the archive has them: otf2-defs.c reads them, otf2-rows.c looks them up. */
#ifndef IOT_INPUT_OTF2_DEFS_LOCAL_H
#define IOT_INPUT_OTF2_DEFS_LOCAL_H

#include "input/otf2/otf2-defs.h"

struct iot_otf2_node {
	OTF2_StringRef name, class_name;
	OTF2_SystemTreeNodeRef parent;
};

/* A location group. */
struct iot_otf2_process {
	OTF2_StringRef name;
	OTF2_SystemTreeNodeRef node;
	gint32 rank; /* of MPI; -1: none */
	gint32 number, n_places;
	gint32 tgid; /* of its first place */
};

struct iot_otf2_region_def {
	OTF2_StringRef name;
	struct iot_otf2_region out;
};

struct iot_otf2_group {
	OTF2_GroupType type;
	OTF2_GroupFlag flags;
	guint32 n;
	guint64 *member;
};

struct iot_otf2_comm {
	OTF2_StringRef name;
	OTF2_GroupRef group, other; /* other: undefined unless it is an intercommunicator */
};

struct iot_otf2_metrics {
	guint n;
	OTF2_MetricMemberRef member[];
};

struct iot_otf2_handle {
	OTF2_StringRef name;
	OTF2_IoFileRef file;
};

#endif
