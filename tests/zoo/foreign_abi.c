/* Calls the kernel as a 32-bit program would: the filter must end it. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
#ifdef __x86_64__
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
    return result > 0 ? "ESCAPED: int 0x80 was answered" : "held: int 0x80 was refused";
#else
    raise(SIGSYS); /* there is no such call here */
    return NULL;
#endif
}
