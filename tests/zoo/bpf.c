/* Makes a map for BPF programs in the kernel. */
#include "play.h"

#include <linux/bpf.h>

static const char *misdeed(const char *line)
{
    (void)line;
    union bpf_attr map;
    memset(&map, 0, sizeof map);
    map.map_type = BPF_MAP_TYPE_ARRAY;
    map.key_size = map.value_size = 4;
    map.max_entries = 1;
    act("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
    return report();
}
