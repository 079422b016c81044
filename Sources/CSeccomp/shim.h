// libseccomp: what a process may still ask of the system (seccomp_init(3)).
#pragma once
#include <errno.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>

/// What is refused is answered by EPERM, so that a library that only would like to look at a file goes on.
static inline scmp_filter_ctx jb_filter(void) { return seccomp_init(SCMP_ACT_ERRNO(EPERM)); }

/// Allows a call by its name whatever its arguments; names that this machine does not know are passed over.
static inline int jb_filter_allow(scmp_filter_ctx filter, const char *name) {
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return 0;
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
}

/// Allows a call by its name unless it makes memory executable; `argument` holds its PROT_ flags, from 0.
static inline int jb_filter_allow_data(scmp_filter_ctx filter, const char *name, unsigned int argument) {
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return 0;
    return seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, number, 1, SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, (scmp_datum_t)PROT_EXEC, 0));
}

/// No program that is run from now on gets more than this one has, and nobody may look into it (prctl(2)).
static inline int jb_renounce(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
