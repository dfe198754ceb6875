/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects with a range ([object] range), such as the locks of fcntl on bytes of a file. What an
 * owner holds are pieces; each is an object, with a lane of its own. An event concerns its range
 * only: pieces in it end, a piece that reaches beyond it goes on with the rest, and a mode begins
 * in a new piece. Source: fcntl(2), "Advisory record locking", and posix_lock_inode() in
 * fs/locks.c of Linux; the kernel also joins neighbours, which stay pieces here.
 */
#ifndef IOT_MODEL_OBJECT_RANGE_H
#define IOT_MODEL_OBJECT_RANGE_H

#include "model/object.h"

/** iot_range_event - apply an event; the key of @step ends with the range */
void iot_range_event(struct iot_step *step);

#endif
