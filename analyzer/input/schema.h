/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The union of events and fields that models use. Filled while models are loaded, then read-only.
 * Sources bind it to the formats of their file: they skip other events without copying, and decode
 * only the wanted fields, each into its slot.
 */
#ifndef IOT_INPUT_SCHEMA_H
#define IOT_INPUT_SCHEMA_H

#include "base/diag.h"
#include "input/print-format.h"

enum { IOT_MAX_SLOTS = 32 };

struct iot_schema_field {
	char *name;
	gboolean required; /* binding fails without it; otherwise the slot is IOT_SLOT_ABSENT */
	/* no recording has it: models compute it from the text in this slot, or, with numbers, the
	 * source from the number in this slot; else -1 */
	int from;
	struct iot_numbers *numbers; /* NULL: none; owned */
	char *needed_by; /* "dlm.model:12: pair lock", for the error text */
	/* the first place of a model that takes it for a number, or for a text; NULL: none does */
	char *number_at, *text_at;
	char *real_at; /* the place where a model declares it as a real number; NULL: none does */
};

struct iot_schema_event {
	char *system, *name;
	guint index; /* position in the schema */
	guint n_fields;
	struct iot_schema_field field[IOT_MAX_SLOTS]; /* the position is the slot number */
	/* Only adds to what other events draw: an input with nothing else has nothing to show. */
	gboolean adds;
	/* no input has it: found before the first event */
	gboolean unrecorded;
	/* Models of hosts know it: in the recording of a host it is no event of a node. */
	gboolean of_host;
	/* The state of an object follows from it: while it is not recorded, states are not known.
	 */
	gboolean of_object;
	/* Another name of an event, for one of its roles: its index and fields are those of @of. */
	struct iot_schema_event *of; /* NULL: an event of recordings */
	GHashTable *renamed;	     /* name of a field in the role -> its name in the event */
};

struct iot_schema {
	GPtrArray *events; /* of struct iot_schema_event, owned */
};

/* The system of events that a model describes in [probe]. iotrace-record makes them in a group of
 * the recorded kernel that has this prefix and the number of its process. */
#define IOT_PROBE_SYSTEM "probe"
#define IOT_PROBE_GROUP	 "iotrace_"
/** iot_schema_system - the name by which models know a system of a recording */
const char *iot_schema_system(const char *recorded);

/** iot_schema_new - an empty schema */
struct iot_schema *iot_schema_new(void);
/** iot_schema_free - accepts NULL; nothing may be bound to the schema any more */
void iot_schema_free(struct iot_schema *schema);
typedef struct iot_schema iot_schema;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(iot_schema, iot_schema_free)

/** iot_schema_event - find or add an event; @system is "" in sources without systems */
struct iot_schema_event *iot_schema_event(struct iot_schema *schema, const char *system,
					  const char *name);
/**
 * iot_schema_field - the slot of a field of @event, added if new
 *
 * Returns the slot number, or -1 if the event has IOT_MAX_SLOTS fields already. A field is required
 * if any user requires it.
 */
int iot_schema_field(struct iot_schema_event *event, const char *name, gboolean required,
		     const char *needed_by);
/** iot_schema_is_wanted - whether iot_schema_want has been called for it */
gboolean iot_schema_is_wanted(struct iot_schema_event *event, int slot, gboolean text);
/** iot_schema_want - models take the field @slot for a text, or for a number; @place:
 * "dlm.model:12:8", for the error text */
void iot_schema_want(struct iot_schema_event *event, int slot, gboolean text, const char *place);
/** iot_schema_real - the field @slot is a real number from now on; FALSE if a model has taken it
 * for something else (@out_place, owned by the schema). @place: as of iot_schema_want */
gboolean iot_schema_real(struct iot_schema_event *event, int slot, const char *place,
			 const char **out_place);
/** iot_schema_is_real - whether iot_schema_real has been called for it */
gboolean iot_schema_is_real(struct iot_schema_event *event, int slot);
/**
 * iot_schema_check_type - whether models take the field @slot for what a recording has there
 * @type: of the slot; changed to IOT_SLOT_ABSENT and counted (field_type_differs) if models want
 *	another type but do not require the field. A real number that nobody declares is a text
 * @where: the recording, or a place in it
 */
gboolean iot_schema_check_type(const struct iot_schema_event *event, guint slot, guint8 *type,
			       const char *where, struct iot_diag *diag, GError **error);
/**
 * iot_schema_role - another name for an event, under which some of its fields have other names
 *
 * It stands for @event wherever an event is expected, but is no element of the schema: the caller
 * frees it. @event outlives it.
 */
struct iot_schema_event *iot_schema_role(struct iot_schema_event *event, const char *name);
/** iot_schema_role_free - accepts NULL */
void iot_schema_role_free(struct iot_schema_event *role);
/** iot_schema_rename - @name means the field @field of the event in this role */
void iot_schema_rename(struct iot_schema_event *role, const char *name, const char *field);
/**
 * iot_schema_derive - in this role, @name means a number that models compute from the text @field
 *
 * Recordings have no such field: its slot is IOT_SLOT_ABSENT. Whoever requires it requires the
 * text. @needed_by: the section, different from that of all other roles. Returns the slot, or -1 if
 * the event has IOT_MAX_SLOTS fields already; @out_from: the slot of the text.
 */
int iot_schema_derive(struct iot_schema_event *role, const char *name, const char *field,
		      const char *needed_by, int *out_from);
/**
 * iot_schema_number - in this role, @name means the number of the texts that the recording's own
 * print format of the event prints for @field
 *
 * In a source without print formats @field has the number itself. The rest is as for
 * iot_schema_derive.
 */
int iot_schema_number(struct iot_schema_event *role, const char *name, const char *field,
		      struct iot_numbers *numbers, const char *needed_by);
/** iot_schema_recorded - the event that recordings have: @event, or the event of the role @event */
static inline struct iot_schema_event *iot_schema_recorded(struct iot_schema_event *event)
{
	return event->of ? event->of : event;
}
/** iot_schema_field_name - the name of a slot, as the role calls it */
const char *iot_schema_field_name(struct iot_schema_event *event, guint slot);
/** iot_schema_find - the event @system:@name, or NULL */
const struct iot_schema_event *iot_schema_find(const struct iot_schema *schema, const char *system,
					       const char *name);

#endif
