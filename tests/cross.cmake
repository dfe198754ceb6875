# SPDX-License-Identifier: GPL-2.0-or-later
# Toolchain for another architecture of Debian: its compilers, the libraries in the folder IOT_CROSS_ROOT, and qemu-user for the tests.
# Environment: IOT_CROSS_TRIPLET such as aarch64-linux-gnu, IOT_CROSS_QEMU such as aarch64, IOT_CROSS_ROOT
set(triplet $ENV{IOT_CROSS_TRIPLET})
set(root $ENV{IOT_CROSS_ROOT})
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{IOT_CROSS_QEMU})
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_SYSROOT ${root})
set(CMAKE_FIND_ROOT_PATH ${root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${root})
set(ENV{PKG_CONFIG_LIBDIR} ${root}/usr/lib/${triplet}/pkgconfig:${root}/usr/share/pkgconfig)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-$ENV{IOT_CROSS_QEMU}-static;-L;${root})
