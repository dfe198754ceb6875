#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# A shop whose stock is a file: one record of 100 bytes for each of ten articles. Clerks lock the record that they change (fcntl), a stocktaker
# the whole file, and a backup runs once at a time (flock). A till has a lease on the prices, a file of their own. usage: shop.py FILE
import ctypes
import fcntl
import os
import signal
import sys
import time

RECORD = 100
path = sys.argv[1]
with open(path, "wb") as stock:
    stock.truncate(10 * RECORD)
open(path + ".prices", "wb").close()
opens = time.monotonic() + 0.2  # all are there


def process(name, work):
    pid = os.fork()
    if pid:
        return pid
    ctypes.CDLL(None).prctl(15, name.encode())  # PR_SET_NAME
    with open(path, "r+b") as stock:
        work(stock)
    os._exit(0)


def wait_until(delay):
    time.sleep(max(0, opens + delay - time.monotonic()))


def clerk(article, delay, works):
    def work(stock):
        wait_until(delay)
        fcntl.lockf(stock, fcntl.LOCK_EX, RECORD, article * RECORD)
        time.sleep(works)
        fcntl.lockf(stock, fcntl.LOCK_UN, RECORD, article * RECORD)
    return work


def stocktaker(stock):
    wait_until(0.010)
    fcntl.lockf(stock, fcntl.LOCK_SH, 0)  # to the end of the file
    time.sleep(0.040)
    fcntl.lockf(stock, fcntl.LOCK_UN, 5 * RECORD, 0)  # the first half is counted
    time.sleep(0.040)
    fcntl.lockf(stock, fcntl.LOCK_UN, 0)


def backup(delay):
    def work(stock):
        wait_until(delay)
        fcntl.flock(stock, fcntl.LOCK_EX)
        time.sleep(0.060)
    return work


def till(_):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGIO})
    with open(path + ".prices", "rb") as prices:
        fcntl.fcntl(prices, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        signal.sigwait({signal.SIGIO})  # somebody wants to write
        time.sleep(0.025)
        fcntl.fcntl(prices, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def manager(_):
    wait_until(0.030)
    with open(path + ".prices", "r+b"):
        pass


for pid in [process("clerk A", clerk(2, 0.000, 0.030)), process("clerk B", clerk(2, 0.005, 0.010)),
            process("stocktaker", stocktaker), process("clerk C", clerk(1, 0.060, 0.010)),
            process("clerk D", clerk(7, 0.060, 0.010)), process("backup 1", backup(0.000)),
            process("backup 2", backup(0.020)), process("till", till), process("manager", manager)]:
    os.waitpid(pid, 0)
