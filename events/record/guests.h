/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The virtual machines of this host that have a VSOCK device. */
#ifndef REC_GUESTS_H
#define REC_GUESTS_H

#include <glib.h>

struct rec_guest {
	char *name; /* as the hypervisor calls it; "" if it has none */
	guint32 cid;
};

/**
 * rec_guests_find - all running guests, of struct rec_guest, by CID
 *
 * From the arguments of running QEMUs, and from libvirt (virsh, started without a shell), if it is
 * there. A guest that cannot be examined is left out.
 */
GPtrArray *rec_guests_find(void);

#endif
